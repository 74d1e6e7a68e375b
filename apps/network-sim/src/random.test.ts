import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random, seedOf } from './random.ts';

const draw = (random: Random, count: number): number[] => Array.from({ length: count }, () => random.next());

describe('Random', () => {
  it('is reproducible by its seeds', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat(), (one, two, other) => {
        expect(draw(new Random(one, two), 20)).toEqual(draw(new Random(one, two), 20));
        if (other !== two) expect(draw(new Random(one, other), 5)).not.toEqual(draw(new Random(one, two), 5));
      }),
    );
  });

  it('returns the same numbers in all versions', () => {
    expect(draw(new Random(7, 42), 3).map((number) => number.toFixed(9))).toMatchInlineSnapshot(`
      [
        "0.833439499",
        "0.681157524",
        "0.287103351",
      ]
    `);
    expect(seedOf('214070000000001')).toMatchInlineSnapshot(`1134368354`);
  });

  it('is uniform, with the stated means', () => {
    const random = new Random(1);
    const buckets = new Array<number>(10).fill(0);
    for (const number of draw(random, 100_000)) {
      const bucket = Math.floor(number * 10);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    for (const count of buckets) expect(Math.abs(count - 10_000)).toBeLessThan(500);
    const mean = (of: () => number): number => {
      let sum = 0;
      for (let i = 0; i < 50_000; i += 1) sum += of();
      return sum / 50_000;
    };
    expect(mean(() => random.exponential(5))).toBeCloseTo(5, 0);
    expect(mean(() => random.factor(0.5))).toBeCloseTo(1, 1);
    expect(mean(() => random.integer(11))).toBeCloseTo(5, 0);
  });
});
