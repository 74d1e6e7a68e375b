import { limits } from '@simcube/contract';
import type { BundleSpec, ResetCycle } from '@simcube/contract/bundle';
import type { OfferLine } from '@simcube/contract/finance';
import type { ChargeLine } from '@simcube/contract/price';
import {
  type CycleFacts,
  chargesOf,
  lineAmount,
  type PoolCycleFacts,
  poolChargesOf,
  type TariffVersion,
  zonedBytes,
} from '../../price/index.ts';
import { isPrepaid } from '../charges/cycle-charges.rules.ts';
import { amountOf, amountsOf, type BookedLine, createLineBook } from '../charges/line-book.rules.ts';

type BundlePrices = CycleFacts['prices'];

/** A bundle of the catalogue with the facts that decide its charges. */
export interface CatalogueBundle extends Readonly<CycleFacts['bundle']> {
  id: number;
  type: BundleSpec['type'];
  reset_cycle: ResetCycle;
  duration_days: number | null;
  quota_bytes: number | null;
}

export interface PoolKind {
  name: string;
  policy: 'no limit' | 'stop overage SIMs';
  bundle: CatalogueBundle;
}

/** A past cycle on the bundle that is compared. */
export interface ComparedCycle {
  simId: number;
  /** The month in which it ended. */
  month: string;
  version: TariffVersion;
  pricesOf: (bundleId: number) => BundlePrices;
  facts: CycleFacts;
}

/** What the same usage would have cost. */
export interface Comparison {
  bundle: CatalogueBundle;
  /** For one pool like the one with this name. */
  pool: string | null;
  sims: number;
  months: string[];
  cycles: number;
  currency: string;
  was: OfferLine[];
  would: OfferLine[];
}

/** Cycles of SIMs on one bundle, and the alternatives to compare. */
export interface Group {
  bundle: CatalogueBundle;
  others: readonly CatalogueBundle[];
  pools: readonly PoolKind[];
}

const isEverywhere = ({ coverage_countries: countries }: CatalogueBundle): boolean => countries.length === 0;

/**
 * Whether a bundle is valid wherever another one was used, on the same terms: only then is its price one for
 * the same usage. If a bundle shuts down outside its coverage, all its usage was within the coverage.
 */
export const coversUsageOf = (other: CatalogueBundle, own: CatalogueBundle): boolean => {
  if (isEverywhere(other)) return true;
  const includes = own.coverage_countries.every((country) => other.coverage_countries.includes(country));
  if (isEverywhere(own) || !includes) return false;
  const { out_of_coverage_policy: policy } = own;
  return policy === 'shut down' || policy === other.out_of_coverage_policy;
};

const sharedType = 'postpaid shared';

/** Whether SIMs on a bundle could equally have been on another: with the same cycles, payment and end. */
export const isAlternative = (other: CatalogueBundle, own: CatalogueBundle): boolean =>
  other.id !== own.id &&
  other.type !== sharedType &&
  isPrepaid(other.type) === isPrepaid(own.type) &&
  other.reset_cycle === own.reset_cycle &&
  other.duration_days === own.duration_days &&
  coversUsageOf(other, own);

/** Whether SIMs on a bundle could have been in such a pool: both must have cycles of calendar months. */
const isPoolAlternative = ({ bundle }: PoolKind, own: CatalogueBundle): boolean =>
  own.reset_cycle === 'month' &&
  bundle.reset_cycle === 'month' &&
  bundle.quota_bytes !== null &&
  !isPrepaid(own.type) &&
  own.duration_days === null &&
  (bundle.id === own.id || coversUsageOf(bundle, own));

/** Collects the cycles of a group; their alternative costs are known after all have been added. */
export const createComparison = ({ bundle: own, others, pools }: Group) => {
  const currentCosts = createTally();
  const sims = new Set<number>();
  const months = new Set<string>();
  let cycles = 0;
  const alternatives = [
    ...others.filter((other) => isAlternative(other, own)).map((other) => bundleAlternative(other, own)),
    ...pools.filter((pool) => isPoolAlternative(pool, own)).map((pool) => poolAlternative(pool)),
  ];
  return {
    add: (cycle: ComparedCycle): void => {
      sims.add(cycle.simId);
      months.add(cycle.month);
      cycles += 1;
      currentCosts.add(cycle.version, chargesOf(cycle.version, cycle.facts));
      for (const alternative of alternatives) alternative.add(cycle);
    },
    results: (): Comparison[] => {
      const before = currentCosts.lines();
      if (!before) return [];
      return alternatives.flatMap(({ bundle, pool, lines }) => {
        const after = lines();
        return after?.currency === before.currency
          ? [
              {
                bundle,
                pool,
                sims: sims.size,
                months: [...months].toSorted(),
                cycles,
                currency: before.currency,
                was: before.lines,
                would: after.lines,
              },
            ]
          : [];
      });
    },
  };
};

interface Alternative {
  bundle: CatalogueBundle;
  pool: string | null;
  add: (cycle: ComparedCycle) => void;
  /** Undefined if the same usage would not have been possible, or has no price. */
  lines: () => TallyResult | undefined;
}

const isPriced = ({ activationMicros, cycleMicros, overMicros }: BundlePrices): boolean =>
  activationMicros + cycleMicros + overMicros > 0n;

/** The orders of the bundle, as if they had been for another one. */
const activationsAs = (
  { facts: { activations }, pricesOf }: ComparedCycle,
  { code, name, id }: CatalogueBundle,
): CycleFacts['activations'] => activations.map(() => ({ code, name, prices: pricesOf(id) }));

const bundleAlternative = (other: CatalogueBundle, own: CatalogueBundle): Alternative => {
  const costs = createTally();
  let isPossible = true;
  return {
    bundle: other,
    pool: null,
    add: (cycle) => {
      if (!isPossible) return;
      const prices = cycle.pricesOf(other.id);
      const facts = {
        ...cycle.facts,
        bundle: other,
        prices,
        limitBytes: limitWith(other, { own, limit: cycle.facts.limitBytes }),
        activations: activationsAs(cycle, other),
      };
      isPossible = isPriced(prices) && isUsagePossible(facts);
      costs.add(cycle.version, chargesOf(cycle.version, facts));
    },
    lines: () => (isPossible ? costs.lines() : undefined),
  };
};

/** The quota, plus what was topped up beyond the own bundle's. */
const limitWith = (
  { quota_bytes: quota }: CatalogueBundle,
  { own, limit }: { own: CatalogueBundle; limit: bigint | null },
): bigint | null => {
  if (quota === null) return null;
  const extra = limit === null || own.quota_bytes === null ? 0n : limit - BigInt(own.quota_bytes);
  return BigInt(quota) + (extra > 0n ? extra : 0n);
};

/**
 * Whether usage would not have been stopped or slowed: a bundle that stops at its quota has no price for more. All usage
 * counts, also what is charged by zone.
 */
const isUsagePossible = ({ bundle, usedBytes, limitBytes }: CycleFacts): boolean => {
  const beyond = limitBytes === null ? 0n : usedBytes - limitBytes;
  if (beyond <= 0n) return true;
  const { overage_policy: policy, stop_after_bytes: most } = bundle;
  if (policy === 'billing then stop after') return most !== null && beyond <= BigInt(most);
  return policy === 'billing' || policy === 'billing and threshold';
};

interface PoolMonth {
  version: TariffVersion;
  used: bigint;
  limit: bigint;
  zoned: bigint;
}

/** Members pay the bundle's fee and usage in zones; the quota is that of all members together. */
const poolAlternative = ({ name, policy, bundle }: PoolKind): Alternative => {
  const costs = createTally();
  const months = new Map<string, PoolMonth>();
  let isPossible = true;
  return {
    bundle,
    pool: name,
    add: (cycle) => {
      const { version, facts } = cycle;
      const prices = cycle.pricesOf(bundle.id);
      isPossible &&= isPriced(prices);
      const member = {
        ...facts,
        bundle,
        prices,
        limitBytes: null,
        activations: activationsAs(cycle, bundle),
      };
      costs.add(version, chargesOf(version, member));
      const key = `${cycle.month} ${version.id}`;
      const month = months.get(key) ?? { version, used: 0n, limit: 0n, zoned: 0n };
      months.set(key, month);
      month.used += facts.usedBytes;
      month.limit += BigInt(bundle.quota_bytes ?? 0);
      month.zoned += zonedBytes(version, bundle, facts.byCountry);
    },
    lines: () => {
      for (const { version, ...month } of isPossible ? months.values() : []) {
        const lines = poolChargesOf(version, poolFactsOf(month));
        isPossible &&= policy === 'no limit' || month.used <= month.limit;
        costs.add(version, lines);
      }
      months.clear();
      return isPossible ? costs.lines() : undefined;
    },
  };
};

const poolFactsOf = ({ used, limit, zoned }: Omit<PoolMonth, 'version'>): PoolCycleFacts => ({
  policy: 'no limit',
  usedBytes: used,
  limitBytes: limit,
  zonedBytes: zoned,
});

interface TallyResult {
  currency: string;
  lines: OfferLine[];
}

/** Lines as in bills: all quantities at a price are added up and rounded once. */
const createTally = () => {
  const book = createLineBook();
  return {
    add: (version: TariffVersion, lines: readonly ChargeLine[]): void => {
      for (const line of lines) {
        const { kind, unit, zone, bundle } = line;
        book.add(
          {
            type: 'post-payment',
            orgId: 0,
            kind,
            unit,
            zone,
            bundle,
            pool: null,
            version,
            priceMicros: BigInt(line.price_micros),
            corrects: null,
          },
          amountsOf(line),
        );
      }
    },
    /** Undefined if they are in several currencies, or there are none. */
    lines: (): TallyResult | undefined => {
      const [bill, other] = book.bills();
      return bill && !other ? { currency: bill.currency, lines: bill.lines.map(toOfferLine) } : undefined;
    },
  };
};

const toOfferLine = (line: BookedLine): OfferLine => ({
  kind: line.kind,
  zone: line.zone,
  unit: line.unit,
  tariff: { ...line.version.tariff, starts_on: line.version.startsOn },
  quantity: Number(line.quantity),
  price_micros: Number(line.priceMicros),
  amount_minor: Number(amountOf(line)),
});

export interface Arithmetic {
  was_minor: number;
  would_minor: number;
  change_minor: number;
  saving_minor: number;
}

/** What a change would have saved, less the cost of the change itself. */
export const arithmeticOf = (
  { bundle, sims, currency, was, would }: Comparison,
  { own, activationMicros }: { own: CatalogueBundle; activationMicros: bigint },
): Arithmetic => {
  const sum = (lines: readonly OfferLine[]) => lines.reduce((all, line) => all + line.amount_minor, 0);
  const orders = bundle.id === own.id ? 0n : BigInt(sims);
  const change = Number(lineAmount({ quantity: orders, priceMicros: activationMicros, currency }));
  const [was_minor, would_minor] = [sum(was), sum(would)];
  return { was_minor, would_minor, change_minor: change, saving_minor: was_minor - would_minor - change };
};

/** A change is worthwhile only if it saves a minimum share of the cost and a minimum amount. */
export const isWorthwhile = ({ was_minor: was, saving_minor: saving }: Arithmetic): boolean =>
  saving >= limits.bills.offer.leastMinor && saving * 100 >= was * limits.bills.offer.percent;
