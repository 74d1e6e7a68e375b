import { hourMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyUpdates, makeUpdate, simState } from '../../../testing/intake-states.ts';
import { periodKey, type Span, spanOf } from './period.rules.ts';
import { bytesAtPercent, bytesToCrossing, crossingOf, isCrossed, watchAt } from './threshold.rules.ts';

const begin = Date.UTC(2026, 10, 3, 12);

interface Used {
  at: number;
  bytes: number;
}
interface Threshold {
  period: 'day' | 'month' | 'cycle';
  bytes: number;
}

const within = ({ startsAt, endsAt }: Span, at: number): boolean => at >= startsAt && at < endsAt;
/** Without a bundle a cycle is the calendar month of UTC+8. */
const cycleAt = (at: number): Span => {
  const { startsAt, endsAt } = spanOf('month', at + 8 * hourMs);
  return { startsAt: startsAt - 8 * hourMs, endsAt: endsAt - 8 * hourMs };
};
const spanFor = (period: Threshold['period'], at: number): Span =>
  period === 'cycle' ? cycleAt(at) : spanOf(period, at);
const sumOf = (records: readonly Used[], span: Span, until = span.endsAt): number =>
  records.reduce((sum, { at, bytes }) => sum + (within(span, at) && at < until ? bytes : 0), 0);
const names = (fired: Iterable<string>): string[] => [...new Set(fired)].sort();

/** What fires by definition: periods whose records reach the threshold, in whatever order they arrive. */
const byDefinition = (records: readonly Used[], thresholds: readonly Threshold[]): string[] =>
  names(
    thresholds.flatMap(({ period, bytes }) =>
      records.flatMap(({ at }) => {
        const span = spanFor(period, at);
        return sumOf(records, span) >= bytes ? [`${bytes} ${periodKey(period, span)}`] : [];
      }),
    ),
  );

/** The same by intake, which only checks records from the watched figure on, and derives the next figure from them. */
const byWatching = (records: readonly Used[], thresholds: readonly Threshold[], lag: number): string[] => {
  const sim = simState({
    cycleStartedAt: cycleAt(begin).startsAt,
    cycleEndsAt: cycleAt(begin).endsAt,
    watchVersion: 7,
    watch: watchAt(
      0,
      thresholds.map(({ bytes }) => bytes),
    ),
  });
  const fired: string[] = [];
  const counted: Used[] = [];
  let newest = begin;
  let waiting: number[] = [];
  const judge = () => {
    for (const at of waiting) {
      for (const { period, bytes } of thresholds) {
        const span = spanFor(period, at);
        const usage = { total: sumOf(counted, span), before: sumOf(counted, span, at) };
        if (isCrossed(usage, bytes)) fired.push(`${bytes} ${periodKey(period, span)}`);
      }
    }
    if (waiting.length === 0) return;
    const distances = thresholds.map(({ period, bytes }) =>
      bytesToCrossing(period === 'cycle' ? sim.used : sumOf(counted, spanFor(period, newest)), bytes),
    );
    sim.watch = watchAt(sim.used, distances);
    waiting = [];
  };
  for (const [index, record] of records.entries()) {
    const update = makeUpdate({ at: record.at, up: record.bytes, sessionKey: index, sessionId: `${index}` });
    sim.readInBatch = 1;
    const { watched } = applyUpdates(sim, [update], 1, {
      watches: new Map([[sim.orgId, { version: 7, isDaily: false }]]),
    });
    counted.push(record);
    newest = Math.max(newest, record.at);
    waiting.push(...watched.map(({ at }) => at));
    if (index % lag === 0) judge();
  }
  judge();
  return names(fired);
};

describe('thresholds of usage', () => {
  const record = fc.record({
    hours: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 200 })),
    late: fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }) },
    ),
    bytes: fc.integer({ min: 1, max: 60 }),
  });
  const threshold = fc.record({
    period: fc.constantFrom('day' as const, 'month' as const, 'cycle' as const),
    bytes: fc.integer({ min: 1, max: 300 }),
  });

  it('are crossed in the periods whose records reach them, including late records, however few are checked', () => {
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 60 }),
        fc.array(threshold, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 4 }),
        (steps, thresholds, lag) => {
          let now = begin;
          const records = steps.map(({ hours, late, bytes }, index) => {
            now += hours * hourMs + index + 1;
            return { at: Math.max(now - late * hourMs, begin), bytes };
          });
          expect(byWatching(records, thresholds, lag)).toEqual(byDefinition(records, thresholds));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('as a percentage are whole octets, and absent without a limit', () => {
    expect(bytesAtPercent(1000, 80)).toBe(800);
    expect(bytesAtPercent(1001, 80)).toBe(801);
    expect(bytesAtPercent(0, 80)).toBe(1);
    expect(bytesAtPercent(null, 80)).toBeNull();
  });

  it('are crossed by what brings usage to them, and not a second time', () => {
    const crossed = (before: number, total: number) => isCrossed({ before, total }, 10);
    expect([crossed(9, 10), crossed(8, 9), crossed(10, 11), crossed(0, 30)]).toEqual([
      ...[true, false, false, true],
    ]);
    expect([bytesToCrossing(9, 10), bytesToCrossing(10, 10), bytesToCrossing(25, 10)]).toEqual([1, 10, 10]);
  });

  it('are crossed by one of the last pieces, unless they were before', () => {
    expect(crossingOf(30, [10, 0, 5, 5], 20)).toEqual({ index: 0, usage: 20 });
    expect(crossingOf(30, [10, 0, 5, 5], 21)).toEqual({ index: 2, usage: 25 });
    expect(crossingOf(30, [10, 0, 5, 5], 30)).toEqual({ index: 3, usage: 30 });
    expect(crossingOf(30, [10, 0, 5, 5], 31)).toBeUndefined();
    expect(crossingOf(30, [10, 0, 5, 5], 10)).toBeUndefined();
    expect(crossingOf(30, [], 10)).toBeUndefined();
  });

  it('that usage can’t reach are not watched', () => {
    expect(watchAt(5, [])).toBeNull();
    expect(watchAt(5, [Number.POSITIVE_INFINITY])).toBeNull();
    expect(watchAt(5, [9, 3])).toBe(8);
    expect(watchAt(5, [Number.MAX_SAFE_INTEGER - 5])).toBeNull();
    expect(watchAt(5, [Number.MAX_SAFE_INTEGER - 6])).toBe(Number.MAX_SAFE_INTEGER - 1);
  });
});

describe('the name of a period', () => {
  it('is that of its day or month in UTC, or the start of its cycle', () => {
    const at = Date.UTC(2028, 1, 29, 23, 59, 59, 999);
    expect(periodKey('day', spanOf('day', at))).toBe('2028-02-29');
    expect(periodKey('month', spanOf('month', at))).toBe('2028-02');
    expect(spanOf('month', at).endsAt).toBe(at + 1);
    expect(spanOf('day', at).endsAt).toBe(at + 1);
    expect(periodKey('cycle', { startsAt: Date.UTC(2028, 0, 31, 16), endsAt: at })).toBe(
      'cycle 2028-01-31T16:00:00.000Z',
    );
  });
});
