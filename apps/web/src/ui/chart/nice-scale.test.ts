import { describe, expect, test } from 'vitest';
import { niceScale } from './nice-scale.ts';

describe("an axis's scale", () => {
  test.each([
    [70, { max: 75, interval: 25 }],
    [209, { max: 250, interval: 50 }],
    [8.8, { max: 10, interval: 2.5 }],
    [0.03, { max: 0.03, interval: 0.01 }],
    [400, { max: 400, interval: 100 }],
    [1, { max: 1, interval: 0.25 }],
  ])('of %d has round numbers', (highest, scale) => {
    const made = niceScale(highest);
    expect(made.max).toBeCloseTo(scale.max, 9);
    expect(made.interval).toBeCloseTo(scale.interval, 9);
  });

  test.each([4, 5, 6, 7, 9, 10, 11, 23, 97, 1201, 2500])(
    'of %d counted things has whole numbers',
    (highest) => {
      const { max, interval } = niceScale(highest, true);
      expect(Number.isInteger(interval)).toBe(true);
      expect(max).toBeGreaterThanOrEqual(highest);
    },
  );

  test('has three to five intervals, the highest value in its last one', () => {
    for (let highest = 1; highest < 10_000; highest = highest * 1.03 + 0.01) {
      const { max, interval } = niceScale(highest);
      expect([3, 4, 5]).toContain(Math.round(max / interval));
      expect(max - interval).toBeLessThan(highest);
      expect(max).toBeGreaterThanOrEqual(highest - 1e-6);
    }
  });

  test('covers a maximum of zero', () => {
    expect(niceScale(0)).toEqual({ max: 1, interval: 1 });
    expect(niceScale(Number.NaN)).toEqual({ max: 1, interval: 1 });
  });
});
