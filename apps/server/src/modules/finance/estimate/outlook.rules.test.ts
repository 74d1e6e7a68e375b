import { billLineKinds } from '@simcube/contract/finance';
import { dayMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChargedQuantity, chargeDifference, type TariffVersion } from '../../price/index.ts';
import { billMonth } from '../bill.rules.ts';
import { type BilledCycle, usageCharges } from '../charges/cycle-charges.rules.ts';
import { amountsOf, createLineBook, type LineFacts } from '../charges/line-book.rules.ts';
import {
  currenciesOf,
  expectedMore,
  type Scenario,
  scenarios,
  spreadOf,
  withMoreUsage,
} from './outlook.rules.ts';

const megabyte = 2n ** 20n;
const month = billMonth('2026-11');
const halfway = new Date('2026-11-15T16:00:00Z');
const secondsOf = (from: Date, until: Date) => BigInt((until.getTime() - from.getTime()) / 1000);

describe('the spread of usage', () => {
  const spread = (days: number[], now = halfway) => spreadOf({ days, now, until: month.until });

  it('is zero if all days were equal, and wide if nothing is known', () => {
    expect(spread([5, 5, 5, 5])).toEqual({ low: 1_000_000n, expected: 1_000_000n, high: 1_000_000n });
    expect(spread([5, 5])).toEqual({ low: 0n, expected: 1_000_000n, high: 2_000_000n });
    expect(spread([])).toEqual({ low: 0n, expected: 1_000_000n, high: 2_000_000n });
  });

  it('contains four of five months with the same daily variation', () => {
    // Mean 10, standard deviation 2 (of three days 8, 10, 12), fifteen days left: 1.2816 × 2 × √15 of 150.
    expect(spread([8e9, 10e9, 12e9])).toEqual({ low: 933_818n, expected: 1_000_000n, high: 1_066_182n });
  });
});

describe('usage to the end of a cycle', () => {
  it('continues at the rate of past days', () => {
    const pace = { used: 150n, seconds: 15n };
    expect(expectedMore(pace, 10n, 1_000_000n)).toBe(100n);
    expect(expectedMore(pace, 10n, 1_500_000n)).toBe(150n);
    expect(expectedMore(pace, 0n, 1_000_000n)).toBe(0n);
    expect(expectedMore({ used: 1n, seconds: 0n }, 10n, 1_000_000n)).toBe(0n);
  });
});

const version = (currency: string): TariffVersion => ({
  id: 1,
  tariff: { code: 't', name: 'T' },
  currency,
  startsOn: '2026-01-01',
  zones: [{ code: 'asia', name: 'Asia', countries: ['JP'], usageMicros: 123_456n }],
  smsMtMicros: 0n,
  smsMoMicros: 0n,
  poolCycleMicros: 0n,
  poolOverMicros: 0n,
});

const cycleOf = (usage: { de: bigint; jp: bigint; pooled: bigint }, limitBytes: bigint): BilledCycle => ({
  startedAt: month.from,
  endsAt: month.until,
  activatedAt: month.from,
  ownsBegin: true,
  ownsEnd: true,
  facts: {
    bundle: {
      code: 'B',
      name: 'B',
      overage_policy: 'billing',
      threshold_bytes: null,
      stop_after_bytes: null,
      out_of_coverage_policy: 'billing',
      coverage_countries: ['DE'],
    },
    prices: { activationMicros: 0n, cycleMicros: 4_990_000n, overMicros: 15_300n },
    usedBytes: usage.de + usage.jp,
    limitBytes,
    activations: [],
    byCountry: [
      { country: 'DE', bytes: usage.de, ownBytes: usage.de },
      { country: 'JP', bytes: usage.jp, ownBytes: usage.jp },
    ],
    pooledByCountry: [{ country: 'DE', bytes: usage.pooled }],
  },
});

const bytes = fc.bigInt({ min: 0n, max: 40n * megabyte });
const cycles = fc.array(
  fc.record({ de: bytes, jp: bytes, pooledShare: fc.bigInt({ min: 0n, max: 100n }), limit: bytes }),
  { minLength: 1, maxLength: 12 },
);
type Cycles = typeof cycles extends fc.Arbitrary<infer T> ? T : never;
const days = fc.array(fc.integer({ min: 0, max: 1_000_000_000 }), { maxLength: 28 });

/** The month of some SIMs as the estimate puts it together. */
const estimated = (
  sims: Cycles,
  { now, currency, behind }: { now: Date; currency: string; behind: number[] },
) => {
  const spread = spreadOf({ days: behind, now, until: month.until });
  const books = {
    soFar: createLineBook(),
    low: createLineBook(),
    expected: createLineBook(),
    high: createLineBook(),
  };
  const of = version(currency);
  const add = (book: keyof typeof books, cycle: readonly ChargedQuantity[]) => {
    for (const line of cycle) {
      const facts: LineFacts = {
        type: 'post-payment',
        orgId: 1,
        kind: line.kind,
        bundle: line.bundle,
        zone: line.zone,
        pool: null,
        unit: line.unit,
        priceMicros: BigInt(line.price_micros),
        version: of,
        corrects: null,
      };
      books[book].add(facts, amountsOf(line));
    }
  };
  for (const { de, jp, pooledShare, limit } of sims) {
    const cycle = cycleOf({ de, jp, pooled: (de * pooledShare) / 100n }, limit);
    const before = usageCharges(of, cycle);
    const pace = { used: de + jp, seconds: secondsOf(month.from, now) };
    add('soFar', before);
    for (const scenario of scenarios) {
      const more = expectedMore(pace, secondsOf(now, month.until), spread[scenario]);
      const after = usageCharges(of, withMoreUsage(cycle, { more, isPooled: pooledShare > 0n }));
      add(scenario, before);
      add(scenario, chargeDifference(after, before));
    }
  }
  const { soFar, low, expected, high } = books;
  return currenciesOf({
    soFar: soFar.bills(),
    low: low.bills(),
    expected: expected.bills(),
    high: high.bills(),
  });
};

describe('an estimate', () => {
  const currencies = fc.constantFrom('JPY', 'EUR', 'KWD');

  it('lies in its range, is at least the charges so far, and is the sum of its parts', () => {
    fc.assert(
      fc.property(
        cycles,
        days,
        currencies,
        fc.integer({ min: 1, max: 29 }),
        (sims, behind, currency, day) => {
          const now = new Date(month.from.getTime() + day * dayMs);
          for (const one of estimated(sims, { now, currency, behind })) {
            expect(one.currency).toBe(currency);
            for (const part of [one, ...one.parts]) {
              expect(part.so_far_minor).toBeLessThanOrEqual(part.low_minor);
              expect(part.low_minor).toBeLessThanOrEqual(part.expected_minor);
              expect(part.expected_minor).toBeLessThanOrEqual(part.high_minor);
            }
            for (const key of ['so_far_minor', 'low_minor', 'expected_minor', 'high_minor'] as const) {
              expect(one.parts.every((part) => Number.isSafeInteger(part[key]))).toBe(true);
              expect(one[key]).toBe(one.parts.reduce((sum, part) => sum + part[key], 0));
            }
          }
        },
      ),
    );
  });

  it('equals the charges so far once the month has ended', () => {
    fc.assert(
      fc.property(cycles, days, currencies, (sims, behind, currency) => {
        for (const one of estimated(sims, { now: month.until, currency, behind })) {
          for (const { so_far_minor: soFar, ...part } of [one, ...one.parts]) {
            expect([part.low_minor, part.expected_minor, part.high_minor]).toEqual([soFar, soFar, soFar]);
          }
        }
      }),
    );
  });

  it('charges expected usage beyond the quota, and each fee only once', () => {
    // 8 MB of 10 at half the month: 16 MB at its end, 6 beyond, at 0.0153.
    const sims = [{ de: 8n * megabyte, jp: 0n, pooledShare: 0n, limit: 10n * megabyte }];
    const [one] = estimated(sims, { now: halfway, currency: 'EUR', behind: [1, 1, 1] });
    expect(one?.parts).toEqual([
      {
        group: 'overage',
        kind: 'over-quota',
        zone: null,
        so_far_minor: 0,
        low_minor: 9,
        expected_minor: 9,
        high_minor: 9,
      },
    ]);
    const book = createLineBook();
    const of = version('EUR');
    const facts = { kind: 'cycle', unit: 'each', priceMicros: 4_990_000n, zone: null, pool: null } as const;
    const section = { type: 'post-payment', orgId: 1, bundle: null, version: of, corrects: null } as const;
    book.add({ ...facts, ...section }, { quantity: 2n, bytes: null });
    const bills = book.bills();
    expect(currenciesOf({ soFar: bills, low: bills, expected: bills, high: bills })[0]?.parts).toEqual([
      {
        group: 'bundles',
        kind: 'cycle',
        zone: null,
        so_far_minor: 998,
        low_minor: 998,
        expected_minor: 998,
        high_minor: 998,
      },
    ]);
  });

  it('lists corrections separately, which may be negative', () => {
    const book = createLineBook();
    for (const kind of billLineKinds.slice(0, 3)) {
      const facts = { kind, unit: 'MB', priceMicros: 10_000n, bundle: null, zone: null, pool: null } as const;
      book.add(
        { ...facts, type: 'post-payment', orgId: 1, version: version('EUR'), corrects: '2026-10' },
        { quantity: -3n, bytes: null },
      );
    }
    const bills: Record<Scenario, ReturnType<typeof book.bills>> = {
      low: book.bills(),
      expected: book.bills(),
      high: book.bills(),
    };
    const [one] = currenciesOf({ soFar: book.bills(), ...bills });
    expect(one?.parts.map(({ group }) => group)).toEqual(['corrections', 'corrections', 'corrections']);
    expect([one?.so_far_minor, one?.expected_minor, one?.high_minor]).toEqual([-9, -9, -9]);
  });
});
