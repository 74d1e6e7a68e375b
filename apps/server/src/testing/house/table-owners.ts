import type { DB } from '../../platform/db/index.ts';

/** A folder of `modules`, or `platform`, or `main`. */
export type Owner =
  | 'aaa'
  | 'audit'
  | 'bundle'
  | 'cdr'
  | 'dashboard'
  | 'diagnose'
  | 'heatmap'
  | 'identity'
  | 'main'
  | 'notify'
  | 'org'
  | 'place'
  | 'platform'
  | 'price'
  | 'pool'
  | 'sim'
  | 'sms'
  | 'task'
  | 'usage';

export interface OwnedTable {
  /** Writes it; alone, but for groups of columns and exceptions. */
  owner: Owner;
  /** Modules above the owner whose own statements read it: they depend on its columns. */
  readers?: readonly Owner[];
  /** Of a row that several modules keep together: who updates these columns. The others are the owner's. */
  columns?: readonly { names: readonly string[]; writers: readonly Owner[] }[];
}

export interface Exception {
  table: Relation;
  module: Owner;
  access: 'read' | 'write';
  /** Files of the module that hold the statements: the exception goes no further. */
  files: readonly string[];
  why: string;
}

/** Views of the database, which belong to a module as tables do. */
type View = 'own_usage_daily' | 'own_usage_hourly' | 'sim_owners' | 'sim_usage_daily' | 'sim_usage_hourly';
export type Relation = keyof DB | View;

export const tables: Record<Relation, OwnedTable> = {
  access_refusals: { owner: 'aaa' },
  audit_entries: { owner: 'audit' },
  audit_heads: { owner: 'audit' },
  bundle_orders: { owner: 'bundle', readers: ['price', 'usage', 'pool', 'aaa', 'diagnose', 'cdr'] },
  bundles: { owner: 'bundle', readers: ['price', 'usage', 'pool', 'aaa', 'diagnose', 'cdr'] },
  cdr_counts: { owner: 'cdr' },
  cdr_file_refusals: { owner: 'usage' },
  cdr_files: { owner: 'usage' },
  cdr_hours: { owner: 'cdr' },
  cdr_sessions: { owner: 'cdr' },
  cdr_traits: { owner: 'cdr' },
  cdrs: { owner: 'usage', readers: ['pool', 'heatmap', 'cdr'] },
  cells: { owner: 'place', readers: ['sim', 'heatmap', 'cdr'] },
  dead_lettered_facts: { owner: 'platform' },
  dead_lettered_jobs: { owner: 'platform' },
  deliveries: { owner: 'notify' },
  delivery_attempts: { owner: 'notify' },
  delivery_lanes: { owner: 'notify' },
  diagnose_links: { owner: 'diagnose' },
  download_tokens: { owner: 'task' },
  heatmap_counts: { owner: 'heatmap' },
  heatmap_days: { owner: 'heatmap' },
  heatmap_hexagons: { owner: 'heatmap' },
  idempotent_requests: { owner: 'platform' },
  installation: { owner: 'platform' },
  invitations: { owner: 'identity' },
  mailed_codes: { owner: 'identity' },
  memberships: { owner: 'org', readers: ['identity', 'task', 'notify'] },
  networks: { owner: 'sim', readers: ['bundle', 'usage', 'aaa', 'diagnose', 'heatmap', 'cdr'] },
  notification_targets: { owner: 'notify' },
  notifications: { owner: 'notify' },
  org_daily_figures: { owner: 'usage', readers: ['dashboard'] },
  org_sim_counts: { owner: 'sim', readers: ['usage', 'dashboard'] },
  org_tags: { owner: 'sim' },
  org_tariffs: { owner: 'price' },
  org_usage_daily: { owner: 'usage', readers: ['dashboard', 'heatmap', 'cdr'] },
  org_usage_hourly: { owner: 'usage', readers: ['dashboard', 'cdr'] },
  org_usage_rank: { owner: 'usage', readers: ['dashboard'] },
  organisations: {
    owner: 'org',
    readers: ['identity', 'task', 'sim', 'bundle', 'price', 'usage', 'pool', 'sms', 'diagnose', 'main'],
  },
  org_sms_daily: { owner: 'sms' },
  outbox: { owner: 'platform' },
  outbox_cursors: { owner: 'platform' },
  password_resets: { owner: 'identity' },
  pool_activity: { owner: 'pool' },
  pool_counters: { owner: 'pool' },
  pool_cycles: { owner: 'pool' },
  pool_events: { owner: 'pool' },
  pool_members: { owner: 'pool' },
  pool_terms: { owner: 'pool' },
  pool_usage: { owner: 'pool' },
  pool_usage_hourly: { owner: 'pool' },
  pools: { owner: 'pool' },
  radius_clients: { owner: 'aaa', readers: ['cdr'] },
  radius_refused_packets: { owner: 'aaa' },
  radius_rejects: { owner: 'aaa', readers: ['diagnose'] },
  radius_sessions: { owner: 'aaa', readers: ['diagnose', 'cdr'] },
  recovery_codes: { owner: 'identity' },
  saved_view_orders: { owner: 'sim' },
  saved_views: { owner: 'sim' },
  schema_migrations: { owner: 'platform' },
  sign_in_failures: { owner: 'identity' },
  sim_events: { owner: 'sim', readers: ['aaa', 'diagnose'] },
  sim_live: {
    owner: 'sim',
    readers: ['bundle', 'price', 'usage', 'pool', 'aaa', 'dashboard', 'diagnose', 'cdr'],
    columns: [
      // The cycle's counter and what it allows: orders, imports and repairs write it by one statement, intake by its own.
      {
        names: [
          'cycle_started_at',
          'cycle_ends_at',
          'used_bytes',
          'limit_bytes',
          'extra_bytes',
          'threshold_bytes',
          'over_limit',
          'data_state',
          'rate_kbps',
        ],
        writers: ['bundle', 'aaa'],
      },
      // The hour that intake still counts; retention closes what is left of a month.
      {
        names: [
          'open_hour_at',
          'open_plmn',
          'open_radio',
          'open_up_bytes',
          'open_down_bytes',
          'open_records',
        ],
        writers: ['usage', 'aaa'],
      },
      // Whether its records are counted for shared pools, and what these allow.
      { names: ['pooled', 'pool_stopped_until'], writers: ['pool'] },
      // A new version, after a change that intake decides by.
      { names: ['lifecycle_changes'], writers: ['sim', 'pool'] },
      // What the cycle has cost, as lists know it; a transfer clears it.
      { names: ['cost_micros'], writers: ['price', 'sim'] },
      // What the network shows of the SIM.
      {
        names: [
          'connection',
          'connection_since',
          'imei',
          'ip',
          'last_seen_at',
          'last_session_at',
          'network_rate_kbps',
          'plmn',
          'radio',
        ],
        writers: ['aaa'],
      },
    ],
  },
  sim_costs: { owner: 'price' },
  sim_ownerships: { owner: 'sim' },
  sims: {
    owner: 'sim',
    readers: ['bundle', 'price', 'usage', 'pool', 'sms', 'aaa', 'dashboard', 'diagnose', 'cdr'],
    columns: [
      // What follows from the SIM's orders, beside what lists filter and sort by.
      { names: ['bundle_id', 'expires_at', 'pre_activation_over'], writers: ['bundle'] },
      // The device that the network last showed, which lists search.
      { names: ['last_imei', 'imei_changed_at'], writers: ['aaa'] },
      { names: ['sms_suspended'], writers: ['sms'] },
    ],
  },
  sms_early_receipts: { owner: 'sms' },
  sms_messages: { owner: 'sms' },
  sms_parts: { owner: 'sms' },
  sms_quota_spent: { owner: 'sms' },
  sms_received_parts: { owner: 'sms' },
  sms_services: { owner: 'sms' },
  sms_unknown_senders: { owner: 'sms' },
  smsc_connections: { owner: 'sms' },
  target_secrets: { owner: 'notify' },
  tariff_bundle_prices: { owner: 'price' },
  tariff_versions: { owner: 'price' },
  tariff_zone_prices: { owner: 'price' },
  tariffs: { owner: 'price' },
  task_files: { owner: 'task' },
  task_items: { owner: 'task' },
  tasks: { owner: 'task' },
  uploads: { owner: 'sim' },
  usage_cycles: { owner: 'bundle', readers: ['price', 'usage', 'cdr'] },
  usage_daily: { owner: 'usage' },
  usage_handovers: { owner: 'usage' },
  usage_hourly: { owner: 'usage' },
  user_sessions: { owner: 'identity' },
  users: { owner: 'identity', readers: ['task', 'sim', 'notify', 'main'] },
  zones: { owner: 'price' },

  own_usage_daily: { owner: 'usage' },
  own_usage_hourly: { owner: 'usage' },
  sim_owners: { owner: 'sim', readers: ['diagnose'] },
  sim_usage_daily: { owner: 'usage' },
  sim_usage_hourly: { owner: 'usage' },
};

/** Statements over a table of a module that theirs may not import, each because the other ways were worse. */
export const exceptions: readonly Exception[] = [
  {
    table: 'organisations',
    module: 'audit',
    access: 'read',
    files: ['audit.views.ts'],
    why: 'The trail is shown by the codes of organisations, and every module writes to it: it stands below org as well.',
  },
  {
    table: 'users',
    module: 'org',
    access: 'read',
    files: ['admission/admission.views.ts'],
    why: 'Asked on every call of every person: whether two-factor is on comes with the membership, in one round trip.',
  },
  {
    table: 'users',
    module: 'org',
    access: 'read',
    files: ['memberships/seats.queries.ts'],
    why: 'The row of a person is the lock under which the number of organisations that the person is in is counted.',
  },
  {
    table: 'users',
    module: 'org',
    access: 'read',
    files: ['tree/org.queries.ts'],
    why: 'The audit trail of a new organisation names the people in it, in the transaction that makes them its members.',
  },
  {
    table: 'invitations',
    module: 'org',
    access: 'read',
    files: ['memberships/seats.queries.ts'],
    why: 'An open invitation takes a seat like an account does: both are counted at one moment, under the lock of the organisation.',
  },
  {
    table: 'tasks',
    module: 'org',
    access: 'read',
    files: ['enterprise/enterprise.queries.ts'],
    why: 'An organisation with running tasks is not deleted: they are looked for under the lock that keeps new ones out.',
  },
  {
    table: 'networks',
    module: 'place',
    access: 'read',
    files: ['cells.queries.ts'],
    why: 'Files of others write the code of a network as a number: how many digits it has is known by the list of networks alone.',
  },
  {
    table: 'bundles',
    module: 'sim',
    access: 'read',
    files: ['sim.views.ts', 'list/sim-rows.views.ts', 'list/sim-filter.views.ts', 'export/export.views.ts'],
    why: 'Lists, exports and the overview of SIMs show and filter by the bundle that a SIM has (sims.bundle_id), in the one statement that finds the rows.',
  },
  {
    table: 'bundle_orders',
    module: 'sim',
    access: 'read',
    files: ['sim.views.ts'],
    why: 'The overview of a SIM shows the end of the order in use and how many wait, in one statement with the bundle.',
  },
  {
    table: 'own_usage_daily',
    module: 'sim',
    access: 'read',
    files: ['list/sim-rows.views.ts'],
    why: 'Usage of the last days is a column of the list of SIMs, read for the rows of a page; of SIMs that just changed hands, the own part.',
  },
  {
    table: 'sim_usage_daily',
    module: 'sim',
    access: 'read',
    files: ['list/sim-rows.views.ts'],
    why: 'Usage of the last days is a column of the list of SIMs, read for the rows of a page beside the rows themselves.',
  },
  {
    table: 'radius_sessions',
    module: 'sim',
    access: 'read',
    files: ['sim.views.ts', 'details/details.views.ts'],
    why: 'The page of a SIM shows its sessions and where the last one was; each is an indexed read of one SIM, and aaa has no screens.',
  },
  {
    table: 'cdrs',
    module: 'bundle',
    access: 'read',
    files: ['orders/live.queries.ts'],
    why: 'An order that begins or ends in the past splits the usage there: only records know when it was, and they are read under the lock of the counter.',
  },
  {
    table: 'own_usage_daily',
    module: 'bundle',
    access: 'read',
    files: ['services/coverage.views.ts'],
    why: 'Usage by country within a cycle of an order: whole days are summed in the database, together with the hours at both ends.',
  },
  {
    table: 'own_usage_hourly',
    module: 'bundle',
    access: 'read',
    files: ['services/coverage.views.ts'],
    why: 'Usage by country within a cycle of an order: the hours at both ends are summed in the database, together with the whole days.',
  },
];
