/** Business constants of the specification (section 9). Every limit is written here once; server, forms and docs read it. */
export const limits = {
  requestTimeoutMs: 1_200_000,
  /** Whole hours that business days are ahead of UTC; `usual` is the cut-off of the specification, 23:59 UTC+8. */
  dayOffset: { min: -12, max: 14, usual: 8 },
  password: { min: 6, max: 12, generated: 11 },
  organisationName: { min: 5, max: 40 },
  accountName: { min: 1, max: 30 },
  /** A person's organisations, by membership. */
  organisationsPerPerson: 50,
  /** Accounts of an organisation, open invitations included, and its sub-organisations; the operator may set others. */
  seats: 50,
  subOrganisations: 100,
  /** Levels of the tree of organisations, the operator's included. */
  organisationLevels: 20,
  smsQuota: { max: 100_000_000 },
  sms: {
    /** Characters (specification, section 5). */
    content: 140,
    /** Characters of a message of a device: a longer one is cut, and ends in `[…]` after them. */
    received: 10_000,
    /** ICCIDs of a list (specification, section 5). */
    iccids: 1000,
    search: 60,
    /** Targets that messages of SIMs are forwarded to. */
    forwardTargets: 5,
    /** An MO so many hours after an MT is its reply. */
    replyHours: 24,
  },
  /** Scheduled SMS of an organisation, characters of a name (specification, section 5), times of a week. */
  schedules: { perOrganisation: 100, name: 50, times: 50, search: 60, lateHours: 1 },
  invitationDays: 7,
  /** Mails of invitations: to one address, by one organisation or by all, in a day; by one organisation in an hour. */
  invitationMails: { sameInvitation: 5, sameAddress: 10, sameOrganisation: 100 },
  passwordResetMinutes: 30,
  /** Links of one address that may be used at one time. */
  passwordResetLinks: 3,
  mailedCodeMinutes: 10,
  recoveryCodes: 10,
  /** Hours of a session, idle and at most; an organisation may shorten them. */
  sessionIdleHours: { min: 1, max: 12 },
  sessionHours: { min: 1, max: 168 },
  /** Networks (CIDR) from which people of an organisation may work. */
  allowedNetworks: 50,
  auditExport: 100_000,
  tags: { perSim: 10, length: 10, atOnce: 5 },
  /** SIMs of one activation. */
  activation: 1000,
  /** SIMs of any other operation, rows of an export, a transfer and an upload. */
  simsOfOperation: 100_000,
  exportRows: 100_000,
  /** ICCIDs, IMSIs or MSISDNs of a pasted or uploaded list. */
  bulkSearch: 10_000,
  /** Refused SIMs that a preview names for each reason; the report of the task names all. */
  previewSample: 20,
  /** Of a list: those that a person has, and those that are shared in an organisation. */
  savedViews: { perPerson: 20, shared: 50, name: 40 },
  cdrs: {
    /** Natural days (UTC) of a question (specification, section 5). */
    days: 31,
    /** ICCIDs, IMSIs or MSISDNs of a filter. */
    identifiers: 1000,
    /** Records of an export of chosen ones. */
    selected: 1000,
    /** SIMs of sums by SIM, those with the most usage. */
    simGroups: 1000,
    /** Cells, those with the most usage. */
    cells: 5000,
  },
  upload: {
    nameLength: 40,
    transferBytes: 1024 * 1024,
    infoBytes: 20 * 1024 * 1024,
    rows: 100_000,
    hours: 1,
    /** Files of one kind that a person may have uploaded without applying them. */
    waiting: 10,
  },
  /** A public diagnose link. */
  diagnoseHours: 72,
  /** Reports that an organisation shares at one time. */
  diagnoseLinks: 1000,
  /** Of one SIM, those that are listed: the newest. */
  diagnoseLinksShown: 20,
  downloadTokenSeconds: 60,
  taskReportDays: 7,
  /** What a task changed can be undone for so long after its end. */
  taskUndoDays: 7,
  graceDays: 90,
  addressGroups: { perOrganisation: 100, name: 50, emails: 10, phones: 10, search: 100 },
  notifications: {
    /** Characters of an API target's URL. */
    url: 2000,
    /** Test notifications to one target in an hour, and of an organisation to all of its targets. */
    tryOuts: 10,
    organisationTryOuts: 50,
    /** Attempts of a delivery, and hours that it is tried for. */
    tries: 30,
    hours: 24,
    /** A former secret signs for so long beside the newest. */
    formerSecretHours: 24,
    /** Deliveries are kept. */
    days: 30,
  },
  /** API keys: characters of a name (specification, section 5), keys of an account and of an organisation. */
  apiKeys: { name: 60, perAccount: 20, perOrganisation: 200 },
  /** The log of calls by API keys: days kept, octets of a body or response, codes and characters that are looked for. */
  apiLog: { days: 30, bytes: 8192, codes: 20, path: 200 },
  /** A signature counts for so long after it was created, and may be so far ahead of our clock. */
  signatures: { seconds: 600, aheadSeconds: 60, nonce: { min: 16, max: 128 } },
  webhooks: {
    /** Of the log. */
    search: 100,
    /** Deliveries that are sent again by one filter. */
    resend: 10_000,
    /** Deliveries of each state are counted no further. */
    counted: 100_000,
    /** Octets of a response that the log keeps. */
    responseBytes: 8192,
    /** Hours and newest deliveries that its health is about, and how many parts they are shown in. */
    healthHours: 24,
    healthDeliveries: 10_000,
    healthSlots: 48,
  },
  autoflow: {
    /** Rules of an organisation, where the installation sets no other number. */
    rules: 50,
    name: 50,
    search: 60,
    /** Data thresholds by unit, and in percent (specification, section 5). */
    data: { KB: 1_073_741_824, MB: 1_048_576, GB: 1024 },
    percent: 200,
    smsMt: 1000,
    smsMo: 200,
    /** Days before an expiry, or before the end of the pre-activation. */
    days: 45,
    silentHours: 720,
    countries: 250,
    sessions: 1000,
    costMinor: 100_000_000,
    multiple: 100,
    scopeTags: 10,
    /** ICCIDs by hand, and rows of a file (specification, section 5). */
    manualSims: 1000,
    fileRows: 10_000,
    actions: 10,
    groupMinutes: 60,
    /** Run history. */
    historyDays: 30,
    /** Notification templates of an organisation. */
    templates: 50,
    subject: 150,
    text: 2000,
    /** Firings of a replay that can be listed, the latest. */
    replayedFirings: 10_000,
    /** Test notifications of rules, of an organisation in an hour. */
    tryOuts: 20,
  },
  /** Rows of a bill's file: what a workbook holds. Lines of its PDF, and SIMs that it names. */
  bills: {
    /** Of a settlement customer's open bills, named beside what is open. */
    open: 5,
    search: 60,
    fileRows: 1_000_000,
    pdfLines: 5000,
    pdfSims: 100,
    sections: 5000,
    payee: 120,
    /** SIMs of a bill that is computed again while one waits. */
    checkedAtOnce: 5000,
    /** Another bundle is offered that saves so much of the cost of three months, and so many minor units. */
    offer: { percent: 5, leastMinor: 1000 },
  },
  /** Months that are kept, rows of a preview, bars of a picture, address groups that are notified. */
  reports: { months: 24, preview: 15, bars: 12, notify: 10 },
  pools: { name: 60, search: 60, rank: 10 },
  deviceName: { max: 60 },
  notes: { max: 500 },
  expiringSoonDays: 45,
  taskListDays: 7,
  switcherOrganisations: 10,
  searchDebounceMs: 300,
  toasts: 3,
  page: { sizes: [10, 20, 50, 100], default: 50, maxByApi: 1000 },
  /** A filtered total is counted no further than this; then the answer says `gte`. */
  countedTotal: 3000,
  usageRank: 10,
  /** Days of a period, hexagons and operators of an answer. */
  heatmap: { days: 31, hexagons: 5000, operators: 100, cells: 1000 },
  /** Characters of an error that the console reports; reports of a page as long as it is open, and of an address in a minute. */
  consoleErrors: { message: 500, stack: 4000, bodyBytes: 32_768, perPage: 20, perMinute: 30 },
  /** How many missed events a reconnecting live stream may replay before it is asked to reload instead. */
  liveReplay: 1000,
  /** Open live streams of one sign-in session: a tab each. */
  liveStreamsPerSession: 20,
  /** Usage younger than this may still change by late records (semantics: provisional). */
  provisionalHours: 48,
} as const;
