import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countUnion, packSet, unionOf, unpackSet } from './number-sets.rules.ts';

const sorted = (numbers: Iterable<number>) => [...new Set(numbers)].sort((a, b) => a - b);
const set = (max: number) => fc.array(fc.nat({ max })).map(sorted);

describe('packed sets of numbers', () => {
  it('give back what was packed, however large', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat()).map(sorted), (numbers) => {
        expect(unpackSet(packSet(numbers))).toEqual(numbers);
      }),
    );
    expect(packSet([0, 1, 128, 2 ** 40]).length).toBe(1 + 1 + 1 + 6);
  });

  it('are united with each number once', () => {
    fc.assert(
      fc.property(fc.array(set(100_000), { maxLength: 5 }), set(1000), (lists, others) => {
        const all = sorted([...lists.flat(), ...others]);
        expect(unionOf([...lists, others])).toEqual(all);
        expect(countUnion(lists.map(packSet), others)).toBe(all.length);
      }),
    );
  });
});
