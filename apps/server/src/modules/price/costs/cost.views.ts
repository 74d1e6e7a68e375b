import type { BundleSpec } from '@simcube/contract/bundle';
import type { ChargeLine, CycleCost, PoolCost } from '@simcube/contract/price';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { ownedAt, simsBy } from '../../sim/index.ts';
import {
  type Coverage,
  type CycleFacts,
  chargesOf,
  chargesZones,
  costValidUpTo,
  mayChargeZones,
  type Named,
  type PoolCycleFacts,
  poolChargesOf,
  poolUsageOf,
  type TariffVersion,
  toPoolUsage,
  totalOf,
} from '../price.rules.ts';
import { findBundlePrices, findVersions, hasTariff } from '../price.views.ts';
import {
  type FindNetworkUsage,
  type MemberSpan,
  readZonedUsage,
  type UsageSpan,
} from './zoned-usage.views.ts';

/** The periods in which usage of SIMs counted for shared pools; provided by the higher module `pool`. */
export type ListPooledSpans = (sql: Sql, spans: readonly UsageSpan[]) => Promise<UsageSpan[]>;

/** What other modules know about usage. */
export interface CostSources {
  networkUsage: FindNetworkUsage;
  listPooledSpans: ListPooledSpans;
}

interface CycleRow extends Named {
  sim_id: number;
  iccid: string;
  bundle_id: number;
  cycle_started_at: Date;
  cycle_ends_at: Date;
  former_end: Date | null;
  used_bytes: number;
  limit_bytes: number | null;
  owned_since: Date | null;
  /** Whether the SIM belonged to the organisation when the cycle, or the order in it, began. */
  owns_begin: boolean;
  overage_policy: BundleSpec['overage_policy'];
  out_of_coverage_policy: BundleSpec['out_of_coverage_policy'];
  coverage_countries: string[];
  threshold_bytes: number | null;
  stop_after_bytes: number | null;
  activations: { bundle_id: number; code: string; name: string }[];
  /** Whether it is or was in a shared pool. */
  pooled: boolean;
}

/**
 * Running cycles of own SIMs. Fees belong to the organisation that had the SIM when they fell due, even if it
 * has had it twice: activations are those of orders that began while the SIM belonged to this one.
 */
const readCycles = async (sql: Sql, orgId: number, iccids: readonly string[]): Promise<CycleRow[]> => {
  const { rows } = await sql.query<CycleRow>(
    `select s.id as sim_id, s.iccid, s.owned_since, l.cycle_started_at, l.cycle_ends_at, l.used_bytes, l.limit_bytes,
       ${owned('greatest(l.cycle_started_at, o.activated_at)')} as owns_begin, b.id as bundle_id, b.code, b.name, b.overage_policy, b.out_of_coverage_policy,
       b.coverage_countries, b.threshold_bytes, b.stop_after_bytes,
       (select max(c.cycle_ends_at) from usage_cycles c
        where c.sim_id = s.id and c.cycle_started_at <= l.cycle_started_at) as former_end, l.pooled,
       (select coalesce(json_agg(json_build_object('bundle_id', a.id, 'code', a.code, 'name', a.name)
          order by x.activated_at, x.id), '[]')
        from bundle_orders x join bundles a on a.id = x.bundle_id
        where x.sim_id = s.id and x.activated_at >= l.cycle_started_at and x.activated_at < l.cycle_ends_at
          and ${owned('x.activated_at')}) as activations
     from ${simsBy('iccid')} i join sims s on s.id = i.sim_id join sim_live l on l.sim_id = s.id
     join bundles b on b.id = s.bundle_id
     cross join lateral (
       select activated_at from bundle_orders
       where sim_id = s.id and bundle_id = s.bundle_id and status = 'in use' order by id limit 1) as o
     where i.value = any($2::text[]) and s.org_id = $1 and l.cycle_started_at is not null
       and l.cycle_ends_at is not null`,
    [orgId, iccids],
  );
  return rows;
};

const owned = (at: string): string => ownedAt({ orgId: '$1', at });

const dayOf = (at: Date): string => dashboardDays.dayOf(at);

export interface BoundedCost {
  cost: CycleCost;
  /** Usage of the cycle up to which the cost stays the same; null: for any usage. */
  validUpTo: bigint | null;
}

/** Costs of the running cycles of an organisation's SIMs so far, by ICCID; those without a price are left out. */
export const readCosts = async (
  sql: Sql,
  { orgId, iccids, sources }: { orgId: number; iccids: readonly string[]; sources: CostSources },
): Promise<Map<string, BoundedCost>> => {
  // Reading cycles takes far longer than this check, for instance for a file of 100,000 SIMs.
  if (!(await hasTariff(sql, orgId))) return new Map();
  const cycles = await readCycles(sql, orgId, iccids);
  const versions = await findVersions(sql, { orgId, days: cycles.map((row) => dayOf(row.cycle_started_at)) });
  const priced = cycles.flatMap((row) => {
    const version = versions.get(dayOf(row.cycle_started_at));
    return version ? [{ row, version }] : [];
  });
  const versionIds = priced.map(({ version }) => version.id);
  const pricesOf = await findBundlePrices(sql, versionIds);
  const usageOf = await readZoneUsage((...args) => sources.networkUsage(sql, ...args), orgId, priced);
  const pooledOf = await readPooledUsage(
    sql,
    sources,
    priced.map(({ row }) => row),
  );
  return new Map(
    priced.map(({ row, version }) => {
      const prices = (bundleId: number) => pricesOf(version.id, bundleId);
      const facts: CycleFacts = {
        bundle: row,
        prices: prices(row.bundle_id),
        usedBytes: BigInt(row.used_bytes),
        limitBytes: row.limit_bytes === null ? null : BigInt(row.limit_bytes),
        ownsCycleStart: row.owns_begin,
        activations: row.activations.map((order) => ({ ...order, prices: prices(order.bundle_id) })),
        byCountry: usageOf(row.sim_id),
        pooledByCountry: pooledOf(row.sim_id),
      };
      const cost = costOf(version, row, chargesOf(version, facts));
      return [row.iccid, { cost, validUpTo: costValidUpTo(version, facts) }];
    }),
  );
};

const costOf = (
  version: TariffVersion,
  cycle: Pick<CycleRow, 'cycle_started_at' | 'cycle_ends_at'>,
  lines: ChargeLine[],
): CycleCost => ({
  currency: version.currency,
  total_minor: totalOf(lines),
  tariff: { ...version.tariff, starts_on: version.startsOn },
  cycle: { started_at: cycle.cycle_started_at.toISOString(), ends_at: cycle.cycle_ends_at.toISOString() },
  lines,
});

const spanOf = (row: CycleRow) => ({ simId: row.sim_id, from: row.former_end, to: row.cycle_ends_at });

/** Usage by country that counted for shared pools; nothing is read for SIMs that were in none. */
const readPooledUsage = async (
  sql: Sql,
  { networkUsage, listPooledSpans }: CostSources,
  cycles: readonly CycleRow[],
): Promise<(simId: number) => CycleFacts['pooledByCountry']> => {
  const requested = cycles.filter(({ pooled }) => pooled).map(spanOf);
  const spans = requested.length > 0 ? await listPooledSpans(sql, requested) : [];
  const usage = spans.length > 0 ? await networkUsage(sql, spans) : [];
  const bySim = new Map<number, CountryUsage[]>(spans.map(({ simId }) => [simId, []]));
  for (const { simId, country, bytes } of usage) bySim.get(simId)?.push({ country, bytes: BigInt(bytes) });
  return (simId) => bySim.get(simId) ?? [];
};

type CountryUsage = CycleFacts['pooledByCountry'][number];
type CountryBytes = CycleFacts['byCountry'][number];

/** Usage by country of the cycles that may be charged by zone; nothing is read for the others. */
const readZoneUsage = async (
  networkUsage: (spans: readonly UsageSpan[], ownOf?: number) => ReturnType<FindNetworkUsage>,
  orgId: number,
  priced: readonly { row: CycleRow; version: TariffVersion }[],
): Promise<(simId: number) => CountryBytes[]> => {
  const requested = priced
    .filter(({ row, version }) => row.used_bytes > 0 && chargesZones(version, row))
    .map(({ row }) => row);
  if (requested.length === 0) return () => [];
  const transferred = requested.filter(
    ({ owned_since, former_end }) => owned_since && (!former_end || owned_since > former_end),
  );
  const all = await networkUsage(requested.map(spanOf));
  const own = transferred.length > 0 ? await networkUsage(transferred.map(spanOf), orgId) : [];
  const transferredIds = new Set(transferred.map(({ sim_id }) => sim_id));
  const ownBytes = new Map(own.map(({ simId, country, bytes }) => [`${simId} ${country}`, bytes]));
  const bySim = new Map<number, CountryBytes[]>(requested.map(({ sim_id }) => [sim_id, []]));
  for (const { simId, country, bytes } of all) {
    const own = transferredIds.has(simId) ? (ownBytes.get(`${simId} ${country}`) ?? 0) : bytes;
    bySim.get(simId)?.push({ country, bytes: BigInt(bytes), ownBytes: BigInt(own) });
  }
  return (simId) => bySim.get(simId) ?? [];
};

/** A shared pool's running cycle; provided by the higher module `pool`. */
export interface PoolCycle extends Pick<PoolCycleFacts, 'policy'> {
  bundle: Coverage;
  used: number;
  limit: number;
  startedAt: Date;
  endsAt: Date;
}

/** Undefined for a pool that does not belong to the organisation. */
export type FindPoolCycle = (
  sql: Sql,
  pool: { orgId: number; id: number; now: Date },
) => Promise<PoolCycle | undefined>;

/** The periods in which usage counted for a pool in a cycle, in the order of SIMs and time. */
export type ListMemberSpans = (sql: Sql, poolId: number, cycle: PoolCycle) => Promise<MemberSpan[]>;

/** The cost of a pool's running cycle so far; null without a price. */
export const readPoolCost = async (
  sql: Sql,
  pool: { orgId: number; id: number },
  {
    cycle,
    networkUsage,
    listMemberSpans,
  }: { cycle: PoolCycle; networkUsage: FindNetworkUsage; listMemberSpans: ListMemberSpans },
): Promise<PoolCost | null> => {
  // Usage by member and country is read only if it makes a difference.
  const isOverLimit = cycle.policy === 'no limit' && cycle.used > cycle.limit;
  const spans = isOverLimit && mayChargeZones(cycle.bundle) ? await listMemberSpans(sql, pool.id, cycle) : [];
  const days = [cycle.startedAt, ...spans.map(({ cycleStartedAt }) => cycleStartedAt)].map(dayOf);
  const versions = await findVersions(sql, { orgId: pool.orgId, days });
  const version = versions.get(dayOf(cycle.startedAt));
  if (!version) return null;
  const versionOf = ({ cycleStartedAt }: MemberSpan) => versions.get(dayOf(cycleStartedAt));
  const facts = {
    ...cycle,
    usedBytes: BigInt(cycle.used),
    limitBytes: BigInt(cycle.limit),
    zonedBytes: await readZonedUsage(sql, { spans, bundle: cycle.bundle, versionOf, networkUsage }),
  };
  const span = { cycle_started_at: cycle.startedAt, cycle_ends_at: cycle.endsAt };
  return {
    ...costOf(version, span, poolChargesOf(version, facts)),
    over_limit: isOverLimit ? toPoolUsage(poolUsageOf(facts)) : null,
  };
};
