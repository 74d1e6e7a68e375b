import type { BundleSpec } from '@simcube/contract/bundle';
import type { SimCost } from '@simcube/contract/price';
import { dashboardDays } from '../../platform/clock/business-day.ts';
import type { Sql } from '../../platform/db/index.ts';
import {
  type CycleFacts,
  chargesOf,
  costStandsTo,
  type Named,
  type TariffVersion,
  totalOf,
} from './price.rules.ts';
import { findBundlePrices, findVersions } from './price.views.ts';

/** A SIM's cycle whose usage is asked for by network. */
export interface NetworkUsageQuestion {
  simId: number;
  /** From the end of the cycle before, as what lies between counts in this one; null from the beginning. */
  from: Date | null;
  to: Date;
}

/** Usage of cycles by network, all of it or an organisation's own part; what usage knows, which stands above. */
export type FindNetworkUsage = (
  sql: Sql,
  spans: readonly NetworkUsageQuestion[],
  ownOf?: number,
) => Promise<{ simId: number; country: string | null; bytes: number }[]>;

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
  activated_at: Date;
  overage_policy: BundleSpec['overage_policy'];
  out_of_coverage_policy: BundleSpec['out_of_coverage_policy'];
  coverage_countries: string[];
  threshold_bytes: number | null;
  stop_after_bytes: number | null;
  activations: { bundle_id: number; code: string; name: string }[];
}

/**
 * Running cycles of own SIMs. Fees are the organisation's that had the SIM when they fell due: activations are those of
 * orders that began while it was this one's.
 */
const readCycles = async (sql: Sql, orgId: number, iccids: readonly string[]): Promise<CycleRow[]> => {
  const { rows } = await sql.query<CycleRow>(
    `select s.id as sim_id, s.iccid, s.owned_since, l.cycle_started_at, l.cycle_ends_at, l.used_bytes, l.limit_bytes,
       o.activated_at, b.id as bundle_id, b.code, b.name, b.overage_policy, b.out_of_coverage_policy,
       b.coverage_countries, b.threshold_bytes, b.stop_after_bytes,
       (select max(c.cycle_ends_at) from usage_cycles c
        where c.sim_id = s.id and c.cycle_started_at <= l.cycle_started_at) as former_end,
       (select coalesce(json_agg(json_build_object('bundle_id', a.id, 'code', a.code, 'name', a.name)
          order by x.activated_at, x.id), '[]')
        from bundle_orders x join bundles a on a.id = x.bundle_id
        where x.sim_id = s.id and x.org_id = s.org_id and x.activated_at >= l.cycle_started_at
          and x.activated_at < l.cycle_ends_at
          and x.activated_at >= coalesce(s.owned_since, '-infinity')) as activations
     from sims s join sim_live l on l.sim_id = s.id join bundles b on b.id = s.bundle_id
     cross join lateral (
       select activated_at from bundle_orders
       where sim_id = s.id and bundle_id = s.bundle_id and status = 'in use' order by id limit 1) as o
     where s.iccid = any($2::text[]) and s.org_id = $1 and l.cycle_started_at is not null
       and l.cycle_ends_at is not null`,
    [orgId, iccids],
  );
  return rows;
};

const dayOf = (at: Date): string => dashboardDays.dayOf(at);
const later = (one: Date, other: Date): Date => (one > other ? one : other);

export interface StandingCost {
  cost: SimCost;
  /** Usage of the cycle up to which it stays the same; null: however much it is. */
  standsTo: bigint | null;
}

/** What the running cycles of an organisation's SIMs have cost so far, by ICCID; those without a price are left out. */
export const readCosts = async (
  sql: Sql,
  {
    orgId,
    iccids,
    networkUsage,
  }: { orgId: number; iccids: readonly string[]; networkUsage: FindNetworkUsage },
): Promise<Map<string, StandingCost>> => {
  const cycles = await readCycles(sql, orgId, iccids);
  const versions = await findVersions(sql, { orgId, days: cycles.map((row) => dayOf(row.cycle_started_at)) });
  const priced = cycles.flatMap((row) => {
    const version = versions.get(dayOf(row.cycle_started_at));
    return version ? [{ row, version }] : [];
  });
  const versionIds = priced.map(({ version }) => version.id);
  const pricesOf = await findBundlePrices(sql, versionIds);
  const usageOf = await usageOutside((...question) => networkUsage(sql, ...question), orgId, priced);
  return new Map(
    priced.map(({ row, version }) => {
      const prices = (bundleId: number) => pricesOf(version.id, bundleId);
      const since = row.owned_since;
      const facts: CycleFacts = {
        bundle: row,
        prices: prices(row.bundle_id),
        usedBytes: BigInt(row.used_bytes),
        limitBytes: row.limit_bytes === null ? null : BigInt(row.limit_bytes),
        isBegun: since === null || since <= later(row.cycle_started_at, row.activated_at),
        activations: row.activations.map((order) => ({ ...order, prices: prices(order.bundle_id) })),
        byCountry: usageOf(row.sim_id),
      };
      return [row.iccid, { cost: costOf(version, row, facts), standsTo: costStandsTo(version, facts) }];
    }),
  );
};

const costOf = (version: TariffVersion, row: CycleRow, facts: CycleFacts): SimCost => {
  const lines = chargesOf(version, facts);
  return {
    currency: version.currency,
    total_minor: totalOf(lines),
    tariff: { ...version.tariff, starts_on: version.startsOn },
    cycle: { started_at: row.cycle_started_at.toISOString(), ends_at: row.cycle_ends_at.toISOString() },
    lines,
  };
};

type CountryBytes = CycleFacts['byCountry'][number];

/** Usage by country of the cycles of which some may be charged by zone; of the others nothing is read. */
const usageOutside = async (
  networkUsage: (spans: readonly NetworkUsageQuestion[], ownOf?: number) => ReturnType<FindNetworkUsage>,
  orgId: number,
  priced: readonly { row: CycleRow; version: TariffVersion }[],
): Promise<(simId: number) => CountryBytes[]> => {
  const asked = priced
    .filter(
      ({ row, version }) =>
        row.out_of_coverage_policy === 'billing' &&
        row.coverage_countries.length > 0 &&
        row.used_bytes > 0 &&
        version.zones.length > 0,
    )
    .map(({ row }) => row);
  if (asked.length === 0) return () => [];
  const spanOf = (row: CycleRow) => ({ simId: row.sim_id, from: row.former_end, to: row.cycle_ends_at });
  const came = asked.filter(
    ({ owned_since, former_end }) => owned_since && (!former_end || owned_since > former_end),
  );
  const all = await networkUsage(asked.map(spanOf));
  const own = came.length > 0 ? await networkUsage(came.map(spanOf), orgId) : [];
  const hasFormer = new Set(came.map(({ sim_id }) => sim_id));
  const ownBytes = new Map(own.map(({ simId, country, bytes }) => [`${simId} ${country}`, bytes]));
  const bySim = new Map<number, CountryBytes[]>(asked.map(({ sim_id }) => [sim_id, []]));
  for (const { simId, country, bytes } of all) {
    const own = hasFormer.has(simId) ? (ownBytes.get(`${simId} ${country}`) ?? 0) : bytes;
    bySim.get(simId)?.push({ country, bytes: BigInt(bytes), ownBytes: BigInt(own) });
  }
  return (simId) => bySim.get(simId) ?? [];
};
