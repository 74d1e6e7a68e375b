import { dashboardDays } from '../../../platform/clock/business-day.ts';
import { int8Column, type Sql } from '../../../platform/db/index.ts';
import { simsBy } from '../../sim/index.ts';

/** Where a SIM, an organisation or a shared pool does not match the CDRs. */
export interface UsageDifference {
  /** ICCID of a SIM. */
  iccid?: string;
  /** Code of an organisation. */
  organisation?: string;
  /** Name of the organisation's shared pool, and the first business day of the cycle. */
  pool?: string;
  cycle?: string;
  /** For an organisation: the month of business days that contains the hours or days. */
  month?: string;
  what: 'hours' | 'days' | 'counters' | 'members';
  /** Number of differing hours and days (each by network and radio type), pool members, or counters. */
  differing: number;
  /** Bytes by the CDRs and as stored, of what differs; as text, because sums may exceed exact numbers. */
  recordedBytes: string;
  storedBytes: string;
}

const figures = ['up', 'down', 'records'] as const;
const zero = (column: string): string => `coalesce(${column}, 0)`;
const allOf = (row: string): string => `(${figures.map((figure) => zero(`${row}.${figure}`)).join(', ')})`;
const sums = 'sum(up_bytes) as up, sum(down_bytes) as down, sum(records) as records';
const recordSums = 'sum(up_bytes) as up, sum(down_bytes) as down, count(*) as records';

/** Rows of CDRs (`recorded`) that differ from the stored ones: both figures and the missing difference. */
const differencesBetween = (owner: string, recorded: string, stored: string): string => `
  select ${owner}, at, plmn, radio, ${zero('r.up')} + ${zero('r.down')} as recorded,
    ${zero('s.up')} + ${zero('s.down')} as stored,
    ${figures.map((figure) => `${zero(`r.${figure}`)} - ${zero(`s.${figure}`)} as ${figure}`).join(', ')}
  from ${recorded} r full join ${stored} s using (${owner}, at, plmn, radio) where ${allOf('r')} is distinct from ${allOf('s')}`;

const summaryOf = (owner: string, what: string, from: string): string => `
  select ${owner}, '${what}' as what, count(*) as differing, sum(recorded) as recorded, sum(stored) as stored
  from ${from} as found group by 1`;

/** Adds the difference to the current row, so that concurrent writes are not lost. */
const addDifferences = (table: string, owner: string, time: string): string => `
  insert into ${table} as t (${owner}, ${time}, plmn, radio, up_bytes, down_bytes, records)
  select ${owner}, at, plmn, radio, up, down, records from found order by 1, 2, 3, 4
  on conflict (${owner}, ${time}, plmn, radio) do update set up_bytes = t.up_bytes + excluded.up_bytes,
    down_bytes = t.down_bytes + excluded.down_bytes, records = t.records + excluded.records`;

/*
 * Each comparison is one statement, and so sees one moment of the database: intake writes records, rollups and
 * counter of a SIM, and the rollups of its organisation, in one transaction.
 */

const utcDay = (instant: string): string => `(${instant} at time zone 'UTC')::date`;
const stored = (at: string): string => `sim_id, ${at} as at, plmn, radio, up_bytes, down_bytes, records`;
/** The open hour, read separately: for a view over both, a cluster reads all SIMs. */
const open = (at: string, from: string): string => `
      select sim_id, ${at}, open_plmn, open_radio, open_up_bytes, open_down_bytes, open_records from sim_live
      where sim_id = any($1::bigint[]) and ${at} >= ${from}`;

const simHours = `
  recorded_hours as (
    select sim_id, date_trunc('hour', ended_at, 'UTC') as at, plmn, radio, ${recordSums}
    from cdrs where sim_id = any($1::bigint[]) and ended_at >= $2::timestamptz group by 1, 2, 3, 4),
  stored_hours as (
    select sim_id, at, plmn, radio, ${sums} from (
      select ${stored('hour_at')} from usage_hourly where sim_id = any($1::bigint[]) and hour_at >= $2::timestamptz
      union all ${open('open_hour_at', '$2::timestamptz')}) as u group by 1, 2, 3, 4)`;
const simDays = `
  recorded_days as (
    select sim_id, (at at time zone 'UTC')::date as at, plmn, radio, sum(up) as up, sum(down) as down,
      sum(records) as records from recorded_hours group by 1, 2, 3, 4),
  stored_days as (
    select sim_id, at, plmn, radio, ${sums} from (
      select ${stored('day_on')} from usage_daily where sim_id = any($1::bigint[]) and day_on >= ${utcDay('$2::timestamptz')}
      union all ${open(utcDay('open_hour_at'), utcDay('$2::timestamptz'))}) as u group by 1, 2, 3, 4)`;

/* Counters are compared after the last cycle that began before the retained records. */
const simCounters = `
  cycles as (
    select sim_id, cycle_started_at as began, cycle_ends_at as ends, used_bytes as used, false as running
    from usage_cycles where sim_id = any($1::bigint[])
    union all
    select sim_id, cycle_started_at, cycle_ends_at, used_bytes, true from sim_live where sim_id = any($1::bigint[])),
  cuts as (
    select sim_id, greatest(max(ends) filter (where began < $2::timestamptz), $2::timestamptz) as cut
    from cycles group by 1),
  compared as (
    select c.sim_id, k.cut from cycles c join cuts k using (sim_id)
    where coalesce(c.began >= $2::timestamptz, true) group by 1, 2 having coalesce(min(c.began) >= k.cut, true)),
  counted as (
    select p.sim_id, p.cut, sum(c.used) as used from compared p join cycles c using (sim_id)
    where coalesce(c.began >= $2::timestamptz, true) group by 1, 2)`;

const compareSims = `
  with ${simHours}, ${simDays}, ${simCounters},
  recorded as (
    select c.sim_id, coalesce(sum(r.up_bytes + r.down_bytes), 0) as bytes
    from counted c left join cdrs r on r.sim_id = c.sim_id and r.ended_at >= c.cut group by 1),
  differences as (
    ${summaryOf('sim_id', 'hours', `(${differencesBetween('sim_id', 'recorded_hours', 'stored_hours')})`)}
    union all
    ${summaryOf('sim_id', 'days', `(${differencesBetween('sim_id', 'recorded_days', 'stored_days')})`)}
    union all
    select sim_id, 'counters', 1, r.bytes, c.used
    from counted c join recorded r using (sim_id) where c.used <> r.bytes)
  select s.iccid, d.what, d.differing::int, d.recorded::text as "recordedBytes", d.stored::text as "storedBytes"
  from differences d join sims s on s.id = d.sim_id where s.id = any($1::bigint[]) order by s.id, d.what`;

const simParameters = (simIds: readonly number[], from: Date) => [int8Column(simIds, (simId) => simId), from];

export const compareUsage = async (
  sql: Sql,
  simIds: readonly number[],
  from: Date,
): Promise<UsageDifference[]> =>
  (await sql.query<UsageDifference>(compareSims, simParameters(simIds, from))).rows;

/** Makes hours and days of SIMs match their CDRs. */
export const repairSimRollups = async (tx: Sql, simIds: readonly number[], from: Date): Promise<void> => {
  const values = simParameters(simIds, from);
  const hours = differencesBetween('sim_id', 'recorded_hours', 'stored_hours');
  await tx.query(
    `with ${simHours}, found as (${hours}) ${addDifferences('usage_hourly', 'sim_id', 'hour_at')}`,
    values,
  );
  const days = differencesBetween('sim_id', 'recorded_days', 'stored_days');
  await tx.query(
    `with ${simHours}, ${simDays}, found as (${days}) ${addDifferences('usage_daily', 'sim_id', 'day_on')}`,
    values,
  );
};

/*
 * A record belongs to the latest cycle that contains it; a record from before the first cycle, or between two, to the
 * next one; a record from after the running cycle to that one.
 */
const cycleSums = `
  with ${simCounters},
  wanted as (
    select c.* from compared p join cycles c using (sim_id) where coalesce(c.began >= $2::timestamptz, true)),
  placed as (
    select r.sim_id, w.began, sum(r.up_bytes + r.down_bytes) as bytes
    from compared p join cdrs r on r.sim_id = p.sim_id and r.ended_at >= p.cut
    cross join lateral (
      select w.began from wanted w where w.sim_id = r.sim_id
      order by coalesce(w.began <= r.ended_at and r.ended_at < w.ends, false) desc,
        case when w.began <= r.ended_at then w.began end desc nulls last,
        coalesce(w.began > r.ended_at, false) desc, w.began limit 1) as w
    group by 1, 2)
  select w.sim_id as "simId", w.began, w.running, coalesce(p.bytes, 0)::int8 as used,
    (coalesce(p.bytes, 0) - w.used)::int8 as missing
  from wanted w left join placed p on p.sim_id = w.sim_id and p.began is not distinct from w.began
  where w.used <> coalesce(p.bytes, 0)`;

export interface CycleSum {
  simId: number;
  began: Date | null;
  running: boolean;
  used: number;
  /** The part of it that is not counted. */
  missing: number;
}

/** Cycles of SIMs whose counter is not the sum of their CDRs, with that sum. */
export const listCycleSums = async (tx: Sql, simIds: readonly number[], from: Date): Promise<CycleSum[]> =>
  (await tx.query<CycleSum>(cycleSums, simParameters(simIds, from))).rows;

/** From one business day to another, exclusive. */
export interface Window {
  from: Date;
  until: Date;
}

const orgHours = `
  recorded_hours as (
    select org_id, date_trunc('hour', ended_at, 'UTC') as at, plmn, radio, ${recordSums}
    from cdrs where ended_at >= $1::timestamptz and ended_at < $2::timestamptz group by 1, 2, 3, 4),
  stored_hours as (
    select org_id, hour_at as at, plmn, radio, ${sums} from org_usage_hourly
    where hour_at >= $1::timestamptz and hour_at < $2::timestamptz group by 1, 2, 3, 4)`;
const orgDays = `
  recorded_days as (
    select org_id, (at at time zone make_interval(mins => $3))::date as at, plmn, radio, sum(up) as up, sum(down) as down,
      sum(records) as records from recorded_hours group by 1, 2, 3, 4),
  stored_days as (
    select org_id, day_on as at, plmn, radio, ${sums} from org_usage_daily
    where day_on >= ($1::timestamptz at time zone make_interval(mins => $3))::date and day_on < ($2::timestamptz at time zone make_interval(mins => $3))::date
    group by 1, 2, 3, 4)`;

const compareOrgs = `
  with ${orgHours}, ${orgDays},
  differences as (
    ${summaryOf('org_id', 'hours', `(${differencesBetween('org_id', 'recorded_hours', 'stored_hours')})`)}
    union all
    ${summaryOf('org_id', 'days', `(${differencesBetween('org_id', 'recorded_days', 'stored_days')})`)})
  select o.code as organisation, to_char($1::timestamptz at time zone make_interval(mins => $3), 'YYYY-MM') as month, d.what, d.differing::int, d.recorded::text as "recordedBytes",
    d.stored::text as "storedBytes"
  from differences d join organisations o on o.id = d.org_id order by o.id, d.what`;

const windowParameters = ({ from, until }: Window) => [from, until, dashboardDays.offsetMinutes];

export const compareOrgUsage = async (sql: Sql, window: Window): Promise<UsageDifference[]> =>
  (await sql.query<UsageDifference>(compareOrgs, windowParameters(window))).rows;

/** Makes hours and days of organisations match the CDRs. */
export const repairOrgRollups = async (tx: Sql, window: Window): Promise<void> => {
  const hours = differencesBetween('org_id', 'recorded_hours', 'stored_hours');
  await tx.query(
    `with ${orgHours}, found as (${hours}) ${addDifferences('org_usage_hourly', 'org_id', 'hour_at')}`,
    [window.from, window.until],
  );
  const days = differencesBetween('org_id', 'recorded_days', 'stored_days');
  await tx.query(
    `with ${orgHours}, ${orgDays}, found as (${days}) ${addDifferences('org_usage_daily', 'org_id', 'day_on')}`,
    windowParameters(window),
  );
};

/** A comparison of a whole day, or of a pool's cycle, may take longer than the statements of the program. */
export const allowLongStatements = async (tx: Sql): Promise<void> => {
  await tx.query(`set local statement_timeout = '1h'`);
};

/** Repairs run one after the other: two that found the same gap would fill it twice. */
export const lockRepairs = async (tx: Sql): Promise<void> => {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('usage.repair', 0))`);
};

export const findOrganisationIds = async (
  sql: Sql,
  identifiers: { iccids: readonly string[]; codes: readonly string[] },
): Promise<Map<string, number>> => {
  const { rows } = await sql.query<{ name: string; id: number }>(
    `select s.iccid as name, s.org_id as id from ${simsBy('iccid')} i join sims s on s.id = i.sim_id
     where i.value = any($1::text[])
     union all select code, id from organisations where code = any($2)`,
    [identifiers.iccids, identifiers.codes],
  );
  return new Map(rows.map(({ name, id }) => [name, id]));
};

/** SIMs in the order of their ids, after the given one. */
export const listSimIds = async (sql: Sql, after: number, limit: number): Promise<number[]> =>
  (
    await sql.query<{ id: number }>('select id from sims where id > $1 order by id limit $2', [after, limit])
  ).rows.map(({ id }) => id);
