import { describe, expect, it } from 'vitest';
import type { CycleFacts, TariffVersion } from '../../price/index.ts';
import {
  arithmeticOf,
  type CatalogueBundle,
  type Comparison,
  coversUsageOf,
  createComparison,
  isAlternative,
  isWorthwhile,
  type PoolKind,
} from './offers.rules.ts';

type BundlePrices = CycleFacts['prices'];

const megabyte = 2 ** 20;

const version = (own: Partial<TariffVersion> = {}): TariffVersion => ({
  id: 1,
  tariff: { code: 't', name: 'T' },
  currency: 'EUR',
  startsOn: '2026-01-01',
  zones: [{ code: 'asia', name: 'Asia', countries: ['JP'], usageMicros: 500_000n }],
  smsMtMicros: 0n,
  smsMoMicros: 0n,
  poolCycleMicros: 2_000_000n,
  poolOverMicros: 1_000_000n,
  ...own,
});

let ids = 0;
const bundleOf = (code: string, own: Partial<CatalogueBundle> = {}): CatalogueBundle => {
  ids += 1;
  return {
    id: ids,
    code,
    name: `Bundle ${code}`,
    type: 'postpaid bundle',
    reset_cycle: 'month',
    duration_days: null,
    quota_bytes: 10 * megabyte,
    overage_policy: 'billing',
    threshold_bytes: null,
    stop_after_bytes: null,
    out_of_coverage_policy: 'not applicable',
    coverage_countries: [],
    ...own,
  };
};

const small = bundleOf('S');
const large = bundleOf('L', { quota_bytes: 2000 * megabyte });
const stops = bundleOf('STOP', { overage_policy: 'stop' });
const euros = (amount: number) => BigInt(Math.round(amount * 1e6));
const priceOf = new Map<number, BundlePrices>([
  [small.id, { activationMicros: euros(3), cycleMicros: euros(5), overMicros: euros(0.01) }],
  [large.id, { activationMicros: euros(1), cycleMicros: euros(8), overMicros: euros(0.01) }],
  [stops.id, { activationMicros: 0n, cycleMicros: euros(1), overMicros: 0n }],
]);
const free: BundlePrices = { activationMicros: 0n, cycleMicros: 0n, overMicros: 0n };
const pricesOf = (id: number) => priceOf.get(id) ?? free;
const months = ['2026-08', '2026-09', '2026-10'];

interface Used {
  /** Megabytes of each SIM in each month. */
  usage: readonly number[];
  abroad?: number;
  own?: CatalogueBundle;
  others?: readonly CatalogueBundle[];
  pools?: readonly PoolKind[];
  of?: TariffVersion;
  topUp?: number;
  /** An order of each SIM began in each cycle. */
  ordered?: boolean;
}

const compared = ({
  usage,
  abroad = 0,
  own = small,
  others = [],
  pools = [],
  of = version(),
  topUp = 0,
  ordered,
}: Used) => {
  const group = createComparison({ bundle: own, others, pools });
  for (const month of months) {
    for (const [simId, used] of usage.entries()) {
      const bytes = (amount: number) => BigInt(amount * megabyte);
      group.add({
        simId,
        month,
        version: of,
        pricesOf,
        facts: {
          bundle: own,
          prices: pricesOf(own.id),
          usedBytes: bytes(used + abroad),
          ownsCycleStart: true,
          limitBytes: own.quota_bytes === null ? null : BigInt(own.quota_bytes + topUp * megabyte),
          activations: ordered ? [{ code: own.code, name: own.name, prices: pricesOf(own.id) }] : [],
          pooledByCountry: [],
          byCountry: abroad === 0 ? [] : [{ country: 'JP', bytes: bytes(abroad), ownBytes: bytes(abroad) }],
        },
      });
    }
  }
  return group.results();
};

const sumsOf = (one: Comparison | undefined, own = small) =>
  one &&
  Object.values(arithmeticOf(one, { own, activationMicros: pricesOf(one.bundle.id).activationMicros }));

describe('another bundle', () => {
  it('costs the fees, the overage and the change for the same usage', () => {
    // Two SIMs, three months, 1,010 MB each: 6 × 5.00 and 6,000 MB × 0.01; instead 6 × 8.00, and 2 × 1.00 for the change.
    const [one] = compared({ usage: [1010, 1010], others: [small, large] });
    expect(one).toEqual({
      bundle: large,
      pool: null,
      sims: 2,
      months,
      cycles: 6,
      currency: 'EUR',
      was: [
        expect.objectContaining({ kind: 'cycle', quantity: 6, price_micros: 5_000_000, amount_minor: 3000 }),
        expect.objectContaining({ kind: 'over-quota', quantity: 6000, unit: 'MB', amount_minor: 6000 }),
      ],
      would: [expect.objectContaining({ kind: 'cycle', quantity: 6, amount_minor: 4800 })],
    });
    expect(sumsOf(one)).toEqual([9000, 4800, 200, 4000]);
  });

  it('that costs more has a negative saving and is not offered', () => {
    // Within the quota of the small one: 30.00, instead of 48.00 and 2.00.
    const [one] = compared({ usage: [9, 9], others: [large] });
    expect(sumsOf(one)).toEqual([3000, 4800, 200, -2000]);
    expect(one && isWorthwhile(arithmeticOf(one, { own: small, activationMicros: 0n }))).toBe(false);
  });

  it('is no alternative if it would have stopped the usage', () => {
    expect(compared({ usage: [9, 11], others: [stops] })).toEqual([]);
    expect(sumsOf(compared({ usage: [9, 10], others: [stops] })[0])).toEqual([3000, 600, 0, 2400]);
    const slow = bundleOf('SLOW', { overage_policy: 'billing and slow down' });
    const some = bundleOf('SOME', {
      overage_policy: 'billing then stop after',
      stop_after_bytes: 5 * megabyte,
    });
    for (const { id } of [slow, some]) priceOf.set(id, { ...free, cycleMicros: euros(1) });
    expect(compared({ usage: [11], others: [slow, some] }).map(({ bundle }) => bundle.code)).toEqual([
      'SOME',
    ]);
    expect(compared({ usage: [16], others: [slow, some] })).toEqual([]);
  });

  it('counts usage abroad, although it is charged by zone', () => {
    const own = bundleOf('OWN', { coverage_countries: ['DE'], out_of_coverage_policy: 'billing' });
    const other = (code: string, policy: CatalogueBundle['overage_policy']) => {
      const bundle = bundleOf(code, {
        coverage_countries: ['DE'],
        out_of_coverage_policy: 'billing',
        overage_policy: policy,
        stop_after_bytes: 3 * megabyte,
      });
      priceOf.set(bundle.id, { ...free, cycleMicros: euros(1) });
      return bundle;
    };
    priceOf.set(own.id, { ...free, cycleMicros: euros(5) });
    const others = [
      other('STOPS', 'stop'),
      other('SLOWS', 'billing and slow down'),
      other('STOPS AFTER', 'billing then stop after'),
      other('GOES ON', 'billing'),
    ];
    // 8 MB in Germany and 6 MB in Japan are 14 MB of a quota of 10 MB.
    const codes = (abroad: number) =>
      compared({ usage: [8], abroad, own, others }).map(({ bundle }) => bundle.code);
    expect(codes(6)).toEqual(['GOES ON']);
    expect(codes(5)).toEqual(['STOPS AFTER', 'GOES ON']);
    expect(codes(2)).toEqual(['STOPS', 'SLOWS', 'STOPS AFTER', 'GOES ON']);
  });

  it('includes top-ups', () => {
    expect(compared({ usage: [14], topUp: 4, others: [stops] })).toHaveLength(1);
    expect(compared({ usage: [15], topUp: 4, others: [stops] })).toEqual([]);
  });

  it('is not compared without a price or in several currencies', () => {
    const unpriced = bundleOf('NEW');
    expect(compared({ usage: [1], others: [unpriced] })).toEqual([]);
    const group = createComparison({ bundle: small, others: [large], pools: [] });
    for (const charged of [version(), version({ id: 2, currency: 'JPY' })]) {
      group.add({
        simId: 1,
        month: '2026-08',
        version: charged,
        pricesOf,
        facts: {
          bundle: small,
          prices: pricesOf(small.id),
          usedBytes: 0n,
          limitBytes: 1n,
          ownsCycleStart: true,
          activations: [],
          byCountry: [],
          pooledByCountry: [],
        },
      });
    }
    expect(group.results()).toEqual([]);
  });

  it('charges the same orders at its own prices', () => {
    // 3 × 5.00 and 3 × 3.00; instead 3 × 8.00, 3 × 1.00 and 1.00 for the change.
    const [one] = compared({ usage: [1], ordered: true, others: [large] });
    expect(one?.would).toMatchObject([
      { kind: 'activation', quantity: 3, amount_minor: 300 },
      { kind: 'cycle', amount_minor: 2400 },
    ]);
    expect(sumsOf(one)).toEqual([2400, 2700, 100, -400]);
  });

  it('charges usage abroad by its own coverage', () => {
    const here = bundleOf('DE', { coverage_countries: ['DE'], out_of_coverage_policy: 'billing' });
    priceOf.set(here.id, { ...free, cycleMicros: euros(4), overMicros: euros(1) });
    // 3 × 4.00 and 3 × 8 MB in Asia × 0.50; the large one covers Asia.
    const [one] = compared({ usage: [1], abroad: 8, own: here, others: [large] });
    expect(one?.was).toMatchObject([
      { kind: 'cycle', amount_minor: 1200 },
      { kind: 'out-of-coverage', zone: { code: 'asia' }, quantity: 24, amount_minor: 1200 },
    ]);
    expect(sumsOf(one, here)).toEqual([2400, 2400, 100, -100]);
  });

  it('has the same cycles and terms, and covers the countries used', () => {
    const yes = (other: Partial<CatalogueBundle>, own: Partial<CatalogueBundle> = {}) =>
      isAlternative(bundleOf('O', other), bundleOf('X', own));
    expect(yes({})).toBe(true);
    expect(yes({ reset_cycle: 'day' })).toBe(false);
    expect(yes({ duration_days: 30 })).toBe(false);
    expect(yes({ type: 'prepaid basic' })).toBe(false);
    expect(yes({ type: 'postpaid shared' })).toBe(false);
    expect(isAlternative(small, small)).toBe(false);
    const covers = (other: Partial<CatalogueBundle>, own: Partial<CatalogueBundle>) =>
      coversUsageOf(bundleOf('O', other), bundleOf('X', own));
    const de: Partial<CatalogueBundle> = { coverage_countries: ['DE'], out_of_coverage_policy: 'billing' };
    expect(covers({}, de)).toBe(true);
    expect(covers({ ...de, coverage_countries: ['DE', 'FR'] }, de)).toBe(true);
    expect(covers({ ...de, coverage_countries: ['FR'] }, de)).toBe(false);
    expect(covers({ ...de, out_of_coverage_policy: 'shut down' }, de)).toBe(false);
    expect(covers(de, { ...de, out_of_coverage_policy: 'shut down' })).toBe(true);
    expect(covers(de, {})).toBe(false);
  });
});

describe('a shared pool', () => {
  const dear = bundleOf('DEAR');
  priceOf.set(dear.id, { activationMicros: euros(3), cycleMicros: euros(5), overMicros: euros(1) });
  const trucks = (own: Partial<PoolKind> = {}): PoolKind => ({
    name: 'Trucks',
    policy: 'no limit',
    bundle: dear,
    ...own,
  });

  it('has the combined quota of its members, and its own fee for each cycle', () => {
    // One SIM 8 MB beyond, the other far within: 30.00 and 24 MB × 1.00; instead 30.00 and 3 × 2.00 for the
    // pool. No new orders.
    const [one] = compared({ usage: [18, 1], pools: [trucks()], own: dear });
    expect(one).toMatchObject({ bundle: dear, pool: 'Trucks', sims: 2 });
    expect(sumsOf(one, dear)).toEqual([5400, 3600, 0, 1800]);
    // Together 3 MB beyond 20 in each month, at 1.00.
    expect(sumsOf(compared({ usage: [22, 1], pools: [trucks()], own: dear })[0], dear)).toEqual([
      6600, 4500, 0, 2100,
    ]);
  });

  it('that stops its members is no alternative for usage beyond its limit', () => {
    const pool = trucks({ policy: 'stop overage SIMs' });
    expect(compared({ usage: [18, 1], pools: [pool], own: dear })).toHaveLength(1);
    expect(compared({ usage: [20, 1], pools: [pool], own: dear })).toEqual([]);
    // Whether or not usage beyond the limit has a price.
    expect(
      compared({ usage: [20, 1], pools: [pool], own: dear, of: version({ poolOverMicros: 0n }) }),
    ).toEqual([]);
  });

  it('that stops its members counts their usage abroad, although it is charged by zone', () => {
    const bundle = bundleOf('ZONED', { coverage_countries: ['DE'], out_of_coverage_policy: 'billing' });
    priceOf.set(bundle.id, { ...free, cycleMicros: euros(5) });
    const pools = [trucks({ policy: 'stop overage SIMs', bundle })];
    // Two members with 4 MB in Germany each, and abroad 6 or 7 MB each: 20 or 22 MB of 20 MB.
    expect(compared({ usage: [4, 4], abroad: 6, own: bundle, pools })).toHaveLength(1);
    expect(compared({ usage: [4, 4], abroad: 7, own: bundle, pools })).toEqual([]);
  });

  it('is compared only for calendar months', () => {
    const full = bundleOf('FULL', { reset_cycle: 'full month' });
    priceOf.set(full.id, { ...free, cycleMicros: euros(5) });
    expect(compared({ usage: [1], own: full, pools: [trucks()] })).toEqual([]);
    expect(
      compared({ usage: [1], pools: [trucks({ bundle: bundleOf('ANY', { quota_bytes: null }) })] }),
    ).toEqual([]);
  });
});

describe('an offer', () => {
  it('requires a saving of 5 % and 1,000 minor units', () => {
    const is = (was_minor: number, saving_minor: number) =>
      isWorthwhile({ was_minor, saving_minor, would_minor: 0, change_minor: 0 });
    expect(is(20_000, 1000)).toBe(true);
    expect(is(20_000, 999)).toBe(false);
    expect(is(20_001, 1000)).toBe(false);
    expect(is(100, 999)).toBe(false);
    expect(is(1000, -1000)).toBe(false);
  });
});
