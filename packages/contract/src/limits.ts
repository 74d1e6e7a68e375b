/** Business constants of the specification (section 9). Every limit is defined only here; server, forms and docs read it. */
export const limits = {
  requestTimeoutMs: 1_200_000,
  /** Hours by which business days are ahead of UTC; `usual` is the specification's cut-off, 23:59 UTC+8. */
  dayOffset: { min: -12, max: 14, usual: 8 },
  password: { min: 6, max: 12, generated: 11 },
  organisationName: { min: 5, max: 40 },
  /** Octets of a logo: browsers store it, a third longer, with each of the person's organisations. */
  organisationLogo: 6144,
  accountName: { min: 1, max: 30 },
  /** Organisations that a person can join or create; oversight adds any number. */
  organisationsPerPerson: 50,
  /** Organisations in the response to a sign-in, which browsers store: overseers may belong to more, which are found by search. */
  organisationsAtSignIn: 500,
  /** Accounts of an organisation, including open invitations, and its sub-organisations; the operator may set other limits. */
  seats: 50,
  subOrganisations: 100,
  /** Levels of the tree of organisations, including the operator's. */
  organisationLevels: 20,
  smsQuota: { max: 100_000_000 },
  sms: {
    /** Characters (specification, section 5). */
    content: 140,
    /** Characters of a message from a device: a longer one is truncated and ends in `[…]`. */
    received: 10_000,
    /** ICCIDs of a list (specification, section 5). */
    iccids: 1000,
    search: 60,
    /** Targets that messages from SIMs are forwarded to. */
    forwardTargets: 5,
    /** An MO within this many hours after an MT is its reply. */
    replyHours: 24,
  },
  /** Scheduled SMS of an organisation, characters of a name (specification, section 5), times of a week. */
  schedules: { perOrganisation: 100, name: 50, times: 50, search: 60, lateHours: 1, sendingHours: 2 },
  invitationDays: 7,
  /** Invitation emails: to one address per day, by one organisation and by all; by one organisation per hour. */
  invitationMails: { sameInvitation: 5, sameAddress: 10, sameOrganisation: 100 },
  passwordResetMinutes: 30,
  /** Valid links for one address at a time. */
  passwordResetLinks: 3,
  mailedCodeMinutes: 10,
  recoveryCodes: 10,
  /** Hours of a session, idle and in total; an organisation may shorten them. */
  sessionIdleHours: { min: 1, max: 12 },
  sessionHours: { min: 1, max: 168 },
  /** Networks (CIDR) from which an organisation allows access. */
  allowedNetworks: 50,
  auditExport: 100_000,
  tags: { perSim: 10, length: 10, atOnce: 5 },
  /** SIMs of one activation. */
  activation: 1000,
  /** SIMs of any other operation, and rows of an export, a transfer or an upload. */
  simsOfOperation: 100_000,
  exportRows: 100_000,
  /** ICCIDs, IMSIs or MSISDNs of a pasted or uploaded list. */
  bulkSearch: 10_000,
  /** Refused SIMs that a preview lists for each reason; the report of the task lists all. */
  previewSample: 20,
  /** Saved views of a list: of one person, and shared in an organisation. */
  savedViews: { perPerson: 20, shared: 50, name: 40 },
  /** Months for which usage by the hour is retained, before the current one. */
  hourlyUsageMonths: 13,
  cdrs: {
    /** Natural days (UTC) of a query (specification, section 5). */
    days: 31,
    /** ICCIDs, IMSIs or MSISDNs of a filter. */
    identifiers: 1000,
    /** Records of an export of selected records. */
    selected: 1000,
    /** SIMs in totals by SIM: those with the most usage. */
    simGroups: 1000,
    /** Cells: those with the most usage. */
    cells: 5000,
  },
  upload: {
    nameLength: 40,
    transferBytes: 1024 * 1024,
    infoBytes: 20 * 1024 * 1024,
    rows: 100_000,
    hours: 1,
    /** Files of one kind that a person may have uploaded and not yet applied. */
    waiting: 10,
  },
  /** Validity of a public diagnose link. */
  diagnoseHours: 72,
  /** Reports that an organisation can share at a time. */
  diagnoseLinks: 1000,
  downloadTokenSeconds: 60,
  taskReportDays: 7,
  /** Days after its end during which a task can be undone. */
  taskUndoDays: 7,
  graceDays: 90,
  addressGroups: { perOrganisation: 100, name: 50, emails: 10, phones: 10, search: 100 },
  notifications: {
    /** Characters of an API target's URL. */
    url: 2000,
    /** Test notifications per hour to one target, and of an organisation to all of its targets. */
    tests: 10,
    organisationTests: 50,
    /** Firings of a rule that one request lists, so that its body stays below 32 kB. */
    firings: 100,
    /** Attempts of a delivery, and the hours over which they are made. */
    tries: 30,
    hours: 24,
    /** Hours during which requests are also signed with the former secret. */
    formerSecretHours: 24,
    /** Days that deliveries are kept. */
    days: 30,
  },
  /** API keys: characters of a name (specification, section 5), keys per account and per organisation. */
  apiKeys: { name: 60, perAccount: 20, perOrganisation: 200 },
  /** Log of calls with API keys: days kept, octets of a body or response, HTTP codes and characters of the path in a search. */
  apiLog: { days: 30, bytes: 8192, codes: 20, path: 200 },
  /** Maximum age of a signature, and how far its creation may be ahead of the server's clock. */
  signatures: { seconds: 600, aheadSeconds: 60, nonce: { min: 16, max: 128 } },
  webhooks: {
    /** Characters of a search in the log. */
    search: 100,
    /** Deliveries that one filter can resend. */
    resend: 10_000,
    /** Maximum count of deliveries by state. */
    counted: 100_000,
    /** Octets of a response that the log keeps. */
    responseBytes: 8192,
    /** Hours and number of newest deliveries that the health figures cover, and the number of parts in which they are shown. */
    healthHours: 24,
    healthDeliveries: 10_000,
    healthSlots: 48,
  },
  autoflow: {
    /** Rules of an organisation, unless the installation sets another number. */
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
    /** ICCIDs entered by hand, and rows of a file (specification, section 5). */
    manualSims: 1000,
    fileRows: 10_000,
    actions: 10,
    groupMinutes: 60,
    /** Days that the run history is kept. */
    historyDays: 30,
    /** Notification templates of an organisation. */
    templates: 50,
    subject: 150,
    text: 2000,
    /** Firings of a replay that can be listed: the latest ones. */
    replayedFirings: 10_000,
    /** Test notifications of rules per organisation and hour. */
    tryOuts: 20,
  },
  /** `fileRows`: rows of a bill's file, limited by workbooks. `pdfLines`, `pdfSims`: lines and SIMs in its PDF. */
  bills: {
    /** Open bills of a settlement customer that are listed with the open amount. */
    open: 5,
    /** The day of a month on which the bills of the month before are published. */
    publishDay: 3,
    daysToPay: 10,
    search: 60,
    fileRows: 1_000_000,
    pdfLines: 5000,
    pdfSims: 100,
    sections: 5000,
    payee: 120,
    /** Maximum number of SIMs of a bill that is computed again during the request, not in the background. */
    checkedAtOnce: 5000,
    /** Bills that one process computes again during requests; more are computed in the background. */
    concurrentChecks: 4,
    /** Minimum saving, in percent of the cost of three months and in minor units, for another bundle to be offered. */
    offer: { percent: 5, leastMinor: 1000 },
  },
  /** Months that reports are kept, rows of a preview, bars of a chart, address groups that are notified. */
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
  /** Maximum count of a filtered total; beyond it, the response says `gte`. */
  countedTotal: 3000,
  usageRank: 10,
  /** Days of a period; hexagons, operators and cells of a response. */
  heatmap: { days: 31, hexagons: 5000, operators: 100, cells: 1000 },
  /** Console error reports: characters of message and stack; reports per open page, and per IP address and minute. */
  consoleErrors: { message: 500, stack: 4000, bodyBytes: 32_768, perPage: 20, perMinute: 30 },
  /** Missed events that are replayed to a reconnecting live stream; if more were missed, it must reload. */
  liveReplay: 1000,
  /** Open live streams of one session: one per tab. */
  liveStreamsPerSession: 20,
  /** Usage younger than this may still change by late records: it is marked provisional. */
  provisionalHours: 48,
} as const;
