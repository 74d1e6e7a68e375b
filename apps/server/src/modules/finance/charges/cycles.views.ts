import type { BundleSpec } from '@simcube/contract/bundle';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { basicOrderIn } from '../../bundle/index.ts';
import type { ChargedQuantity } from '../../price/index.ts';
import { ownedAt, ownerships } from '../../sim/index.ts';
import { sumOfMtParts } from '../../sms/index.ts';
import { type BillMonth, monthOfEnd } from '../bill.rules.ts';
import type { Section, UsageSource } from './section.rules.ts';

/** SIMs that an organisation has, by id. */
export const listSims = async (
  sql: Sql,
  { orgId, after, limit }: { orgId: number; after: number; limit: number },
): Promise<number[]> => {
  const { rows } = await sql.query<{ id: number }>(
    'select id from sims where org_id = $1 and id > $2 order by id limit $3',
    [orgId, after, limit],
  );
  return rows.map(({ id }) => id);
};

/** SIMs that it had until recently, by id, without those that came back. A cycle lasts a year at most. */
export const listFormerSims = async (
  sql: Sql,
  { orgId, after, limit, month }: { orgId: number; after: number; limit: number; month: BillMonth },
): Promise<number[]> => {
  const { rows } = await sql.query<{ id: number }>(
    `select distinct o.sim_id as id from sim_ownerships o
     where o.org_id = $1 and o.until > $4::timestamptz - interval '366 days' and o.sim_id > $2
       and not exists (select from sims s where s.id = o.sim_id and s.org_id = $1)
     order by 1 limit $3`,
    [orgId, after, limit, month.from],
  );
  return rows.map(({ id }) => id);
};

interface CycleColumns {
  sim_id: number;
  cycle_started_at: Date;
  cycle_ends_at: Date;
  /** End of the previous cycle, if needed: usage in between counts in this one. */
  former_end: Date | null;
  used_bytes: number;
  limit_bytes: number | null;
  activated_at: Date;
  bundle_id: number;
  owns_begin: boolean;
  owns_end: boolean;
  /** Whether it was transferred. */
  moved: boolean;
  /** Whether it is or was in a shared pool. */
  pooled: boolean;
}

export type BundleFacts = Pick<
  BundleSpec,
  | 'code'
  | 'name'
  | 'type'
  | 'overage_policy'
  | 'out_of_coverage_policy'
  | 'coverage_countries'
  | 'threshold_bytes'
  | 'stop_after_bytes'
>;

export type CycleRow = CycleColumns & BundleFacts;

/** Thousands of cycles have few bundles: each is read once, not with each cycle. */
const withBundles = async (sql: Sql, cycles: readonly CycleColumns[]): Promise<CycleRow[]> => {
  const ids = [...new Set(cycles.map(({ bundle_id }) => bundle_id))];
  const { rows } = await sql.query<BundleFacts & { id: number }>(
    `select id, code, name, type, overage_policy, out_of_coverage_policy, coverage_countries, threshold_bytes,
       stop_after_bytes from bundles where id = any($1::bigint[])`,
    [ids],
  );
  const bundles = new Map(rows.map(({ id, ...facts }) => [id, facts]));
  return cycles.flatMap((cycle) => {
    const bundle = bundles.get(cycle.bundle_id);
    return bundle ? [Object.assign(cycle, bundle)] : [];
  });
};

const ownedSql = (at: string): string => ownedAt({ orgId: '$2', at });

/**
 * Cycles of SIMs with the basic order in use in them; cycles without one are not charged. The running cycle ends with
 * its order, if that is before the end by the calendar.
 */
const readCycles = (cycles: string): string => `
  select c.sim_id, c.cycle_started_at, least(c.cycle_ends_at, o.expires_at) as cycle_ends_at, c.used_bytes, c.limit_bytes,
    o.activated_at, o.bundle_id, s.ownership > 0 as moved, l.pooled,
    ${ownedSql('greatest(c.cycle_started_at, o.activated_at)')} as owns_begin, ${ownedSql('c.cycle_ends_at')} as owns_end,
    case when l.pooled or b.out_of_coverage_policy = 'billing' then (
      select max(f.cycle_ends_at) from usage_cycles f
      where f.sim_id = c.sim_id and f.cycle_started_at < c.cycle_started_at) end as former_end
  from sims s join sim_live l on l.sim_id = s.id cross join lateral (${cycles}) as c
  cross join lateral (${basicOrderIn('c')}) as o
  join bundles b on b.id = o.bundle_id
  where s.id = any($1::bigint[]) order by c.sim_id, c.cycle_started_at`;

const columns = 'sim_id, cycle_started_at, cycle_ends_at, used_bytes, limit_bytes';

const cyclesOfMonth = `
  select ${columns} from usage_cycles where sim_id = s.id and cycle_ends_at > $3 and cycle_started_at < $4
  union all
  select l.sim_id, l.cycle_started_at, l.cycle_ends_at, l.used_bytes, l.limit_bytes
  where l.cycle_ends_at > $3 and l.cycle_started_at < $4`;

const monthCyclesSql = readCycles(cyclesOfMonth);

/** The same cycles with usage as the sum of their records. */
const withRecordedUsage = async (sql: Sql, cycles: readonly CycleRow[]): Promise<CycleRow[]> => {
  const { rows } = await sql.query<{ place: number; bytes: number }>(
    `with spans as (
       select k.place, k.sim_id, k.ends_at, coalesce((
         select max(f.cycle_ends_at) from usage_cycles f
         where f.sim_id = k.sim_id and f.cycle_started_at < k.started_at), '-infinity') as since
       from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[]) with ordinality
         as k (sim_id, started_at, ends_at, place))
     select s.place::int, u.bytes from spans s cross join lateral (
       select sum(r.up_bytes + r.down_bytes)::int8 as bytes from cdrs r
       where r.sim_id = s.sim_id and r.ended_at < s.ends_at and r.ended_at >= s.since group by r.sim_id) as u`,
    [
      cycles.map(({ sim_id }) => sim_id),
      cycles.map(({ cycle_started_at }) => cycle_started_at),
      cycles.map(({ cycle_ends_at }) => cycle_ends_at),
    ],
  );
  const bytesOf = new Map(rows.map(({ place, bytes }) => [place - 1, bytes]));
  return cycles.map((cycle, index) => ({ ...cycle, used_bytes: bytesOf.get(index) ?? 0 }));
};

/** Cycles of SIMs that begin or end in a month, or span all of it. */
export const listCycles = async (
  sql: Sql,
  query: { simIds: readonly number[]; orgId: number; month: BillMonth; source: UsageSource },
): Promise<CycleRow[]> => {
  const { simIds, orgId, month, source } = query;
  const values = [simIds, orgId, month.from, month.until];
  const cycles = await withBundles(sql, (await sql.query<CycleColumns>(monthCyclesSql, values)).rows);
  return source === 'records' ? withRecordedUsage(sql, cycles) : cycles;
};

/** Hours of earlier owners whose usage was counted for an organisation, because it was late. */
const lateHours = ({ sims, orgId }: { sims: string; orgId: string }): string => `
  (${ownerships(String.raw, { sims, orgId })}) as o
  join usage_handovers h on h.sim_id = o.sim_id and h.number = o.number - 1 and h.unit = 'hour'
    and h.starts_at < date_trunc('hour', o.since, 'UTC')`;

const billedBefore = `
  bill_cycles k join bill_months i on i.org_id = k.customer_id and i.month_on = k.month_on
  where k.sim_id = s.id and k.org_id = $2 and i.published_at is not null and k.month_on < $3`;

/**
 * The usage last billed for a cycle decides whether it has changed since. An organisation to which no usage of the
 * cycle was billed, because it did not have the SIM at the end, may have late usage of it if it had the SIM then or later.
 */
const changedCyclesSql = readCycles(`
  select u.${columns.replaceAll(', ', ', u.')} from usage_cycles u
  where u.sim_id = s.id and u.cycle_started_at in (
    select e.cycle_started_at from (
      select distinct on (k.cycle_started_at) k.cycle_started_at, k.used_bytes, k.limit_bytes
      from ${billedBefore} order by k.cycle_started_at, k.month_on desc) as k
    join usage_cycles e on e.sim_id = s.id and e.cycle_started_at = k.cycle_started_at
    where (e.used_bytes, e.limit_bytes) is distinct from (k.used_bytes, k.limit_bytes)
    union
    select e.cycle_started_at from ${lateHours({ sims: 'array[s.id]', orgId: '$2' })}
    join usage_cycles e on e.sim_id = s.id and e.cycle_started_at < h.starts_at + interval '1 hour'
      and e.cycle_ends_at > h.starts_at and e.cycle_ends_at <= least($4, o.until)
    where h.starts_at > $4 - interval '13 months'
      and not exists (select from ${billedBefore} and k.cycle_started_at = e.cycle_started_at))`);

/** SIMs for which `changedCyclesSql` is evaluated: those with other usage than was billed, or with late usage. */
const listSimsToCorrect = async (
  sql: Sql,
  { simIds, orgId, month }: { simIds: readonly number[]; orgId: number; month: BillMonth },
): Promise<number[]> =>
  (
    await sql.query<{ id: number }>({
      name: 'finance-sims-with-others',
      text: `select k.sim_id as id from bill_cycles k
       join usage_cycles u on u.sim_id = k.sim_id and u.cycle_started_at = k.cycle_started_at
       where k.sim_id = any($1::bigint[]) and k.month_on < $2
         and (u.used_bytes, u.limit_bytes) is distinct from (k.used_bytes, k.limit_bytes)
       union
       select h.sim_id from ${lateHours({ sims: '$1', orgId: '$3' })}`,
      values: [simIds, `${month.month}-01`, orgId],
    })
  ).rows.map(({ id }) => id);

/** Cycles of months that were billed before, whose usage may have changed since, because of late records. */
export const listChangedCycles = async (
  sql: Sql,
  {
    simIds,
    orgId,
    customerId,
    month,
  }: Pick<Section, 'orgId' | 'customerId' | 'month'> & { simIds: readonly number[] },
): Promise<CycleRow[]> => {
  const changedSimIds = await listSimsToCorrect(sql, { simIds, orgId, month });
  if (changedSimIds.length === 0) return [];
  const values = [changedSimIds, orgId, `${month.month}-01`, month.from];
  const { rows } = await sql.query<CycleColumns>(changedCyclesSql, values);
  const billed = new Set(await listBilledMonths(sql, { customerId, month }));
  return withBundles(
    sql,
    rows.filter((row) => billed.has(monthOfEnd(row.cycle_ends_at))),
  );
};

/** Earlier months (`YYYY-MM`) with published bills of a customer: a SIM or pool may be on none of them. */
export const listBilledMonths = async (
  sql: Sql,
  { customerId, month }: Pick<Section, 'customerId' | 'month'>,
): Promise<string[]> =>
  (
    await sql.query<{ month: string }>(
      `select to_char(month_on, 'YYYY-MM') as month from bill_months
       where org_id = $1 and month_on < $2 and published_at is not null`,
      [customerId, `${month.month}-01`],
    )
  ).rows.map((row) => row.month);

export interface ActivationRow {
  sim_id: number;
  activated_at: Date;
  bundle_id: number;
  code: string;
  name: string;
  type: BundleSpec['type'];
}

/** Orders of SIMs that began in a month while the SIMs belonged to the organisation. */
export const listActivations = async (
  sql: Sql,
  { simIds, orgId, month }: { simIds: readonly number[]; orgId: number; month: BillMonth },
): Promise<ActivationRow[]> =>
  (
    await sql.query<ActivationRow>(
      `select o.sim_id, o.activated_at, o.bundle_id, b.code, b.name, b.type
       from bundle_orders o join bundles b on b.id = o.bundle_id join sims s on s.id = o.sim_id
       where o.sim_id = any($1::bigint[]) and o.activated_at >= $3 and o.activated_at < $4
         and ${ownedSql('o.activated_at')}
       order by o.sim_id, o.activated_at, o.id`,
      [simIds, orgId, month.from, month.until],
    )
  ).rows;

export interface ChargedRow extends ChargedQuantity {
  sim_id: number;
  cycle_started_at: Date;
}

/** What earlier months' bills charged for the usage of SIMs' cycles, including corrections. */
export const listEarlierCharges = async (
  sql: Sql,
  { simIds, orgId, month }: { simIds: readonly number[]; orgId: number; month: BillMonth },
): Promise<ChargedRow[]> => {
  const { rows } = await sql.query<ChargedRow>(
    `select c.sim_id, c.cycle_started_at, n.kind, n.unit, n.price_micros,
       case when n.bundle_code is not null then json_build_object('code', n.bundle_code, 'name', max(n.bundle_name)) end as bundle,
       case when n.zone_code is not null then json_build_object('code', n.zone_code, 'name', max(n.zone_name)) end as zone,
       sum(c.quantity)::int8 as quantity, sum(c.bytes)::int8 as bytes
     from bill_charges c join bill_lines n on n.bill_id = c.bill_id and n.line = c.line join bills i on i.id = c.bill_id
     where c.sim_id = any($1::bigint[]) and n.org_id = $2 and i.status <> 'obsolete' and i.month_on < $3
       and n.kind in ('over-quota', 'out-of-coverage')
     group by c.sim_id, c.cycle_started_at, n.kind, n.unit, n.price_micros, n.bundle_code, n.zone_code`,
    [simIds, orgId, `${month.month}-01`],
  );
  return rows;
};

export interface MessageRow {
  sim_id: number;
  /** A business day. */
  day: string;
  mt: number;
  mo: number;
}

/** Parts of messages to SIMs that are charged. */
export const mtParts = `${sumOfMtParts}::int8`;

/** Parts of messages from SIMs that arrived: only the device claims how many there should have been. */
export const moParts = `coalesce(sum(parts - missing_parts) filter (where mobile_originated), 0)::int8`;

/** Charged parts of messages by SIM and day. */
export const listMessageParts = async (
  sql: Sql,
  { simIds, orgId, month }: { simIds: readonly number[]; orgId: number; month: BillMonth },
): Promise<MessageRow[]> =>
  (
    await sql.query<MessageRow>(
      `select sim_id, to_char((at + make_interval(mins => $5)) at time zone 'UTC', 'YYYY-MM-DD') as day,
         ${mtParts} as mt,
         ${moParts} as mo
       from sms_messages where sim_id = any($1::bigint[]) and org_id = $2 and at >= $3 and at < $4
       group by 1, 2 order by 1, 2`,
      [simIds, orgId, month.from, month.until, dashboardDays.offsetMinutes],
    )
  ).rows;
