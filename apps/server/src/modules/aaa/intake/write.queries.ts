import { hourMs } from '@simcube/contract/time';
import type pg from 'pg';
import {
  booleanColumn,
  int2Column,
  int4Column,
  int8Column,
  rowsOf,
  textColumn,
  timestampColumn,
} from '../../../platform/db/index.ts';
import type { Changes, SessionChange, SimChange } from './changes.ts';

type Client = Pick<pg.ClientBase, 'query'>;
type Work = Promise<unknown>;

/*
 * Every statement names the versions of the rows that it replaces and fails the transaction if one no longer exists
 * (expect_rows): several AAA processes may work on the same SIMs, and no row is locked between read and write. Rows
 * are sorted by SIM, so that batches can't deadlock.
 */

const counterColumns = {
  sim_id: 'bigint',
  session_key: 'bigint',
  base: 'integer',
  updated_at: 'timestamptz',
  up: 'bigint',
  down: 'bigint',
  stopped_at: 'timestamptz',
  cause: 'text',
} as const;

const wholeColumns = {
  ...counterColumns,
  started_at: 'timestamptz',
  reused_at: 'timestamptz',
  ip: 'text',
  apn: 'text',
  plmn: 'integer',
  radio: 'smallint',
  imei: 'text',
  cell: 'text',
  client_id: 'bigint',
  address: 'text',
  org_id: 'bigint',
} as const;

const updateCounters = `
  with moved as (
    update radius_sessions s set updates = v.base + 1, updated_at = v.updated_at, up_bytes = v.up,
      down_bytes = v.down, stopped_at = v.stopped_at, terminate_cause = v.cause
    from ${rowsOf(counterColumns)} as v
    where s.sim_id = v.sim_id and s.session_key = v.session_key and s.updates = v.base
    returning 1)
  select expect_rows('sessions', (select count(*) from moved), cardinality($1))`;

const updateWholeSessions = `
  with moved as (
    update radius_sessions s set updates = v.base + 1, updated_at = v.updated_at, up_bytes = v.up,
      down_bytes = v.down, stopped_at = v.stopped_at, terminate_cause = v.cause, started_at = v.started_at,
      reused_at = v.reused_at, ip = v.ip::inet, apn = v.apn, plmn = v.plmn, radio = v.radio, imei = v.imei,
      cell = v.cell, client_id = v.client_id, gateway_address = v.address::inet, org_id = v.org_id
    from ${rowsOf(wholeColumns)} as v
    where s.sim_id = v.sim_id and s.session_key = v.session_key and s.updates = v.base
    returning 1)
  select expect_rows('sessions', (select count(*) from moved), cardinality($1))`;

/** A session that another process inserted first fails by its key; the batch is then decided again. */
const insertSessions = `
  insert into radius_sessions (sim_id, session_key, updates, updated_at, up_bytes, down_bytes, stopped_at,
    terminate_cause, started_at, reused_at, ip, apn, plmn, radio, imei, cell, client_id, gateway_address, org_id, nas,
    acct_session_id)
  select v.sim_id, v.session_key, v.base, v.updated_at, v.up, v.down, v.stopped_at, v.cause, v.started_at,
    v.reused_at, v.ip::inet, v.apn, v.plmn, v.radio, v.imei, v.cell, v.client_id, v.address::inet, v.org_id, v.nas, v.id
  from ${rowsOf({ ...wholeColumns, nas: 'text', id: 'text' })} as v`;

const counterValues = (rows: SessionChange[]) => [
  int8Column(rows, (row) => row.sim.simId),
  int8Column(rows, (row) => row.session.key),
  int4Column(rows, (row) => row.base),
  timestampColumn(rows, (row) => row.session.updatedAt),
  int8Column(rows, (row) => row.session.up),
  int8Column(rows, (row) => row.session.down),
  timestampColumn(rows, (row) => row.session.stoppedAt),
  textColumn(rows, (row) => row.session.cause),
];

const wholeValues = (rows: SessionChange[]) => [
  ...counterValues(rows),
  timestampColumn(rows, (row) => row.session.startedAt),
  timestampColumn(rows, (row) => row.session.reusedAt),
  textColumn(rows, (row) => row.session.ip),
  textColumn(rows, (row) => row.session.apn),
  int4Column(rows, (row) => row.session.plmn),
  int2Column(rows, (row) => row.session.radio),
  textColumn(rows, (row) => row.session.imei),
  textColumn(rows, (row) => row.session.cell),
  int8Column(rows, (row) => row.session.clientId),
  textColumn(rows, (row) => row.session.gatewayAddress),
  int8Column(rows, (row) => row.session.orgId),
];

export const writeSessions = (client: Client, changes: Changes): Work[] => {
  const rows = [...changes.sessions.values()].sort(bySimAndKey);
  const added = rows.filter((row) => row.isNew);
  const whole = rows.filter((row) => !row.isNew && row.isFullWrite);
  const moved = rows.filter((row) => !row.isNew && !row.isFullWrite);
  const work: Work[] = [];
  if (added.length > 0) {
    const values = [
      ...wholeValues(added),
      textColumn(added, (row) => row.session.nas),
      textColumn(added, (row) => row.session.id),
    ];
    work.push(client.query({ name: 'aaa-insert-sessions', text: insertSessions, values }));
  }
  if (whole.length > 0)
    work.push(
      client.query({ name: 'aaa-rewrite-sessions', text: updateWholeSessions, values: wholeValues(whole) }),
    );
  if (moved.length > 0)
    work.push(
      client.query({ name: 'aaa-move-sessions', text: updateCounters, values: counterValues(moved) }),
    );
  return work;
};

const bySimAndKey = (a: SessionChange, b: SessionChange): number =>
  a.sim.simId - b.sim.simId || a.session.key - b.session.key;

const rowUnchanged = `
  l.sim_id = v.sim_id and l.used_bytes = v.base_used and l.org_id = v.org_id and l.connection = v.connection
  and l.lifecycle_changes = v.lifecycle_changes
  and l.cycle_ends_at is not distinct from v.cycle_ends_at
  and l.threshold_bytes is not distinct from v.threshold_bytes
  and l.watch_bytes is not distinct from v.watch_bytes`;

const setSeen = `
  connection = v.now_connection,
  connection_since = case when v.now_connection = v.connection then l.connection_since else v.seen_at end,
  last_seen_at = v.seen_at, used_bytes = v.used, open_hour_at = v.hour_at, open_plmn = v.hour_plmn,
  open_radio = v.hour_radio, open_up_bytes = v.hour_up, open_down_bytes = v.hour_down, open_records = v.hour_records`;

const seenColumns = {
  sim_id: 'bigint',
  base_used: 'bigint',
  org_id: 'bigint',
  connection: 'smallint',
  cycle_ends_at: 'timestamptz',
  threshold_bytes: 'bigint',
  watch_bytes: 'bigint',
  lifecycle_changes: 'integer',
  seen_at: 'timestamptz',
  used: 'bigint',
  hour_at: 'timestamptz',
  hour_plmn: 'integer',
  hour_radio: 'smallint',
  hour_up: 'bigint',
  hour_down: 'bigint',
  hour_records: 'integer',
  now_connection: 'smallint',
} as const;

const movedColumns = {
  ...seenColumns,
  session_at: 'timestamptz',
  ip: 'text',
  plmn: 'integer',
  radio: 'smallint',
  imei: 'text',
} as const;

const ratedColumns = {
  sim_id: 'bigint',
  cycle_started_at: 'timestamptz',
  cycle_ends_at: 'timestamptz',
  threshold_bytes: 'bigint',
  watch_bytes: 'bigint',
  over_limit: 'boolean',
  data_state: 'smallint',
  rate_kbps: 'integer',
  base_limit: 'bigint',
  base_extra: 'bigint',
  now_limit: 'bigint',
  now_extra: 'bigint',
} as const;

const updateSeenSims = `
  with seen as (
    update sim_live l set ${setSeen}
    from ${rowsOf(seenColumns)} as v
    where ${rowUnchanged}
    returning 1)
  select expect_rows('SIMs', (select count(*) from seen), cardinality($1))`;

const updateMovedSims = `
  with seen as (
    update sim_live l set ${setSeen}, last_session_at = v.session_at, ip = v.ip::inet, plmn = v.plmn,
      radio = v.radio, imei = v.imei
    from ${rowsOf(movedColumns)} as v
    where ${rowUnchanged}
    returning 1)
  select expect_rows('SIMs', (select count(*) from seen), cardinality($1))`;

/**
 * Runs only after one of the two statements above has verified that the row is as it was read; this verifies the
 * columns they omit.
 */
const updateRatedSims = `
  with rated as (
    update sim_live l set cycle_started_at = v.cycle_started_at, cycle_ends_at = v.cycle_ends_at,
      threshold_bytes = v.threshold_bytes, watch_bytes = v.watch_bytes, over_limit = v.over_limit, data_state = v.data_state,
      rate_kbps = v.rate_kbps, limit_bytes = v.now_limit, extra_bytes = v.now_extra
    from ${rowsOf(ratedColumns)} as v
    where l.sim_id = v.sim_id and l.limit_bytes is not distinct from v.base_limit and l.extra_bytes = v.base_extra
    returning 1)
  select expect_rows('limits', (select count(*) from rated), cardinality($1))`;

const seenValues = (rows: SimChange[]) => [
  int8Column(rows, (row) => row.sim.simId),
  int8Column(rows, (row) => row.baseUsed),
  int8Column(rows, (row) => row.baseOrgId),
  int2Column(rows, (row) => row.baseConnection),
  timestampColumn(rows, (row) => row.baseCycleEndsAt),
  int8Column(rows, (row) => row.baseThreshold),
  int8Column(rows, (row) => row.baseWatch),
  int4Column(rows, (row) => row.sim.lifecycleChanges),
  timestampColumn(rows, (row) => row.sim.lastSeenAt),
  int8Column(rows, (row) => row.sim.used),
  timestampColumn(rows, ({ sim }) => sim.openHour && sim.openHour.hour * hourMs),
  int4Column(rows, ({ sim }) => sim.openHour?.plmn ?? null),
  int2Column(rows, ({ sim }) => sim.openHour?.radio ?? null),
  int8Column(rows, ({ sim }) => sim.openHour?.up ?? null),
  int8Column(rows, ({ sim }) => sim.openHour?.down ?? null),
  int4Column(rows, ({ sim }) => sim.openHour?.records ?? null),
  int2Column(rows, (row) => row.sim.connection),
];

/** SIMs in the order of their ids. */
export const writeSims = (client: Client, sims: SimChange[]): Work[] => {
  const moved = sims.filter((row) => row.attachmentChanged);
  const seenOnly = sims.filter((row) => !row.attachmentChanged);
  const rated = sims.filter((row) => row.ratingChanged);
  const work: Work[] = [];
  if (moved.length > 0) {
    const values = [
      ...seenValues(moved),
      timestampColumn(moved, (row) => row.sim.lastSessionAt),
      textColumn(moved, (row) => row.sim.ip),
      int4Column(moved, (row) => row.sim.plmn),
      int2Column(moved, (row) => row.sim.radio),
      textColumn(moved, (row) => row.sim.imei),
    ];
    work.push(client.query({ name: 'aaa-move-sims', text: updateMovedSims, values }));
  }
  if (seenOnly.length > 0)
    work.push(client.query({ name: 'aaa-see-sims', text: updateSeenSims, values: seenValues(seenOnly) }));
  if (rated.length > 0) {
    const values = [
      int8Column(rated, (row) => row.sim.simId),
      timestampColumn(rated, (row) => row.sim.cycleStartedAt),
      timestampColumn(rated, (row) => row.sim.cycleEndsAt),
      int8Column(rated, (row) => row.sim.threshold),
      int8Column(rated, (row) => row.sim.watch),
      booleanColumn(rated, (row) => row.sim.overLimit),
      int2Column(rated, (row) => row.sim.dataState),
      int4Column(rated, (row) => row.sim.rateKbps),
      int8Column(rated, (row) => row.baseLimit),
      int8Column(rated, (row) => row.baseExtra),
      int8Column(rated, (row) => row.sim.limit),
      int8Column(rated, (row) => row.sim.extra),
    ];
    work.push(client.query({ name: 'aaa-rate-sims', text: updateRatedSims, values }));
  }
  return work;
};

const setImeis = `
  update sims s set last_imei = v.imei, imei_changed_at = coalesce(v.changed_at, s.imei_changed_at)
  from ${rowsOf({ id: 'bigint', imei: 'text', changed_at: 'timestamptz' })} as v where s.id = v.id`;

export const writeImeis = (client: Client, imeis: Changes['imeis']): Work[] => {
  if (imeis.size === 0) return [];
  const rows = [...imeis].sort(([a], [b]) => a - b);
  const values = [
    int8Column(rows, ([id]) => id),
    textColumn(rows, ([, { imei }]) => imei),
    timestampColumn(rows, ([, { changedAt }]) => changedAt),
  ];
  return [client.query({ name: 'aaa-set-imeis', text: setImeis, values })];
};
