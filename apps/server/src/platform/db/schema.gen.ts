// Made by `npm run generate:types` from the migrated schema; a test compares the two.
import type { ColumnType } from 'kysely';

type Json = ColumnType<unknown, string, string>;
type Timestamp = ColumnType<Date, Date | string, Date | string>;
type Defaulted<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;
type Derived<T> = ColumnType<T, never, never>;

export interface AccessRefusals {
  sim_id: number;
  reason: string;
  told_at: Timestamp;
}

export interface ApiCalls {
  org_id: number;
  user_id: string;
  at: Timestamp;
  trace_id: string;
  key_id: string;
  key_name: string | null;
  address: string;
  method: string;
  path: string;
  http_code: number;
  code: string | null;
  duration_ms: number;
  header: Json;
  body: string | null;
  body_bytes: number;
  response: string | null;
  response_bytes: number;
  endpoint: string | null;
}

export interface ApiKeyNonces {
  key_id: string;
  nonce: string;
  kept_until: Timestamp;
}

export interface ApiKeys {
  id: string;
  org_id: number;
  user_id: string;
  name: string | null;
  public_key: Buffer;
  bits: number;
  rights: Json | null;
  created_at: Timestamp;
  expires_at: Timestamp | null;
  last_used_at: Timestamp | null;
}

export interface AuditEntries {
  org_id: number;
  number: number;
  at: Timestamp;
  action: string;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string;
  subject_kind: string;
  subject_id: string;
  subject_name: string;
  before: Json | null;
  after: Json | null;
  address: string | null;
  trace_id: string | null;
  hash: Buffer;
}

export interface AuditHeads {
  org_id: number;
  number: number;
  hash: Buffer;
}

export interface AutoflowFiringActions {
  firing_id: number;
  position: number;
  kind: string;
  state: Defaulted<number>;
  code: string | null;
  tries: Defaulted<number>;
  ended_at: Timestamp | null;
  task: string | null;
  notification_id: string | null;
  gathered: Defaulted<boolean>;
}

export interface AutoflowFirings {
  id: Defaulted<number>;
  org_id: number;
  rule_id: number;
  version: number;
  sim_id: number;
  key: string;
  happened_at: Timestamp;
  fired_at: Timestamp;
  measured: Json;
  chain: Defaulted<number[]>;
  state: Defaulted<number>;
  kept_until: Timestamp;
}

export interface AutoflowJudgedTimes {
  org_id: number;
  kind: string;
  judged_until: Timestamp;
  ran_at: Timestamp;
  running_since: Timestamp;
}

export interface AutoflowListSims {
  list_id: number;
  sim_id: number;
  imei: Defaulted<string>;
}

export interface AutoflowLists {
  id: Defaulted<number>;
  rule_id: number;
  name: string | null;
  digest: string | null;
  created_at: Timestamp;
}

export interface AutoflowReplayFirings {
  replay_id: number;
  number: number;
  sim_id: number;
  happened_at: Timestamp;
  measured: Json;
}

export interface AutoflowReplays {
  id: Defaulted<number>;
  org_id: number;
  user_id: string;
  rule_id: number | null;
  replayed: Json;
  former: Json | null;
  state: Defaulted<number>;
  asked_at: Timestamp;
  starts_at: Timestamp;
  ends_at: Timestamp;
  sims: Defaulted<number>;
  sims_done: Defaulted<number>;
  records: Defaulted<number>;
  took_ms: number | null;
  tally: Defaulted<Json>;
  former_tally: Json | null;
}

export interface AutoflowRuleDays {
  rule_id: number;
  day: string;
  firings: Defaulted<number>;
  actions: Defaulted<number>;
  failed: Defaulted<number>;
  beyond_bytes: number | null;
}

export interface AutoflowRuleVersions {
  rule_id: number;
  version: number;
  definition: Json;
  created_at: Timestamp;
}

export interface AutoflowRules {
  id: Defaulted<number>;
  org_id: number;
  name: string;
  version: Defaulted<number>;
  kind: string;
  enabled: boolean;
  armed_at: Timestamp | null;
  active_from: Timestamp | null;
  active_until: Timestamp | null;
  owner_id: string | null;
  created_by: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  removed_at: Timestamp | null;
  told_at: Timestamp | null;
}

export interface AutoflowTemplates {
  id: Defaulted<number>;
  org_id: number;
  name: string;
  texts: Json;
  updated_at: Timestamp;
  version: Defaulted<number>;
}

export interface BillCharges {
  bill_id: number;
  line: number;
  sim_id: number;
  cycle_started_at: Timestamp;
  quantity: number;
  bytes: number | null;
  sim_quantity: number | null;
}

export interface BillCheckRuns {
  bill_id: number;
  started_at: Timestamp;
  heard_at: Timestamp;
  sims: number;
  sims_done: Defaulted<number>;
}

export interface BillChecks {
  bill_id: number;
  checked_at: Timestamp;
  lines: number;
  late: number;
  mismatches: Json;
}

export interface BillCycles {
  sim_id: number;
  cycle_started_at: Timestamp;
  org_id: number;
  month_on: string;
  customer_id: number;
  used_bytes: number;
  limit_bytes: number | null;
}

export interface BillEstimates {
  org_id: number;
  month_on: string;
  computed_at: Timestamp;
  estimate: Json;
}

export interface BillLines {
  bill_id: number;
  line: number;
  org_id: number;
  kind: string;
  corrects_on: string | null;
  bundle_code: string | null;
  bundle_name: string | null;
  zone_code: string | null;
  zone_name: string | null;
  pool_id: number | null;
  pool_name: string | null;
  pool_cycle_at: Timestamp | null;
  tariff_version_id: number;
  tariff_code: string;
  tariff_name: string;
  tariff_starts_on: string;
  quantity: number;
  unit: string;
  bytes: number | null;
  price_micros: number;
  amount_minor: number;
}

export interface BillMonths {
  org_id: number;
  month_on: string;
  drafted_at: Timestamp | null;
  published_at: Timestamp | null;
  awaits_tariff: Defaulted<boolean>;
}

export interface BillOffers {
  org_id: number;
  computed_at: Timestamp;
  offers: Json;
}

export interface BillParties {
  bill_id: number;
  org_id: number;
  code: string;
  name: string;
  country: string;
}

export interface BillPayee {
  id: Defaulted<boolean>;
  name: string;
  address: string;
  country: string;
  registration: string;
  iban: string;
  bic: string;
  bank: string;
}

export interface BillPayments {
  id: Defaulted<number>;
  org_id: number;
  serial: number | null;
  currency: string;
  amount_minor: number;
  paid_on: string;
  reference: string;
  recorded_at: Timestamp;
}

export interface BillSims {
  bill_id: number;
  sim_id: number;
  amount_micros: number;
}

export interface Bills {
  id: Defaulted<number>;
  serial: number;
  version: Defaulted<number>;
  org_id: number;
  month_on: string;
  type: string;
  currency: string;
  status: Defaulted<string>;
  total_minor: Defaulted<number>;
  computed_at: Timestamp;
  issued_at: Timestamp | null;
  due_on: string | null;
  paid_on: string | null;
  held_reason: string | null;
  released: Defaulted<boolean>;
  reissue_reason: string | null;
  tariff_id: number | null;
  credit_limit_minor: number | null;
  credit_left_minor: number | null;
  opening_minor: number | null;
  top_up_minor: number | null;
  payee: Json | null;
}

export interface BundleOrders {
  id: Defaulted<number>;
  sim_id: number;
  org_id: number | null;
  bundle_id: number;
  status: string;
  sales_order_id: string | null;
  ordered_at: Defaulted<Timestamp>;
  activated_at: Timestamp | null;
  expires_at: Timestamp | null;
  used_bytes: Defaulted<number>;
  activated_key: Derived<Timestamp>;
  expires_key: Derived<Timestamp>;
  former_org_id: number | null;
}

export interface Bundles {
  id: Defaulted<number>;
  code: string;
  name: string;
  sku: string;
  type: string;
  quota_bytes: number | null;
  overage_policy: string;
  out_of_coverage_policy: Defaulted<string>;
  reset_cycle: string;
  slow_kbps: number | null;
  duration_days: number | null;
  created_at: Defaulted<Timestamp>;
  coverage_countries: Defaulted<string[]>;
  threshold_bytes: number | null;
  stop_after_bytes: number | null;
  orderable: Defaulted<boolean>;
}

export interface CdrCounts {
  org_id: number;
  unit: string;
  level: string;
  starts_at: Timestamp;
  part: number;
  records: number;
  up_bytes: number;
  down_bytes: number;
  sims: number;
  sessions: number;
  sim_set: Buffer;
  session_set: Buffer;
  sim_bits: Buffer | null;
  session_bits: Buffer | null;
}

export interface CdrFileRefusals {
  file_id: number;
  line: number;
  reason: string;
}

export interface CdrFiles {
  id: Defaulted<number>;
  content_hash: Buffer;
  name: string;
  size_bytes: number;
  done_bytes: Defaulted<number>;
  done_lines: Defaulted<number>;
  accepted: Defaulted<number>;
  duplicate: Defaulted<number>;
  refused: Defaulted<number>;
  started_at: Defaulted<Timestamp>;
  finished_at: Timestamp | null;
  run_id: string | null;
  newest_at: Timestamp | null;
}

export interface CdrFirsts {
  org_id: number;
  unit: string;
  level: string;
  starts_at: Timestamp;
  part: number;
  sims: number[];
  sessions: number[];
}

export interface CdrHours {
  org_id: number;
  hour_at: Timestamp;
  records: number;
  computed_at: Timestamp;
  moved: Defaulted<boolean>;
}

export interface CdrSessions {
  org_id: number;
  sim_id: number;
  session_key: number;
  number: number;
}

export interface CdrSimCounts {
  org_id: number;
  unit: string;
  starts_at: Timestamp;
  packed: Buffer;
  ids: Buffer | null;
  places: Buffer | null;
  head: Buffer | null;
  rest_bytes: Defaulted<number>;
  written: number | null;
  map: Buffer | null;
  map_from: Defaulted<number>;
  mapped: number | null;
}

export interface CdrSimHeads {
  org_id: number;
  days: number;
  starts_at: Timestamp;
  head: Buffer;
  rest_bytes: number;
  made_of: number[];
}

export interface CdrTraits {
  id: Defaulted<number>;
  org_id: number;
  plmn: number;
  radio: number;
  source: number;
  apn: string;
  country: string;
}

export interface Cdrs {
  sim_id: number;
  ended_at: Timestamp;
  dedupe_key: number;
  started_at: Timestamp;
  org_id: number;
  plmn: Defaulted<number>;
  up_bytes: number;
  down_bytes: number;
  session_key: number | null;
  radio: Defaulted<number>;
  source: number;
  apn: string | null;
  cell: string | null;
}

export interface Cells {
  cell: string;
  latitude: number;
  longitude: number;
  name: string | null;
  hexagon: number | null;
}

export interface DeadLetteredFacts {
  consumer: string;
  xact: string;
  fact_id: number;
  topic: string;
  payload: Json;
  error: string;
  dead_lettered_at: Defaulted<Timestamp>;
  id: Defaulted<number>;
  org_id: number | null;
  recorded_at: Timestamp;
  attempts: number;
}

export interface DeadLetteredJobs {
  id: number;
  name: string;
  key: string | null;
  queue: string | null;
  payload: Json;
  max_attempts: number;
  attempts: number;
  error: string;
  times: Defaulted<number>;
  queued_at: Timestamp;
  dead_lettered_at: Defaulted<Timestamp>;
  tried_at: Timestamp | null;
}

export interface Deliveries {
  id: Defaulted<number>;
  notification_id: string;
  org_id: number;
  target_id: number | null;
  channel: string;
  lane: number;
  address: string;
  language: string;
  state: Defaulted<number>;
  attempts: Defaulted<number>;
  due_at: Timestamp | null;
  fault: string | null;
  status: number | null;
  created_at: Timestamp;
  resent_at: Timestamp | null;
  attempts_before: Defaulted<number>;
}

export interface DeliveryAttempts {
  delivery_id: number;
  number: number;
  at: Timestamp;
  duration_ms: number | null;
  fault: string | null;
  status: number | null;
}

export interface DeliveryExchanges {
  delivery_id: number;
  number: number;
  at: Timestamp;
  url: string;
  request_headers: Json;
  response_headers: Json | null;
  response_body: string | null;
  response_bytes: number | null;
  response_cut: boolean | null;
}

export interface DeliveryLanes {
  lane: number;
  failures: number;
  failing_since: Timestamp | null;
  next_try_at: Timestamp | null;
  told_at: Timestamp | null;
  failed_at: Timestamp | null;
}

export interface DiagnoseLinks {
  id_hash: Buffer;
  org_id: number;
  sim_id: number;
  report: Json | null;
  expires_at: Timestamp;
  id: Defaulted<number>;
  made_at: Timestamp;
  withdrawn_at: Timestamp | null;
}

export interface DownloadTokens {
  token_hash: Buffer;
  task_id: number;
  format: string;
  expires_at: Timestamp;
  key_id: string | null;
}

export interface FiledSessions {
  sim_id: number;
  session_key: number;
  from_up_bytes: number;
  from_down_bytes: number;
  up_bytes: number;
  down_bytes: number;
  ended_at: Timestamp;
}

export interface HeatmapCells {
  org_id: number;
  month: string;
  plmn: number;
  radio: number;
  cell: string;
  days: number;
}

export interface HeatmapCounts {
  org_id: number;
  day_on: string;
  country: string;
  plmn: number;
  radio: number;
  sims: number;
  sessions: number;
}

export interface HeatmapDays {
  org_id: number;
  day_on: string;
  records: number;
  computed_at: Timestamp;
  took_ms: number;
}

export interface HeatmapHexagons {
  org_id: number;
  resolution: number;
  days: number;
  day_on: string;
  plmn: number;
  radio: number;
  packed: Buffer;
}

export interface IdempotentRequests {
  caller_id: string;
  key: string;
  request_hash: Buffer;
  answer: Json | null;
  created_at: Defaulted<Timestamp>;
  org_id: number | null;
  attempt: string;
  claimed_until: Timestamp;
  done_at: Timestamp | null;
}

export interface Installation {
  key: string;
  value: string;
  set_at: Defaulted<Timestamp>;
}

export interface Invitations {
  id: Defaulted<string>;
  org_id: number;
  email: string;
  first_name: Defaulted<string>;
  last_name: Defaulted<string>;
  locale: string;
  role: string;
  oversight: Defaulted<boolean>;
  token_hash: Buffer;
  status: Defaulted<string>;
  invited_by: string | null;
  password_hash: string | null;
  created_at: Defaulted<Timestamp>;
  expires_at: Timestamp;
  ended_at: Timestamp | null;
}

export interface MailedCodes {
  address_key: Buffer;
  code_hash: Buffer;
  sent_at: Timestamp;
  expires_at: Timestamp;
}

export interface Memberships {
  user_id: string;
  org_id: number;
  role: string;
  is_default: Defaulted<boolean>;
  oversight: Defaulted<boolean>;
  created_at: Defaulted<Timestamp>;
  disabled_at: Timestamp | null;
  permission_changes: Defaulted<Json>;
  permission_name: string | null;
  sessions_ended_at: Timestamp | null;
  by_oversight: Defaulted<boolean>;
}

export interface Networks {
  plmn: number;
  mcc: string;
  mnc: string;
  operator: string | null;
  country: string | null;
}

export interface NotificationTargets {
  id: Defaulted<number>;
  org_id: number;
  kind: string;
  name: string;
  addresses: string[];
  created_at: Defaulted<Timestamp>;
  owner_id: string | null;
  language: Defaulted<string>;
  paused_at: Timestamp | null;
  paused_for: string | null;
  account_id: string | null;
  version: Defaulted<number>;
}

export interface Notifications {
  id: Defaulted<string>;
  org_id: number;
  kind: string;
  fields: Json;
  created_at: Timestamp;
  body: string | null;
  about_kind: string | null;
  about: string | null;
}

export interface OrgDailyFigures {
  org_id: number;
  day_on: string;
  total_sims: number;
  active_sims: number;
  overage_sims: number;
  expiring_sims: number;
}

export interface OrgSimCounts {
  org_id: number;
  lifecycle: number;
  sims: number;
}

export interface OrgSmsDaily {
  org_id: number;
  day_on: string;
  mt: Defaulted<number>;
  mt_parts: Defaulted<number>;
  mo: Defaulted<number>;
}

export interface OrgTags {
  org_id: number;
  tag: string;
  sims: number;
}

export interface OrgTariffs {
  org_id: number;
  starts_on: string;
  tariff_id: number | null;
}

export interface OrgUsageDaily {
  org_id: number;
  day_on: string;
  plmn: number;
  radio: number;
  up_bytes: number;
  down_bytes: number;
  records: number;
}

export interface OrgUsageHourly {
  org_id: number;
  hour_at: Timestamp;
  plmn: number;
  radio: number;
  up_bytes: number;
  down_bytes: number;
  records: number;
}

export interface OrgUsageRank {
  org_id: number;
  position: number;
  sim_id: number;
  used_bytes: number;
  as_of: Timestamp;
}

export interface Organisations {
  id: Defaulted<number>;
  tenant_id: Defaulted<string>;
  code: string;
  name: string;
  country: string;
  parent_id: number | null;
  logo: string | null;
  created_at: Defaulted<Timestamp>;
  settlement: Defaulted<boolean>;
  sms_quota_kind: Defaulted<string>;
  sms_quota_messages: number | null;
  seat_limit: number | null;
  sub_organisation_limit: number | null;
  two_factor_required: Defaulted<boolean>;
  session_idle_hours: Defaulted<number>;
  session_hours: Defaulted<number>;
  allowed_networks: Defaulted<string[]>;
  grace_days: number | null;
}

export interface Outbox {
  xact: Defaulted<string>;
  id: Defaulted<number>;
  topic: string;
  org_id: number | null;
  payload: Json;
  created_at: Defaulted<Timestamp>;
}

export interface OutboxCursors {
  consumer: string;
  xact: string;
  id: number;
  attempts: Defaulted<number>;
  retry_at: Timestamp | null;
  last_error: string | null;
  seen_at: Defaulted<Timestamp>;
}

export interface PasswordResets {
  token_hash: Buffer;
  user_id: string;
  created_at: Defaulted<Timestamp>;
  expires_at: Timestamp;
  used_at: Timestamp | null;
}

export interface PoolActivity {
  id: Defaulted<number>;
  pool_id: number;
  sim_id: number;
  at: Timestamp;
  kind: string;
  actor: string | null;
  task: string | null;
}

export interface PoolCounters {
  pool_id: number;
  cycle_started_at: Timestamp;
  shard: number;
  used_bytes: number;
  wake_bytes: number | null;
  crossed: boolean;
  stops: Defaulted<boolean>;
}

export interface PoolCycles {
  pool_id: number;
  started_at: Timestamp;
  ends_at: Timestamp;
  launched_at: Timestamp | null;
  over_at: Timestamp | null;
  policy: string | null;
}

export interface PoolEvents {
  id: Defaulted<number>;
  pool_id: number;
  at: Timestamp;
  kind: string;
  limit_before_bytes: number;
  limit_after_bytes: number;
  used_bytes: number;
  sims: number;
  actor: string | null;
  task: string | null;
  facts: Json;
}

export interface PoolMembers {
  id: Defaulted<number>;
  pool_id: number;
  sim_id: number;
  enrolled_at: Timestamp;
  activated_at: Timestamp | null;
  left_at: Timestamp | null;
}

export interface PoolTerms {
  id: Defaulted<number>;
  pool_id: number;
  sim_id: number | null;
  kind: string;
  bytes: number;
  from_at: Timestamp;
  until_at: Timestamp | null;
  created_at: Timestamp;
}

export interface PoolUsage {
  pool_id: number;
  cycle_started_at: Timestamp;
  sim_id: number;
  used_bytes: number;
}

export interface PoolUsageHourly {
  pool_id: number;
  hour_at: Timestamp;
  shard: number;
  up_bytes: number;
  down_bytes: number;
  records: number;
}

export interface Pools {
  id: Defaulted<number>;
  org_id: number;
  bundle_id: number;
  name: string;
  policy: string;
  opt_in: string;
  activation_rule: string;
  created_at: Timestamp;
  former_names: Defaulted<string[]>;
  automatic_since: Timestamp | null;
}

export interface RadiusClients {
  id: Defaulted<number>;
  name: string;
  network: string;
  sealed_secret: Buffer;
  require_message_authenticator: Defaulted<boolean>;
  coa_host: string | null;
  coa_port: Defaulted<number>;
  rate_attribute: Defaulted<string>;
  interim_seconds: Defaulted<number>;
  created_at: Defaulted<Timestamp>;
}

export interface RadiusClocks {
  gateway: string;
  nas: string;
  lag_ms: number;
  measured_at: Timestamp;
}

export interface RadiusRefusedPackets {
  address: string;
  reason: string;
  packets: number;
  first_at: Timestamp;
  last_at: Timestamp;
}

export interface RadiusRejects {
  id: Defaulted<number>;
  at: Defaulted<Timestamp>;
  client_id: number | null;
  sim_id: number | null;
  identity: string | null;
  reason: string;
}

export interface RadiusSessions {
  sim_id: number;
  session_key: number;
  org_id: number;
  client_id: number;
  nas: string;
  gateway_address: string;
  acct_session_id: string;
  started_at: Timestamp;
  updated_at: Timestamp;
  stopped_at: Timestamp | null;
  terminate_cause: string | null;
  up_bytes: number;
  down_bytes: number;
  updates: Defaulted<number>;
  reused_at: Timestamp | null;
  ip: string | null;
  apn: string | null;
  plmn: number | null;
  radio: number | null;
  imei: string | null;
  cell: string | null;
}

export interface RadiusUnknownSims {
  identity: string;
  gateway: string;
  reason: string;
  packets: number;
  first_at: Timestamp;
  last_at: Timestamp;
}

export interface RecoveryCodes {
  user_id: string;
  code_hash: Buffer;
  used_at: Timestamp | null;
}

export interface ReportFiles {
  report_id: number;
  format: string;
  bytes: number;
}

export interface ReportKinds {
  org_id: number;
  kind: string;
  since: Timestamp;
}

export interface ReportMonths {
  org_id: number;
  month_on: string;
  announced_at: Timestamp;
}

export interface ReportParts {
  report_id: number;
  format: string;
  part: number;
  content: Buffer;
}

export interface ReportPreferences {
  org_id: number;
  formats: string[];
  language: string;
  time_zone: string;
  notify: number[];
  changed_at: Timestamp;
}

export interface Reports {
  id: Defaulted<number>;
  org_id: number;
  month_on: string;
  kind: string;
  language: string;
  time_zone: string;
  made_at: Timestamp | null;
  rows: Defaulted<number>;
  figures: Defaulted<Json>;
  series: Defaulted<Json>;
  preview: Defaulted<Json>;
}

export interface SavedViewOrders {
  org_id: number;
  user_id: string;
  view_ids: number[];
}

export interface SavedViews {
  id: Defaulted<number>;
  org_id: number;
  user_id: string | null;
  name: string;
  filter: Json;
  created_at: Defaulted<Timestamp>;
  sort: string | null;
  shared_at: Timestamp | null;
  updated_at: Timestamp;
}

export interface ScheduleRuns {
  schedule_id: number;
  run_at: Timestamp;
  org_id: number;
  state: string;
  code: string | null;
  started_at: Timestamp | null;
  task: string | null;
  quantity: number;
  settled_at: Timestamp | null;
}

export interface ScheduleSims {
  id: Defaulted<number>;
  schedule_id: number;
  sim_id: number;
  iccid: string;
}

export interface Schedules {
  id: Defaulted<number>;
  org_id: number;
  name: string;
  content: string;
  timing: Json;
  time_zone: string;
  group_id: number | null;
  only_failures: boolean;
  enabled: boolean;
  next_run_at: Timestamp | null;
  owner_id: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  version: Defaulted<number>;
}

export interface SchemaMigrations {
  name: string;
  checksum: string;
  applied_at: Defaulted<Timestamp>;
}

export interface SessionWalks {
  before: Timestamp;
  page: Defaulted<number>;
  finished_at: Timestamp | null;
}

export interface SettlementTerms {
  org_id: number;
  terms: string;
  credit_limit_minor: number | null;
  credit_currency: string | null;
}

export interface SignInFailures {
  address_key: Buffer;
  failures: number;
  last_failed_at: Timestamp;
  locked_until: Timestamp | null;
  kind: Defaulted<string>;
  began_at: Defaulted<Timestamp>;
}

export interface SimCosts {
  sim_id: number;
  org_id: number;
  cycle_started_at: Timestamp | null;
  limit_bytes: number | null;
  extra_bytes: number;
  used_bytes: number;
  stands_to_bytes: number | null;
  currency: string | null;
}

export interface SimEvents {
  sim_id: number;
  at: Timestamp;
  id: Defaulted<number>;
  org_id: number;
  kind: string;
  facts: Defaulted<Json>;
  actor: string | null;
  task_id: string | null;
  trace_id: string | null;
}

export interface SimIdentifiers {
  sim_id: number;
  kind: number;
  value: string;
}

export interface SimLive {
  sim_id: number;
  org_id: number;
  connection: Defaulted<number>;
  connection_since: Timestamp | null;
  last_seen_at: Timestamp | null;
  last_session_at: Timestamp | null;
  ip: string | null;
  plmn: number | null;
  radio: number | null;
  imei: string | null;
  cycle_started_at: Timestamp | null;
  cycle_ends_at: Timestamp | null;
  used_bytes: Defaulted<number>;
  limit_bytes: number | null;
  threshold_bytes: number | null;
  over_limit: Defaulted<boolean>;
  data_state: Defaulted<number>;
  rate_kbps: number | null;
  usage_percent: Derived<number | null>;
  extra_bytes: Defaulted<number>;
  open_hour_at: Timestamp | null;
  open_plmn: number | null;
  open_radio: number | null;
  open_up_bytes: number | null;
  open_down_bytes: number | null;
  open_records: number | null;
  lifecycle_changes: Defaulted<number>;
  network_rate_kbps: number | null;
  last_session_key: Derived<Timestamp>;
  usage_step: Derived<number>;
  settled_bytes: Derived<number>;
  pooled: Defaulted<boolean>;
  pool_stopped_until: Timestamp | null;
  cost_micros: Defaulted<number>;
  watch_bytes: number | null;
  watch_version: Defaulted<number>;
  held_until: Timestamp | null;
  held_kbps: number | null;
  silent_since: Derived<Timestamp | null>;
}

export interface SimLiveKeys {
  sim_id: number;
  org_id: number;
  cost_micros: number;
  cycle_ends_at: Timestamp | null;
  stopped_until: Defaulted<Timestamp>;
  slowed_until: Defaulted<Timestamp>;
}

export interface SimOwnerships {
  sim_id: number;
  number: number;
  org_id: number;
  since: Timestamp;
  until: Timestamp;
}

export interface Sims {
  id: Defaulted<number>;
  org_id: number;
  iccid: string;
  imsi: string;
  msisdn: string | null;
  last_imei: string | null;
  device_name: string | null;
  notes: string | null;
  tags: Defaulted<string[]>;
  delivery_note_number: string | null;
  shipment_on: string | null;
  chip_grade: string | null;
  technology: string | null;
  lifecycle: Defaulted<number>;
  lifecycle_changed_at: Defaulted<Timestamp>;
  pre_activation_ends_at: Timestamp | null;
  activated_at: Timestamp | null;
  expires_at: Timestamp | null;
  apn: string | null;
  fixed_ip: string | null;
  bundle_id: number | null;
  created_at: Defaulted<Timestamp>;
  activated_key: Derived<Timestamp>;
  expires_key: Derived<Timestamp>;
  search_text: Derived<string>;
  imei_changed_at: Timestamp | null;
  pre_activation_over: Defaulted<boolean>;
  filled: Derived<number>;
  name_key: Derived<string>;
  ownership: Defaulted<number>;
  owned_since: Timestamp | null;
  sms_suspended: Defaulted<boolean>;
}

export interface SmsClaims {
  id: Defaulted<number>;
  part_ids: number[];
}

export interface SmsContents {
  org_id: number;
  at: Timestamp;
  id: Defaulted<number>;
  mobile_originated: boolean;
  scheduled: Defaulted<boolean>;
  content: string;
}

export interface SmsEarlyReceipts {
  id: Defaulted<number>;
  received_at: Timestamp;
  keys: string[];
  address: string;
  receipt: Json;
}

export interface SmsGateway {
  only_one: Defaulted<boolean>;
  epoch: number;
}

export interface SmsMessages {
  sim_id: number;
  at: Timestamp;
  id: Defaulted<number>;
  org_id: number;
  mobile_originated: boolean;
  scheduled: Defaulted<boolean>;
  status: number;
  reason: string | null;
  network_code: string | null;
  msisdn: string;
  address: string | null;
  content: string;
  encoding: number;
  parts: number;
  missing_parts: Defaulted<number>;
  sent_parts: Defaulted<number>;
  delivered_parts: Defaulted<number>;
  sent_at: Timestamp | null;
  settled_at: Timestamp | null;
  reply_to_at: Timestamp | null;
  reply_to_id: number | null;
  task: string | null;
  sent_by: string | null;
  charged_org_ids: Defaulted<number[]>;
  unsent_parts: number | null;
}

export interface SmsParts {
  id: Defaulted<number>;
  sim_id: number | null;
  message_at: Timestamp;
  message_id: number;
  part: number;
  state: Defaulted<number>;
  destination: string;
  smsc_id: string | null;
  smsc_key: string | null;
  submitted_at: Timestamp | null;
}

export interface SmsQuotaSpent {
  org_id: number;
  month_on: string;
  parts: number;
}

export interface SmsReceivedParts {
  source: string;
  destination: string;
  origin: string;
  reference: number;
  total: number;
  part: number;
  data_coding: number;
  octets: Buffer;
  received_at: Timestamp;
  state: Defaulted<number>;
}

export interface SmsSeenReceipts {
  id: Defaulted<number>;
  seen_at: Timestamp;
  names: string[];
}

export interface SmsServices {
  org_id: number;
  can_send: boolean;
  can_receive: boolean;
  sender: string | null;
  forward_to: Defaulted<number[]>;
}

export interface SmsTexts {
  id: number;
  at: Timestamp;
  org_id: number;
  reference: string;
  phone: string;
  address: string | null;
  content: string;
  parts: number;
  delivered_parts: Defaulted<number>;
  failed_at: Timestamp | null;
  charged_org_ids: number[];
}

export interface SmsUnknownSenders {
  address: string;
  messages: number;
  first_at: Timestamp;
  last_at: Timestamp;
}

export interface SmscConnections {
  id: Defaulted<number>;
  name: string;
  host: string;
  port: number;
  tls: boolean;
  bind: string;
  system_id: string;
  sealed_password: Buffer;
  system_type: string;
  sender: string | null;
  priority: number;
  window_size: number;
  rate_per_second: number | null;
  state: Defaulted<string>;
  state_at: Timestamp | null;
  state_error: string | null;
  default_alphabet: Defaulted<string>;
  service_type: Defaulted<string>;
  source_ton: number | null;
  source_npi: number | null;
  alphanumeric_ton: number | null;
  alphanumeric_npi: number | null;
  destination_ton: number | null;
  destination_npi: number | null;
  address_range: Defaulted<string>;
  address_range_ton: Defaulted<number>;
  address_range_npi: Defaulted<number>;
}

export interface TargetSecrets {
  id: Defaulted<number>;
  target_id: number;
  sealed: Buffer;
  created_at: Timestamp;
  expires_at: Timestamp | null;
}

export interface TariffBundlePrices {
  version_id: number;
  bundle_id: number;
  activation_micros: Defaulted<number>;
  cycle_micros: Defaulted<number>;
  over_micros: Defaulted<number>;
}

export interface TariffVersions {
  id: Defaulted<number>;
  tariff_id: number;
  starts_on: string;
  sms_mt_micros: Defaulted<number>;
  sms_mo_micros: Defaulted<number>;
  pool_cycle_micros: Defaulted<number>;
  pool_over_micros: Defaulted<number>;
}

export interface TariffZonePrices {
  version_id: number;
  zone_id: number;
  countries: string[];
  usage_micros: number;
}

export interface Tariffs {
  id: Defaulted<number>;
  code: string;
  name: string;
  currency: string;
}

export interface TaskFiles {
  task_id: number;
  part: number;
  content: Buffer;
}

export interface TaskItems {
  task_id: number;
  position: number;
  ref: number | null;
  label: string;
  state: Defaulted<number>;
  code: string | null;
  input: Json | null;
  faults: Json | null;
  kind: string;
  before: Json | null;
}

export interface Tasks {
  id: Defaulted<number>;
  org_id: number;
  user_id: string;
  type: string;
  quantity: number;
  done: Defaulted<number>;
  remark: string | null;
  status: Defaulted<string>;
  result: Json | null;
  started_at: Timestamp;
  moved_at: Timestamp;
  ended_at: Timestamp | null;
  parameters: Defaulted<Json>;
  actor: string | null;
  trace_id: string | null;
  failures: Defaulted<number>;
  report_name: string | null;
  report_bytes: number | null;
  undoable: Defaulted<number>;
  undoes: number | null;
  key_id: string | null;
  access: Json | null;
}

export interface UnwrittenHistories {
  id: Defaulted<number>;
  recorded_at: Defaulted<Timestamp>;
  sim_ids: number[];
  content: Buffer;
}

export interface Uploads {
  id: Defaulted<string>;
  org_id: number;
  user_id: string;
  kind: string;
  name: string;
  rows: Json;
  facts: Defaulted<Json>;
  created_at: Defaulted<Timestamp>;
  expires_at: Timestamp;
}

export interface UsageCycles {
  sim_id: number;
  cycle_started_at: Timestamp;
  cycle_ends_at: Timestamp;
  used_bytes: number;
  limit_bytes: number | null;
}

export interface UsageDaily {
  sim_id: number;
  day_on: string;
  plmn: number;
  radio: number;
  up_bytes: number;
  down_bytes: number;
  records: number;
}

export interface UsageHandovers {
  sim_id: number;
  number: number;
  unit: string;
  starts_at: Timestamp;
  plmn: number;
  radio: number;
  up_bytes: number;
  down_bytes: number;
}

export interface UsageHourly {
  sim_id: number;
  hour_at: Timestamp;
  plmn: number;
  radio: number;
  up_bytes: number;
  down_bytes: number;
  records: number;
}

export interface UsageWatches {
  org_id: number;
  version: number;
  daily: Defaulted<boolean>;
}

export interface UserSessions {
  id: Defaulted<string>;
  user_id: string;
  token_hash: Buffer;
  created_at: Defaulted<Timestamp>;
  last_used_at: Defaulted<Timestamp>;
  ended_at: Timestamp | null;
  end_reason: string | null;
  address: string | null;
  user_agent: string | null;
}

export interface Users {
  id: Defaulted<string>;
  email: string;
  first_name: string;
  last_name: string;
  password_hash: string;
  locale: Defaulted<string>;
  sign_in_count: Defaulted<number>;
  last_sign_in_at: Timestamp | null;
  disabled_at: Timestamp | null;
  created_at: Defaulted<Timestamp>;
  totp_secret: Buffer | null;
  totp_enabled_at: Timestamp | null;
  totp_last_step: number | null;
}

export interface WebhookEvents {
  org_id: number;
  sequence: number;
  recorded_at: Timestamp;
  id: string;
  type: string;
  account_id: string | null;
  body: string;
}

export interface WebhookSequences {
  org_id: number;
  last: number;
}

export interface WebhookTypes {
  target_id: number;
  type: string;
  since: Timestamp;
}

export interface Webhooks {
  target_id: number;
  enabled_at: Timestamp | null;
}

export interface WrittenHistories {
  sim_id: number;
  history_id: number;
  written_at: Defaulted<Timestamp>;
}

export interface Zones {
  id: Defaulted<number>;
  code: string;
  name: string;
  is_default: Defaulted<boolean>;
  countries: Defaulted<string[]>;
}

export interface DB {
  access_refusals: AccessRefusals;
  api_calls: ApiCalls;
  api_key_nonces: ApiKeyNonces;
  api_keys: ApiKeys;
  audit_entries: AuditEntries;
  audit_heads: AuditHeads;
  autoflow_firing_actions: AutoflowFiringActions;
  autoflow_firings: AutoflowFirings;
  autoflow_judged_times: AutoflowJudgedTimes;
  autoflow_list_sims: AutoflowListSims;
  autoflow_lists: AutoflowLists;
  autoflow_replay_firings: AutoflowReplayFirings;
  autoflow_replays: AutoflowReplays;
  autoflow_rule_days: AutoflowRuleDays;
  autoflow_rule_versions: AutoflowRuleVersions;
  autoflow_rules: AutoflowRules;
  autoflow_templates: AutoflowTemplates;
  bill_charges: BillCharges;
  bill_check_runs: BillCheckRuns;
  bill_checks: BillChecks;
  bill_cycles: BillCycles;
  bill_estimates: BillEstimates;
  bill_lines: BillLines;
  bill_months: BillMonths;
  bill_offers: BillOffers;
  bill_parties: BillParties;
  bill_payee: BillPayee;
  bill_payments: BillPayments;
  bill_sims: BillSims;
  bills: Bills;
  bundle_orders: BundleOrders;
  bundles: Bundles;
  cdr_counts: CdrCounts;
  cdr_file_refusals: CdrFileRefusals;
  cdr_files: CdrFiles;
  cdr_firsts: CdrFirsts;
  cdr_hours: CdrHours;
  cdr_sessions: CdrSessions;
  cdr_sim_counts: CdrSimCounts;
  cdr_sim_heads: CdrSimHeads;
  cdr_traits: CdrTraits;
  cdrs: Cdrs;
  cells: Cells;
  dead_lettered_facts: DeadLetteredFacts;
  dead_lettered_jobs: DeadLetteredJobs;
  deliveries: Deliveries;
  delivery_attempts: DeliveryAttempts;
  delivery_exchanges: DeliveryExchanges;
  delivery_lanes: DeliveryLanes;
  diagnose_links: DiagnoseLinks;
  download_tokens: DownloadTokens;
  filed_sessions: FiledSessions;
  heatmap_cells: HeatmapCells;
  heatmap_counts: HeatmapCounts;
  heatmap_days: HeatmapDays;
  heatmap_hexagons: HeatmapHexagons;
  idempotent_requests: IdempotentRequests;
  installation: Installation;
  invitations: Invitations;
  mailed_codes: MailedCodes;
  memberships: Memberships;
  networks: Networks;
  notification_targets: NotificationTargets;
  notifications: Notifications;
  org_daily_figures: OrgDailyFigures;
  org_sim_counts: OrgSimCounts;
  org_sms_daily: OrgSmsDaily;
  org_tags: OrgTags;
  org_tariffs: OrgTariffs;
  org_usage_daily: OrgUsageDaily;
  org_usage_hourly: OrgUsageHourly;
  org_usage_rank: OrgUsageRank;
  organisations: Organisations;
  outbox: Outbox;
  outbox_cursors: OutboxCursors;
  password_resets: PasswordResets;
  pool_activity: PoolActivity;
  pool_counters: PoolCounters;
  pool_cycles: PoolCycles;
  pool_events: PoolEvents;
  pool_members: PoolMembers;
  pool_terms: PoolTerms;
  pool_usage: PoolUsage;
  pool_usage_hourly: PoolUsageHourly;
  pools: Pools;
  radius_clients: RadiusClients;
  radius_clocks: RadiusClocks;
  radius_refused_packets: RadiusRefusedPackets;
  radius_rejects: RadiusRejects;
  radius_sessions: RadiusSessions;
  radius_unknown_sims: RadiusUnknownSims;
  recovery_codes: RecoveryCodes;
  report_files: ReportFiles;
  report_kinds: ReportKinds;
  report_months: ReportMonths;
  report_parts: ReportParts;
  report_preferences: ReportPreferences;
  reports: Reports;
  saved_view_orders: SavedViewOrders;
  saved_views: SavedViews;
  schedule_runs: ScheduleRuns;
  schedule_sims: ScheduleSims;
  schedules: Schedules;
  schema_migrations: SchemaMigrations;
  session_walks: SessionWalks;
  settlement_terms: SettlementTerms;
  sign_in_failures: SignInFailures;
  sim_costs: SimCosts;
  sim_events: SimEvents;
  sim_identifiers: SimIdentifiers;
  sim_live: SimLive;
  sim_live_keys: SimLiveKeys;
  sim_ownerships: SimOwnerships;
  sims: Sims;
  sms_claims: SmsClaims;
  sms_contents: SmsContents;
  sms_early_receipts: SmsEarlyReceipts;
  sms_gateway: SmsGateway;
  sms_messages: SmsMessages;
  sms_parts: SmsParts;
  sms_quota_spent: SmsQuotaSpent;
  sms_received_parts: SmsReceivedParts;
  sms_seen_receipts: SmsSeenReceipts;
  sms_services: SmsServices;
  sms_texts: SmsTexts;
  sms_unknown_senders: SmsUnknownSenders;
  smsc_connections: SmscConnections;
  target_secrets: TargetSecrets;
  tariff_bundle_prices: TariffBundlePrices;
  tariff_versions: TariffVersions;
  tariff_zone_prices: TariffZonePrices;
  tariffs: Tariffs;
  task_files: TaskFiles;
  task_items: TaskItems;
  tasks: Tasks;
  unwritten_histories: UnwrittenHistories;
  uploads: Uploads;
  usage_cycles: UsageCycles;
  usage_daily: UsageDaily;
  usage_handovers: UsageHandovers;
  usage_hourly: UsageHourly;
  usage_watches: UsageWatches;
  user_sessions: UserSessions;
  users: Users;
  webhook_events: WebhookEvents;
  webhook_sequences: WebhookSequences;
  webhook_types: WebhookTypes;
  webhooks: Webhooks;
  written_histories: WrittenHistories;
  zones: Zones;
}
