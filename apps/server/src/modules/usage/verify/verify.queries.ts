import { int8Column, type Sql } from '../../../platform/db/index.ts';

/** What of a SIM does not say what its CDRs say. */
export interface UsageDifference {
  iccid: string;
  what: 'hours' | 'days' | 'counters';
  /** Hours or days, each by network and radio type, that differ. */
  differing: number;
  /** Bytes by the CDRs and as stored, in what differs; text, as sums may be beyond exact numbers. */
  recordedBytes: string;
  storedBytes: string;
}

const figures = 'coalesce(up, 0), coalesce(down, 0), coalesce(records, 0)';
const sums = 'sum(up_bytes) as up, sum(down_bytes) as down, sum(records) as records';
const unlike = (one: string, other: string) =>
  `(${figures.replace(/\b(up|down|records)\b/g, `${one}.$1`)}) is distinct from
   (${figures.replace(/\b(up|down|records)\b/g, `${other}.$1`)})`;
const told = (what: string) => `
  select sim_id, '${what}' as what, count(*) as differing, sum(recorded) as recorded, sum(stored) as stored`;

/*
 * One statement, and so one moment of the database: intake writes records, rollups and counter of a SIM in one
 * transaction. Counters are compared behind the last cycle that began before the records that are retained.
 */
const compare = `
  with per_hour as (
    select sim_id, date_trunc('hour', ended_at) as at, plmn, radio, sum(up_bytes) as up, sum(down_bytes) as down,
      count(*) as records
    from cdrs where sim_id = any($1::bigint[]) and ended_at >= $2::timestamptz group by 1, 2, 3, 4),
  per_day as (
    select sim_id, at::date as at, plmn, radio, sum(up) as up, sum(down) as down, sum(records) as records
    from per_hour group by 1, 2, 3, 4),
  hours as (
    select sim_id, hour_at as at, plmn, radio, ${sums} from sim_usage_hourly
    where sim_id = any($1::bigint[]) and hour_at >= $2::timestamptz group by 1, 2, 3, 4),
  days as (
    select sim_id, day_on as at, plmn, radio, ${sums} from sim_usage_daily
    where sim_id = any($1::bigint[]) and day_on >= $2::timestamptz::date group by 1, 2, 3, 4),
  cycles as (
    select sim_id, cycle_started_at as began, cycle_ends_at as ends, used_bytes as used from usage_cycles
    where sim_id = any($1::bigint[])
    union all
    select sim_id, cycle_started_at, cycle_ends_at, used_bytes from sim_live where sim_id = any($1::bigint[])),
  cuts as (
    select sim_id, greatest(max(ends) filter (where began < $2::timestamptz), $2::timestamptz) as cut
    from cycles group by 1),
  counted as (
    select c.sim_id, k.cut, sum(c.used) as used from cycles c join cuts k using (sim_id)
    where coalesce(c.began >= $2::timestamptz, true) group by 1, 2
    having coalesce(min(c.began) >= k.cut, true)),
  recorded as (
    select c.sim_id, coalesce(sum(r.up_bytes + r.down_bytes), 0) as bytes
    from counted c left join cdrs r on r.sim_id = c.sim_id and r.ended_at >= c.cut group by 1),
  differences as (
    ${told('hours')} from (
      select sim_id, coalesce(r.up + r.down, 0) as recorded, coalesce(s.up + s.down, 0) as stored
      from per_hour r full join hours s using (sim_id, at, plmn, radio) where ${unlike('r', 's')}) as found
    group by 1
    union all
    ${told('days')} from (
      select sim_id, coalesce(r.up + r.down, 0) as recorded, coalesce(s.up + s.down, 0) as stored
      from per_day r full join days s using (sim_id, at, plmn, radio) where ${unlike('r', 's')}) as found
    group by 1
    union all
    select sim_id, 'counters', 1, r.bytes, c.used
    from counted c join recorded r using (sim_id) where c.used <> r.bytes)
  select s.iccid, d.what, d.differing, d.recorded::text as "recordedBytes", d.stored::text as "storedBytes"
  from differences d join sims s on s.id = d.sim_id order by s.id, d.what`;

export const compareUsage = async (
  sql: Sql,
  simIds: readonly number[],
  from: Date,
): Promise<UsageDifference[]> =>
  (await sql.query<UsageDifference>(compare, [int8Column(simIds, (simId) => simId), from])).rows;

/** SIMs in the order of their ids, behind one. */
export const listSimIds = async (sql: Sql, after: number, most: number): Promise<number[]> =>
  (
    await sql.query<{ id: number }>('select id from sims where id > $1 order by id limit $2', [after, most])
  ).rows.map(({ id }) => id);
