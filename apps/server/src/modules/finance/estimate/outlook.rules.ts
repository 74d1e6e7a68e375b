import type { EstimateCurrency, EstimatePart } from '@simcube/contract/finance';
import { forecastDaysNeeded, forecastOf } from '../../pool/index.ts';
import type { CycleFacts, PoolCycleFacts } from '../../price/index.ts';
import { groupOf } from '../bill.rules.ts';
import type { BilledCycle } from '../charges/cycle-charges.rules.ts';
import { amountOf, type BookedBill } from '../charges/line-book.rules.ts';

/** Scenarios for the end of a month: the expected value, and a range that contains four of five outcomes. */
export const scenarios = ['low', 'expected', 'high'] as const;
export type Scenario = (typeof scenarios)[number];

/** The usage in each scenario, in millionths of the mean of past days. */
export type Spread = Readonly<Record<Scenario, bigint>>;

const scale = 1_000_000;
/** With fewer days than a forecast needs the range is from zero to twice as much. */
const unknownSpread: Spread = { low: 0n, expected: BigInt(scale), high: BigInt(2 * scale) };

/** How far usage may deviate by the end, from the variation of past days. */
export const spreadOf = (query: { days: readonly number[]; now: Date; until: Date }): Spread => {
  const { days, now, until } = query;
  if (days.length < forecastDaysNeeded) return unknownSpread;
  const forecast = forecastOf({ days, used: 0, limit: Number.POSITIVE_INFINITY, now, endsAt: until });
  if (!forecast || forecast.used === 0) return unknownSpread;
  const share = (bytes: number) => BigInt(Math.round((bytes / forecast.used) * scale));
  return { low: share(forecast.low), expected: BigInt(scale), high: share(forecast.high) };
};

/** How much was used in how long. */
export interface Pace {
  used: bigint;
  seconds: bigint;
}

/** Expected usage as it is in a scenario, whose share is of the spread. */
export const inScenario = (bytes: bigint, share: bigint): bigint => (bytes * share) / BigInt(scale);

/** The usage expected in a further period at a rate. */
export const expectedMore = ({ used, seconds }: Pace, remainingSeconds: bigint, share: bigint): bigint =>
  seconds <= 0n || remainingSeconds <= 0n
    ? 0n
    : (used * remainingSeconds * share) / (seconds * BigInt(scale));

type Usage = Pick<CycleFacts, 'usedBytes' | 'byCountry' | 'pooledByCountry'>;

/**
 * A cycle with more usage, in proportion to the countries of its usage so far; without usage, in the bundle's
 * coverage.
 */
export const withMoreUsage = (
  cycle: BilledCycle,
  { more, isPooled }: { more: bigint; isPooled: boolean },
): BilledCycle => {
  const { facts } = cycle;
  if (more === 0n) return cycle;
  const { usedBytes: used } = facts;
  if (used === 0n) return { ...cycle, facts: { ...facts, ...usageWithoutCountry(more, isPooled) } };
  const partOf = (bytes: bigint) => (bytes * more) / used;
  const usage: Usage = {
    usedBytes: used + more,
    byCountry: facts.byCountry.map((one) => ({
      ...one,
      bytes: one.bytes + partOf(one.bytes),
      ownBytes: one.ownBytes + partOf(one.bytes),
    })),
    pooledByCountry: facts.pooledByCountry.map((one) => ({ ...one, bytes: one.bytes + partOf(one.bytes) })),
  };
  return { ...cycle, facts: { ...facts, ...usage } };
};

/** Usage without a known country; a pool member's usage is the pool's. */
export const usageWithoutCountry = (bytes: bigint, isPooled: boolean): Usage => ({
  usedBytes: bytes,
  byCountry: [],
  pooledByCountry: isPooled ? [{ country: null, bytes }] : [],
});

/** A pool's cycle with more usage, of which zones are charged for the same part as of the usage so far. */
export const withMorePoolUsage = (facts: PoolCycleFacts, more: bigint): PoolCycleFacts => {
  const { usedBytes: used, zonedBytes: zoned } = facts;
  return {
    ...facts,
    usedBytes: used + more,
    zonedBytes: used === 0n ? zoned : zoned + (zoned * more) / used,
  };
};

/** The bills of a month so far, and in each scenario at its end. */
export type MonthBooks = Readonly<Record<Scenario | 'soFar', readonly BookedBill[]>>;

type Amounts = Record<keyof MonthBooks, bigint>;

/**
 * The components of a month by currency. Each line is rounded once; a part is the sum of its lines, and a total
 * that of its parts. Rounding to whole bytes and started units can put a scenario's part out of order by one
 * unit, which is corrected.
 */
export const currenciesOf = (books: MonthBooks): EstimateCurrency[] => {
  const currencies = new Map<string, Map<string, PartSum>>();
  for (const [name, bills] of Object.entries(books) as [keyof MonthBooks, readonly BookedBill[]][]) {
    for (const { currency, lines } of bills) {
      const parts = currencies.get(currency) ?? new Map<string, PartSum>();
      currencies.set(currency, parts);
      for (const line of lines) {
        const { kind, zone } = line;
        const group = groupOf(line);
        const key = [group, kind, zone?.code].join(' ');
        const part = parts.get(key) ?? { group, kind, zone, amounts: { ...noAmounts } };
        parts.set(key, part);
        part.amounts[name] += amountOf(line);
      }
    }
  }
  return [...currencies].map(([currency, sums]) => {
    const parts = [...sums.values()].map(({ amounts, ...part }) => ({
      ...part,
      ...toOrderedAmounts(amounts),
    }));
    const total = (of: keyof ReturnType<typeof toOrderedAmounts>) =>
      parts.reduce((sum, part) => sum + part[of], 0);
    return {
      currency,
      parts,
      so_far_minor: total('so_far_minor'),
      low_minor: total('low_minor'),
      expected_minor: total('expected_minor'),
      high_minor: total('high_minor'),
    };
  });
};

type PartSum = Pick<EstimatePart, 'group' | 'kind' | 'zone'> & { amounts: Amounts };

const noAmounts: Amounts = { soFar: 0n, low: 0n, expected: 0n, high: 0n };
const min = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const max = (one: bigint, other: bigint): bigint => (one > other ? one : other);

const toOrderedAmounts = ({ soFar, low, expected, high }: Amounts) => {
  const middle = max(expected, soFar);
  return {
    so_far_minor: Number(soFar),
    low_minor: Number(max(soFar, min(low, middle))),
    expected_minor: Number(middle),
    high_minor: Number(max(high, middle)),
  };
};
