import { describe, expect, it } from 'vitest';
import { createNewestCollector } from './newest.rules.ts';
import { overshootOf, saferThreshold } from './overshoot.rules.ts';

describe('the usage past a threshold', () => {
  it('is that of an interval and the delay at most, of half an interval typically', () => {
    const measured = { fastest: 8000, median: 800, interval: 60, delay: 5 };
    expect(overshootOf(measured)).toEqual({ typical: 3500, worst: 65_000 });
    expect(overshootOf({ ...measured, delay: null })).toEqual({ typical: 3000, worst: 60_000 });
    expect(overshootOf({ ...measured, fastest: null, median: null })).toEqual({ typical: null, worst: null });
  });
});

describe('a safer threshold', () => {
  const [kb, mb, gb] = [2 ** 10, 2 ** 20, 2 ** 30];
  const safer = (
    unit: 'KB' | 'MB' | 'GB' | '%',
    amount: number,
    worst: number,
    smallestLimit: number | null = null,
  ) => saferThreshold({ unit, amount }, { worst, smallestLimit });

  it('leaves room for the worst case, in a unit of which it has a hundred or more', () => {
    expect(safer('GB', 200, gb)).toEqual({ unit: 'GB', amount: 199 });
    expect(safer('GB', 100, 1)).toEqual({ unit: 'MB', amount: 100 * 1024 - 1 });
    expect(safer('GB', 101, gb)).toEqual({ unit: 'GB', amount: 100 });
    expect(safer('MB', 2, mb)).toEqual({ unit: 'KB', amount: 1024 });
    expect(safer('KB', 50, kb + 1)).toEqual({ unit: 'KB', amount: 48 });
  });

  it('is none if the worst case needs all of it', () => {
    expect([safer('KB', 2, kb), safer('KB', 2, kb + 1)]).toEqual([{ unit: 'KB', amount: 1 }, null]);
    expect(safer('GB', 1, 2 * gb)).toBeNull();
  });

  it('as a percentage leaves room in the smallest limit, if there is one', () => {
    expect(safer('%', 80, 100, 1000)).toEqual({ unit: '%', amount: 70 });
    expect(safer('%', 80, 101, 1000)).toEqual({ unit: '%', amount: 69 });
    expect([safer('%', 80, 790, 1000), safer('%', 80, 791, 1000)]).toEqual([{ unit: '%', amount: 1 }, null]);
    expect([safer('%', 80, 1, null), safer('%', 80, 1, 0)]).toEqual([null, null]);
  });
});

describe('the newest results', () => {
  const listed = (limit: number, ...days: number[]) => {
    const newest = createNewestCollector<string>({ days: 5, limit });
    for (const [index, day] of days.entries()) newest.add(day, `${day}${'abcdefgh'[index]}`);
    return newest.list();
  };

  it('are those of the last days, newest first', () => {
    expect(listed(2, 0, 4, 1, 3, 2)).toEqual(['4b', '3d']);
    expect(listed(3, 0, 4, 1, 3, 2)).toEqual(['4b', '3d', '2e']);
    expect(listed(9, 0, 4, 1)).toEqual(['4b', '1c', '0a']);
    expect(listed(1)).toEqual([]);
  });

  it('of one day are enough if there is the limit of them', () => {
    expect(listed(2, 3, 3, 3, 1)).toEqual(['3a', '3b']);
    expect(listed(2, 1, 1, 3, 1)).toEqual(['3c', '1a']);
  });
});
