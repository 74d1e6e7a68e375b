import type { DB } from '../../platform/db/index.ts';

/** A folder of `modules`, or `platform`, or `main`. */
export type Owner =
  | 'aaa'
  | 'audit'
  | 'autoflow'
  | 'bundle'
  | 'cdr'
  | 'dashboard'
  | 'developer'
  | 'diagnose'
  | 'finance'
  | 'heatmap'
  | 'identity'
  | 'main'
  | 'notify'
  | 'org'
  | 'place'
  | 'platform'
  | 'price'
  | 'pool'
  | 'report'
  | 'schedule'
  | 'sim'
  | 'sms'
  | 'task'
  | 'usage'
  | 'webhook';

export interface OwnedTable {
  /** The only module that writes it, except for groups of columns and exceptions. */
  owner: Owner;
  /** Higher modules whose own statements read it: they depend on its columns. */
  readers?: readonly Owner[];
  /**
   * For a row that several modules maintain together: which of them update these columns. The others are the
   * owner's.
   */
  columns?: readonly { names: readonly string[]; writers: readonly Owner[] }[];
}

/** Views of the database, which belong to modules as tables do. */
type View =
  | 'cdr_hour_states'
  | 'cdr_moved_hours'
  | 'own_usage_daily'
  | 'own_usage_hourly'
  | 'sim_owners'
  | 'sim_usage_daily'
  | 'sim_usage_hourly';
export type Relation = keyof DB | View;

export const tables: Record<Relation, OwnedTable> = {
  access_refusals: { owner: 'aaa' },
  api_calls: { owner: 'developer' },
  api_key_nonces: { owner: 'developer' },
  api_keys: { owner: 'developer' },
  audit_entries: { owner: 'audit' },
  audit_heads: { owner: 'audit' },
  autoflow_firing_actions: { owner: 'autoflow' },
  autoflow_firings: { owner: 'autoflow' },
  autoflow_judged_times: { owner: 'autoflow' },
  autoflow_list_sims: { owner: 'autoflow' },
  autoflow_lists: { owner: 'autoflow' },
  autoflow_replay_firings: { owner: 'autoflow' },
  autoflow_replays: { owner: 'autoflow' },
  autoflow_rule_days: { owner: 'autoflow' },
  autoflow_rule_versions: { owner: 'autoflow' },
  autoflow_rules: { owner: 'autoflow', readers: ['main'] },
  autoflow_templates: { owner: 'autoflow', readers: ['main'] },
  bill_charges: { owner: 'finance' },
  bill_check_runs: { owner: 'finance' },
  bill_checks: { owner: 'finance' },
  bill_cycles: { owner: 'finance' },
  bill_estimates: { owner: 'finance' },
  bill_lines: { owner: 'finance', readers: ['report'] },
  bill_months: { owner: 'finance' },
  bill_offers: { owner: 'finance' },
  bill_parties: { owner: 'finance' },
  bill_payee: { owner: 'finance' },
  bill_payments: { owner: 'finance' },
  bill_sims: { owner: 'finance' },
  bills: { owner: 'finance', readers: ['report'] },
  bundle_orders: {
    owner: 'bundle',
    readers: ['price', 'finance', 'usage', 'pool', 'aaa', 'diagnose', 'cdr', 'report'],
  },
  bundles: {
    owner: 'bundle',
    readers: ['price', 'finance', 'usage', 'pool', 'aaa', 'autoflow', 'diagnose', 'cdr', 'report'],
  },
  cdr_counts: { owner: 'cdr' },
  cdr_file_refusals: { owner: 'usage' },
  cdr_files: { owner: 'usage' },
  cdr_firsts: { owner: 'cdr' },
  cdr_sim_counts: { owner: 'cdr' },
  cdr_sim_heads: { owner: 'cdr' },
  cdr_hour_states: { owner: 'cdr' },
  cdr_hours: { owner: 'cdr' },
  cdr_moved_hours: { owner: 'cdr' },
  cdr_sessions: { owner: 'cdr' },
  cdr_traits: { owner: 'cdr' },
  cdrs: { owner: 'usage', readers: ['finance', 'pool', 'heatmap', 'cdr'] },
  cells: { owner: 'place', readers: ['sim', 'heatmap', 'cdr', 'diagnose'] },
  dead_lettered_facts: { owner: 'platform' },
  dead_lettered_jobs: { owner: 'platform' },
  deliveries: { owner: 'notify', readers: ['webhook', 'autoflow'] },
  delivery_attempts: { owner: 'notify', readers: ['webhook'] },
  delivery_exchanges: { owner: 'notify', readers: ['webhook'] },
  delivery_lanes: { owner: 'notify', readers: ['webhook'] },
  diagnose_links: { owner: 'diagnose' },
  download_tokens: { owner: 'task' },
  filed_sessions: { owner: 'aaa' },
  heatmap_cells: { owner: 'heatmap' },
  heatmap_counts: { owner: 'heatmap' },
  heatmap_days: { owner: 'heatmap' },
  heatmap_hexagons: { owner: 'heatmap' },
  idempotent_requests: { owner: 'platform' },
  installation: { owner: 'platform' },
  invitations: { owner: 'identity' },
  mailed_codes: { owner: 'identity' },
  memberships: { owner: 'org', readers: ['identity', 'task', 'notify', 'webhook', 'main'] },
  networks: {
    owner: 'sim',
    readers: ['bundle', 'usage', 'aaa', 'diagnose', 'heatmap', 'cdr', 'finance', 'report', 'main'],
  },
  notification_targets: { owner: 'notify', readers: ['schedule', 'autoflow', 'webhook', 'main', 'report'] },
  notifications: { owner: 'notify', readers: ['webhook'] },
  org_daily_figures: { owner: 'usage', readers: ['dashboard'] },
  org_sim_counts: { owner: 'sim', readers: ['usage', 'dashboard', 'autoflow'] },
  org_tags: { owner: 'sim', readers: ['autoflow'] },
  org_tariffs: { owner: 'price' },
  org_usage_daily: { owner: 'usage', readers: ['dashboard', 'heatmap', 'cdr', 'finance'] },
  org_usage_hourly: { owner: 'usage', readers: ['dashboard'] },
  org_usage_rank: { owner: 'usage', readers: ['dashboard', 'autoflow'] },
  organisations: {
    owner: 'org',
    readers: [
      'autoflow',
      'identity',
      'task',
      'sim',
      'bundle',
      'price',
      'usage',
      'pool',
      'sms',
      'finance',
      'diagnose',
      'developer',
      'webhook',
      'main',
      'dashboard',
    ],
  },
  org_sms_daily: { owner: 'sms' },
  outbox: { owner: 'platform' },
  outbox_cursors: { owner: 'platform' },
  password_resets: { owner: 'identity' },
  pool_activity: { owner: 'pool' },
  pool_counters: { owner: 'pool', readers: ['report'] },
  pool_cycles: { owner: 'pool', readers: ['report'] },
  pool_events: { owner: 'pool', readers: ['report'] },
  pool_members: { owner: 'pool', readers: ['report', 'main'] },
  pool_terms: { owner: 'pool', readers: ['report'] },
  pool_usage: { owner: 'pool', readers: ['report'] },
  pool_usage_hourly: { owner: 'pool' },
  pools: { owner: 'pool', readers: ['report'] },
  radius_clients: { owner: 'aaa', readers: ['autoflow', 'cdr'] },
  radius_clocks: { owner: 'aaa' },
  radius_refused_packets: { owner: 'aaa' },
  radius_rejects: { owner: 'aaa', readers: ['diagnose'] },
  radius_sessions: { owner: 'aaa', readers: ['diagnose', 'cdr'] },
  radius_unknown_sims: { owner: 'aaa' },
  recovery_codes: { owner: 'identity' },
  report_files: { owner: 'report' },
  report_kinds: { owner: 'report' },
  report_months: { owner: 'report' },
  report_parts: { owner: 'report' },
  report_preferences: { owner: 'report' },
  reports: { owner: 'report' },
  saved_view_orders: { owner: 'sim' },
  saved_views: { owner: 'sim' },
  schedule_runs: { owner: 'schedule', readers: ['main'] },
  schedule_sims: { owner: 'schedule' },
  schedules: { owner: 'schedule', readers: ['main'] },
  schema_migrations: { owner: 'platform' },
  sign_in_failures: { owner: 'identity' },
  sim_events: { owner: 'sim', readers: ['aaa', 'diagnose', 'report'] },
  session_walks: { owner: 'aaa' },
  settlement_terms: { owner: 'finance' },
  sim_identifiers: { owner: 'sim' },
  sim_live: {
    owner: 'sim',
    readers: [
      'bundle',
      'price',
      'usage',
      'pool',
      'aaa',
      'autoflow',
      'finance',
      'dashboard',
      'diagnose',
      'cdr',
      'main',
      'report',
    ],
    columns: [
      // The cycle's counter and its limits: orders, imports and repairs write them with one statement, intake
      // with its own.
      {
        names: [
          'cycle_started_at',
          'cycle_ends_at',
          'used_bytes',
          'limit_bytes',
          'extra_bytes',
          'data_state',
          'rate_kbps',
        ],
        writers: ['bundle', 'aaa'],
      },
      // Whether it is over its own limit, and when that is judged next; not while it uses that of a pool.
      { names: ['threshold_bytes', 'over_limit'], writers: ['bundle', 'aaa', 'pool'] },
      // The usage from which rules are evaluated for the SIM: changes reset it, the end of a cycle moves it.
      { names: ['watch_bytes'], writers: ['usage', 'bundle', 'aaa'] },
      { names: ['watch_version'], writers: ['usage'] },
      // Until when an operation holds its data; it ends early with a cycle that the end of an order cuts short.
      { names: ['held_until'], writers: ['sim', 'bundle'] },
      // The hour that intake still counts; retention closes the rest of a month.
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
      // Whether its records count for shared pools, and what these allow.
      { names: ['pooled', 'pool_stopped_until'], writers: ['pool'] },
      // Increased by changes that affect the decisions of intake.
      { names: ['lifecycle_changes'], writers: ['sim', 'pool', 'usage'] },
      // The cost of the cycle for lists; a transfer clears it.
      { names: ['cost_micros'], writers: ['price', 'sim'] },
      // The network's view of the SIM; a transfer resets it to what the new organisation last saw.
      {
        names: [
          'connection',
          'connection_since',
          'imei',
          'ip',
          'last_seen_at',
          'last_session_at',
          'plmn',
          'radio',
        ],
        writers: ['aaa', 'sim'],
      },
      { names: ['network_rate_kbps'], writers: ['aaa'] },
    ],
  },
  sim_costs: { owner: 'price' },
  sim_live_keys: { owner: 'sim', readers: ['finance', 'usage'] },
  sim_ownerships: { owner: 'sim', readers: ['finance', 'usage'] },
  sims: {
    owner: 'sim',
    readers: [
      'autoflow',
      'bundle',
      'price',
      'usage',
      'pool',
      'sms',
      'aaa',
      'schedule',
      'finance',
      'dashboard',
      'diagnose',
      'cdr',
      'webhook',
      'report',
      'main',
    ],
    columns: [
      // Derived from the SIM's orders, stored with the columns that lists filter and sort by.
      { names: ['bundle_id', 'expires_at', 'pre_activation_over'], writers: ['bundle'] },
      // The device last reported by the network, which lists search; a transfer resets it.
      { names: ['last_imei', 'imei_changed_at'], writers: ['aaa', 'sim'] },
      { names: ['sms_suspended'], writers: ['sms'] },
    ],
  },
  sms_claims: { owner: 'sms' },
  sms_contents: { owner: 'sms' },
  sms_early_receipts: { owner: 'sms' },
  sms_gateway: { owner: 'sms' },
  sms_messages: { owner: 'sms', readers: ['finance', 'report', 'main'] },
  sms_parts: { owner: 'sms' },
  sms_quota_spent: { owner: 'sms' },
  sms_received_parts: { owner: 'sms' },
  sms_seen_receipts: { owner: 'sms' },
  sms_services: { owner: 'sms' },
  sms_texts: { owner: 'sms' },
  sms_unknown_senders: { owner: 'sms' },
  smsc_connections: { owner: 'sms' },
  target_secrets: { owner: 'notify', readers: ['webhook'] },
  tariff_bundle_prices: { owner: 'price' },
  tariff_versions: { owner: 'price' },
  tariff_zone_prices: { owner: 'price' },
  tariffs: { owner: 'price', readers: ['finance'] },
  task_files: { owner: 'task' },
  task_items: { owner: 'task' },
  tasks: { owner: 'task' },
  uploads: { owner: 'sim' },
  unwritten_histories: { owner: 'usage' },
  usage_cycles: {
    owner: 'bundle',
    readers: ['price', 'pool', 'finance', 'usage', 'autoflow', 'cdr', 'report'],
  },
  usage_daily: { owner: 'usage', readers: ['report'] },
  usage_watches: { owner: 'usage' },
  usage_handovers: { owner: 'usage', readers: ['finance'] },
  usage_hourly: { owner: 'usage', readers: ['report'] },
  user_sessions: { owner: 'identity' },
  users: {
    owner: 'identity',
    readers: ['task', 'sim', 'notify', 'schedule', 'autoflow', 'developer', 'webhook', 'main'],
  },
  webhook_events: { owner: 'webhook' },
  webhook_sequences: { owner: 'webhook' },
  webhook_types: { owner: 'webhook' },
  webhooks: { owner: 'webhook' },
  written_histories: { owner: 'usage' },
  zones: { owner: 'price' },

  own_usage_daily: { owner: 'usage' },
  own_usage_hourly: { owner: 'usage' },
  sim_owners: { owner: 'sim', readers: ['cdr', 'diagnose', 'report'] },
  sim_usage_daily: { owner: 'usage' },
  sim_usage_hourly: { owner: 'usage' },
};
