import { describe, expect, test } from 'vitest';
import { niceScale } from './nice-scale.ts';

describe("an axis's scale", () => {
  test.each([
    [70, { max: 80, interval: 20 }],
    [8.8, { max: 10, interval: 2.5 }],
    [0.03, { max: 0.03, interval: 0.01 }],
    [400, { max: 400, interval: 100 }],
    [1, { max: 1, interval: 0.25 }],
  ])('of %d has round numbers', (highest, scale) => {
    const made = niceScale(highest);
    expect(made.max).toBeCloseTo(scale.max, 9);
    expect(made.interval).toBeCloseTo(scale.interval, 9);
  });

  test('covers a maximum of zero', () => {
    expect(niceScale(0)).toEqual({ max: 1, interval: 1 });
    expect(niceScale(Number.NaN)).toEqual({ max: 1, interval: 1 });
  });
});
