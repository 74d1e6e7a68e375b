import { describe, expect, it } from 'vitest';
import {
  addToSum,
  boundsOf,
  businessMonth,
  compareFigures,
  createShareBars,
  daysWithin,
  dueMonth,
  dueMonthsAt,
  figure,
  largestBars,
  nextDueMonth,
  oldestRetainedMonth,
  percentOf,
} from './report.rules.ts';

describe('days of reports', () => {
  it('are the 5th to the 8th in UTC+8, and up to three months later for missing reports', () => {
    const earlier = ['2026-07', '2026-08', '2026-09'];
    expect(dueMonthsAt(new Date('2026-11-04T15:59:59Z'))).toEqual(earlier);
    expect(dueMonthsAt(new Date('2026-11-04T16:00:00Z'))).toEqual([...earlier, '2026-10']);
    expect(dueMonthsAt(new Date('2026-11-30T12:00:00Z'))).toEqual([...earlier, '2026-10']);
    expect(dueMonthsAt(new Date('2026-11-30T16:00:00Z'))).toEqual(['2026-08', '2026-09', '2026-10']);
    expect(dueMonth('2026-10')).toEqual({
      month: '2026-10',
      from: new Date('2026-11-04T16:00:00Z'),
      readyBy: new Date('2026-11-08T16:00:00Z'),
    });
  });

  it('include kinds enabled during them; later ones begin with the current month', () => {
    expect(nextDueMonth(new Date('2026-11-08T15:59:59Z')).month).toBe('2026-10');
    expect(nextDueMonth(new Date('2026-11-08T16:00:00Z')).month).toBe('2026-11');
  });
});

describe('the months of reports', () => {
  it('are retained for two years', () => {
    expect(oldestRetainedMonth(new Date('2026-10-31T15:59:59Z'))).toBe('2024-10');
    expect(oldestRetainedMonth(new Date('2026-10-31T16:00:00Z'))).toBe('2024-11');
  });

  it('of business days are those of UTC+8', () => {
    expect(businessMonth('2028-02')).toEqual({
      from: new Date('2028-01-31T16:00:00Z'),
      until: new Date('2028-02-29T16:00:00Z'),
    });
  });
});

describe('a month of a time zone', () => {
  it.each([
    ['UTC', '2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
    ['Europe/Madrid', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
    ['America/New_York', '2026-10-01T04:00:00.000Z', '2026-11-01T04:00:00.000Z'],
    ['Asia/Kathmandu', '2026-09-30T18:15:00.000Z', '2026-10-31T18:15:00.000Z'],
    ['Pacific/Auckland', '2026-09-30T11:00:00.000Z', '2026-10-31T11:00:00.000Z'],
  ])('begins and ends at midnight in %s', (timeZone, from, until) => {
    const bounds = boundsOf('2026-10', timeZone);
    expect([bounds.from.toISOString(), bounds.until.toISOString()]).toEqual([from, until]);
  });

  it('begins at midnight although the clocks change on its first day', () => {
    // At three o'clock, by one hour: 1 April 2029 in New Zealand, 1 November 2026 in New York.
    expect(boundsOf('2029-04', 'Pacific/Auckland').from.toISOString()).toBe('2029-03-31T11:00:00.000Z');
    expect(boundsOf('2026-11', 'America/New_York').from.toISOString()).toBe('2026-11-01T04:00:00.000Z');
  });

  it('ends where the next one begins, in every month of a year', () => {
    for (let month = 1; month < 12; month += 1) {
      const [one, next] = [month, month + 1].map((n) => `2026-${String(n).padStart(2, '0')}`);
      expect(boundsOf(String(one), 'America/Santiago').until).toEqual(
        boundsOf(String(next), 'America/Santiago').from,
      );
    }
  });

  it('has whole days of UTC, and hours before and after them', () => {
    expect(daysWithin(boundsOf('2026-10', 'Europe/Madrid'))).toMatchObject({
      firstDay: new Date('2026-10-01T00:00:00Z'),
      lastDay: new Date('2026-10-31T00:00:00Z'),
    });
  });
});

describe('the chart of a report', () => {
  it('shows no share of more than all as 100%', () => {
    expect([
      percentOf(1001, 1000),
      percentOf(1000, 1000),
      percentOf(999, 1000),
      percentOf(1995, 1000),
    ]).toEqual([101, 100, 100, 200]);
    expect([percentOf(null, 1000), percentOf(5, null), percentOf(5, 0)]).toEqual([null, null, null]);
  });

  it('counts SIMs by the share of their quota', () => {
    const shares = createShareBars();
    for (const [used, quota] of [
      [0, 100],
      [0, null],
      [10, 100],
      [11, 100],
      [100, 100],
      [101, 100],
      [5, null],
    ] as const)
      shares.add(used, quota);
    expect(shares.bars().map(({ label, value }) => [label, value])).toEqual([
      ...[
        ['0', 2],
        ['≤ 10', 1],
        ['≤ 20', 1],
        ['≤ 30', 0],
        ['≤ 40', 0],
        ['≤ 50', 0],
        ['≤ 60', 0],
        ['≤ 70', 0],
      ],
      ...[
        ['≤ 80', 0],
        ['≤ 100', 1],
        ['> 100', 1],
      ],
    ]);
  });

  it('shows the largest sums and combines the others', () => {
    const sums = new Map<string, number>();
    for (let n = 1; n <= 14; n += 1) addToSum(sums, `k${n}`, n);
    addToSum(sums, 'k14', 1);
    const bars = largestBars(sums, 'others');
    expect(bars).toHaveLength(12);
    expect(bars[0]).toEqual({ label: 'k14', value: 15, tone: 'plain' });
    expect(bars.at(-1)).toEqual({ label: 'others', value: 6, tone: 'plain' });
  });

  it('combines nothing if there is room for all, and leaves out empty sums', () => {
    const sums = new Map(Array.from({ length: 12 }, (_, n) => [`k${n}`, n + 1]));
    const all = largestBars(sums.set('none', 0), 'others');
    expect(all.map(({ value }) => value)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(all.at(-1)?.label).toBe('k0');
    expect(largestBars(sums.set('one more', 1), 'others').at(-1)).toMatchObject({
      label: 'others',
      value: 2,
    });
    for (const equal of [
      { b: 1, c: 2, a: 1 },
      { a: 1, c: 2, b: 1 },
    ])
      expect(largestBars(new Map(Object.entries(equal)), '').map(({ label }) => label)).toEqual([
        'c',
        'a',
        'b',
      ]);
  });
});

it('compares figures with the previous month, by currency', () => {
  const amount = (currency: string, value: number) =>
    ({ figure: 'amount', unit: 'minor', currency, value }) as const;
  expect(
    compareFigures(
      [figure('sims', 'count', 5), amount('EUR', 9)],
      [amount('USD', 1), figure('sims', 'count', 4)],
    ).map(({ before }) => before),
  ).toEqual([4, null]);
  const [sims, active] = [figure('sims', 'count', 5), figure('active', 'count', 2)];
  expect(compareFigures([sims, active], [active, sims]).map(({ before }) => before)).toEqual([5, 2]);
});
