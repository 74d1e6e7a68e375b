import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countUnion, packBits, packSet, unionOf, unpackSet } from './number-sets.rules.ts';

const sorted = (numbers: Iterable<number>) => [...new Set(numbers)].sort((a, b) => a - b);
const set = (max: number) => fc.array(fc.nat({ max })).map(sorted);

describe('packed sets of numbers', () => {
  it('return the packed numbers, however large', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat()).map(sorted), (numbers) => {
        expect(unpackSet(packSet(numbers))).toEqual(numbers);
      }),
    );
    expect(packSet([0, 1, 128, 2 ** 40]).length).toBe(1 + 1 + 1 + 6);
  });

  it('have a union with each number once', () => {
    fc.assert(
      fc.property(fc.array(set(100_000), { maxLength: 5 }), set(1000), (lists, others) => {
        const all = sorted([...lists.flat(), ...others]);
        expect(unionOf([...lists, others])).toEqual(all);
        const sets = lists.map((list) => ({ packed: packSet(list), isBits: false }));
        expect(countUnion(sets, others)).toBe(all.length);
      }),
    );
  });

  it('are united as bits if they are dense, wherever they begin', () => {
    const dense = fc
      .tuple(
        fc.nat({ max: 2 ** 33 }),
        fc.array(fc.nat({ max: 600 }), { minLength: 60, maxLength: 200, size: 'max' }),
      )
      .map(([first, distances]) => sorted(distances.map((distance) => first + distance)));
    fc.assert(
      fc.property(fc.array(dense, { maxLength: 3 }), set(1000), (lists, others) => {
        // Distant numbers would make the set of bits too wide.
        const near = lists.map((list) => list.map((number) => number % 2 ** 20)).map(sorted);
        const sets = near.map((list) => {
          const bits = packBits(list);
          return { packed: bits ?? packSet(list), isBits: bits !== null };
        });
        expect(countUnion(sets, others)).toBe(new Set([...near.flat(), ...others]).size);
      }),
    );
    expect(packBits([7, 9_000_000])).toBeNull();
    expect(packBits([])).toBeNull();
  });
});
