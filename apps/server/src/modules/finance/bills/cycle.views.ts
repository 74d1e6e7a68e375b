import type { BundleSpec } from '@simcube/contract/bundle';
import type { BillCycle } from '@simcube/contract/finance';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { basicOrderIn } from '../../bundle/index.ts';
import { listPooledSpans } from '../../pool/index.ts';
import { chargedZone, chargesZones, findVersions } from '../../price/index.ts';
import { simsBy } from '../../sim/index.ts';
import { networkUsage, retainedSince } from '../../usage/index.ts';

interface CycleKey {
  billId: number;
  line: number;
  iccid: string;
  cycleAt: string;
}

interface CycleColumns {
  sim_id: number;
  started_at: Date;
  ends_at: Date;
  /** End of the previous cycle: usage in between counts in this one. */
  former_end: Date | null;
  limit_bytes: number | null;
  /** The organisation of the line's section: another organisation's usage counts towards the quota and is not shown. */
  org_id: number;
  zone_code: string | null;
  /** The tariff that the line is charged by. */
  tariff_id: number;
  tariff_starts_on: string;
  /** The cycle's bundle; null if there was none. */
  bundle: Pick<BundleSpec, 'out_of_coverage_policy' | 'coverage_countries'> | null;
}

/** The records of a cycle that a line charges. */
interface LineUsage {
  /** For a zone's line: the zone's countries. Null for others. */
  countries: string[] | null;
  /** Usage that does not count towards the quota, because it is charged by zone or counted for a shared pool. */
  zoned: string[];
  pooled: { from: Date; to: Date }[];
}

interface DayColumns {
  day: string;
  bytes: number;
  beyond_bytes: number;
  used_up_at: Date | null;
  within: number;
  beyond: number;
}

/**
 * A SIM's cycle that a line charges, by its records while all of them are retained; undefined if the line charges no
 * such cycle.
 */
export const findBilledCycle = async (
  sql: Sql,
  { now, ...key }: CycleKey & { now: Date },
): Promise<BillCycle | undefined> => {
  const cycle = await findCycle(sql, key);
  if (!cycle) return undefined;
  const since = retainedSince('cdrs', now);
  const isRetained = cycle.started_at >= since;
  const usage = await usageOfLine(sql, cycle);
  const [days, charged] = await Promise.all([
    isRetained ? listDays(sql, cycle, usage) : [],
    listChargesOfCycle(sql, key, cycle.sim_id),
  ]);
  const sum = (of: (one: DayColumns) => number): number => days.reduce((total, one) => total + of(one), 0);
  return {
    started_at: cycle.started_at.toISOString(),
    ends_at: cycle.ends_at.toISOString(),
    limit_bytes: cycle.limit_bytes,
    records_since: isRetained ? null : since.toISOString(),
    used_bytes: sum(({ bytes }) => bytes),
    countries: usage.countries,
    used_up_at: days.find(({ used_up_at: at }) => at !== null)?.used_up_at?.toISOString() ?? null,
    records: { within: sum(({ within }) => within), beyond: sum(({ beyond }) => beyond) },
    days: days.map(({ day, bytes, beyond_bytes }) => ({ day, bytes, beyond_bytes })),
    charged,
  };
};

/** Charges of a replaced version no longer apply, except those of the version that is shown. */
const listChargesOfCycle = async (
  sql: Sql,
  { billId, line, cycleAt }: CycleKey,
  simId: number,
): Promise<BillCycle['charged']> =>
  (
    await sql.query<BillCycle['charged'][number]>(
      `select b.id::text as bill_id, to_char(b.month_on, 'YYYY-MM') as month, n.line,
         n.corrects_on is not null as correction, c.quantity::int8 as quantity
       from bill_charges c join bill_lines n using (bill_id, line) join bills b on b.id = c.bill_id
       join bill_lines this on this.bill_id = $1 and this.line = $2
         and (n.kind, n.org_id) = (this.kind, this.org_id)
         and (n.bundle_code, n.zone_code) is not distinct from (this.bundle_code, this.zone_code)
       join bills mine on mine.id = $1 and mine.org_id = b.org_id
       where c.sim_id = $3 and c.cycle_started_at = $4 and (b.id = mine.id or b.status in ('published', 'paid'))
         and not (b.serial = mine.serial and b.id <> mine.id)
       order by b.month_on, b.id, n.line`,
      [billId, line, simId, cycleAt],
    )
  ).rows;

const findCycle = async (sql: Sql, key: CycleKey): Promise<CycleColumns | undefined> =>
  (
    await sql.query<CycleColumns>(
      `select k.sim_id, n.org_id, k.cycle_started_at as started_at, least(k.cycle_ends_at, o.expires_at) as ends_at,
         k.limit_bytes, (
         select max(f.cycle_ends_at) from usage_cycles f
         where f.sim_id = k.sim_id and f.cycle_started_at < k.cycle_started_at) as former_end,
         n.zone_code, (select t.id from tariffs t where t.code = n.tariff_code) as tariff_id,
         n.tariff_starts_on::text, (
           select json_build_object('out_of_coverage_policy', b.out_of_coverage_policy, 'coverage_countries', b.coverage_countries)
           from bundles b where b.id = o.bundle_id) as bundle
       from bill_charges c join bill_lines n on n.bill_id = c.bill_id and n.line = c.line
       join ${simsBy('iccid')} i on i.sim_id = c.sim_id cross join lateral (
         select sim_id, cycle_started_at, cycle_ends_at, limit_bytes from usage_cycles
         where sim_id = c.sim_id and cycle_started_at = c.cycle_started_at
         union all
         select sim_id, cycle_started_at, cycle_ends_at, limit_bytes from sim_live
         where sim_id = c.sim_id and cycle_started_at = c.cycle_started_at) as k
       left join lateral (${basicOrderIn('k')}) as o on true
       where c.bill_id = $1 and c.line = $2 and i.value = $3 and c.cycle_started_at = $4`,
      [key.billId, key.line, key.iccid, key.cycleAt],
    )
  ).rows[0];

const usageOfLine = async (sql: Sql, cycle: CycleColumns): Promise<LineUsage> => {
  const span = { simId: cycle.sim_id, from: cycle.former_end, to: cycle.ends_at };
  const zones = await zonesOf(sql, cycle, span);
  const { zone_code: code } = cycle;
  if (code !== null) {
    const countries = [...zones].flatMap(([country, zone]) => (zone === code ? [country] : []));
    return { countries, zoned: [], pooled: [] };
  }
  return { countries: null, zoned: [...zones.keys()], pooled: await listPooledSpans(sql, [span]) };
};

/** The zones that usage of a cycle is charged at, by country. */
const zonesOf = async (
  sql: Sql,
  { org_id: orgId, tariff_id: tariffId, tariff_starts_on: day, bundle }: CycleColumns,
  span: { simId: number; from: Date | null; to: Date },
): Promise<ReadonlyMap<string, string>> => {
  const version = (await findVersions(sql, { orgId, days: [day], tariffId })).get(day);
  if (!version || !bundle || !chargesZones(version, bundle)) return new Map();
  return new Map(
    (await networkUsage(sql, [span])).flatMap(({ country }) => {
      const zone = chargedZone(version, bundle, country);
      return country !== null && zone ? [[country, zone.code]] : [];
    }),
  );
};

const listDays = async (
  sql: Sql,
  cycle: CycleColumns,
  { countries, zoned, pooled }: LineUsage,
): Promise<DayColumns[]> =>
  (
    await sql.query<DayColumns>(
      `select to_char((ended_at + make_interval(mins => $5)) at time zone 'UTC', 'YYYY-MM-DD') as day,
         sum(bytes)::int8 as bytes, coalesce(sum(least(bytes, total - $4)) filter (where total > $4), 0)::int8 as beyond_bytes,
         min(ended_at) filter (where total > $4) as used_up_at,
         (count(*) filter (where total > $4 is not true))::int as within, (count(*) filter (where total > $4))::int as beyond
       from (
         select c.org_id, c.ended_at, c.up_bytes + c.down_bytes as bytes,
           sum(c.up_bytes + c.down_bytes) over (order by c.ended_at, c.dedupe_key) as total
         from cdrs c left join networks k using (plmn)
         where c.sim_id = $1 and c.ended_at >= coalesce($2::timestamptz, '-infinity') and c.ended_at < $3
           and coalesce(k.country = any($7::text[]), false) = $8
           and not exists (
             select from unnest($9::timestamptz[], $10::timestamptz[]) as p (since, until)
             where c.ended_at >= p.since and c.ended_at < p.until)) as r
       where org_id = $6 group by 1 order by 1`,
      [
        ...[cycle.sim_id, cycle.former_end, cycle.ends_at, countries ? null : cycle.limit_bytes],
        ...[dashboardDays.offsetMinutes, cycle.org_id, countries ?? zoned, countries !== null],
        ...[pooled.map(({ from }) => from), pooled.map(({ to }) => to)],
      ],
    )
  ).rows;

/** Whether a SIM belongs to the organisation, or is on its bill. */
export const isSimOnBill = async (
  sql: Sql,
  { orgId, billId, iccid }: { orgId: number; billId: number; iccid: string },
): Promise<boolean> =>
  (
    await sql.query(
      `select from ${simsBy('iccid')} i join sims s on s.id = i.sim_id
       where i.value = $1 and (s.org_id = $2
         or exists (select from bill_sims m where m.bill_id = $3 and m.sim_id = s.id))`,
      [iccid, orgId, billId],
    )
  ).rows.length > 0;
