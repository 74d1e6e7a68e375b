import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UsageSums } from './usage-sums.ts';

interface Usage {
  owner: number;
  time: number;
  plmn: number;
  radio: number;
  up: number;
}

const sumsOf = (usage: readonly Usage[], capacity?: number): UsageSums => {
  const sums = new UsageSums(capacity);
  for (const { owner, time, plmn, radio, up } of usage) {
    sums.add(sums.positionOf(owner, time, plmn, radio), up, 2 * up, 1);
  }
  return sums;
};

const rowsOf = (sums: UsageSums): number[][] =>
  [...sums.sortedPositions()].map((place) =>
    [sums.owner, sums.time, sums.plmn, sums.radio, sums.up, sums.down, sums.records].map(
      (column) => column[place] as number,
    ),
  );

const wantedOf = (usage: readonly Usage[]): number[][] => {
  const sums = new Map<string, number[]>();
  for (const { owner, time, plmn, radio, up } of usage) {
    const key = [owner, time, plmn, radio];
    const before = sums.get(String(key)) ?? [...key, 0, 0, 0];
    const [upBefore = 0, downBefore = 0, records = 0] = before.slice(4);
    sums.set(String(key), [...key, upBefore + up, downBefore + 2 * up, records + 1]);
  }
  return [...sums.values()].sort((a, b) => {
    const at = a.findIndex((value, index) => value !== b[index]);
    return (a[at] ?? 0) - (b[at] ?? 0);
  });
};

const usage = fc.record({
  owner: fc.integer({ min: 1, max: 4 }),
  time: fc.integer({ min: -2, max: 3 }),
  plmn: fc.nat({ max: 40 }),
  radio: fc.nat({ max: 2 }),
  up: fc.nat({ max: 1000 }),
});

it('sums are by key in any order, and listed in the order of their keys', () => {
  fc.assert(
    fc.property(fc.array(usage, { maxLength: 300, size: 'max' }), fc.nat({ max: 50 }), (all, capacity) => {
      expect(rowsOf(sumsOf(all, capacity))).toEqual(wantedOf(all));
    }),
  );
});

it('sums are exact for usage in the order of owner and time, with few networks and with many', () => {
  fc.assert(
    fc.property(fc.array(usage, { maxLength: 300, size: 'max' }), (all) => {
      const sorted = all.toSorted((a, b) => a.owner - b.owner || a.time - b.time);
      expect(rowsOf(sumsOf(sorted))).toEqual(wantedOf(all));
    }),
  );
});

it('sums may exceed the expected number, with and without a hash table', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => ({
    owner: 1 + (index % 3),
    time: Math.floor(index / 50),
    plmn: index % 7,
    radio: 1,
    up: index,
  }));
  expect(rowsOf(sumsOf(many))).toEqual(wantedOf(many));
  const sorted = many.toSorted((a, b) => a.owner - b.owner || a.time - b.time);
  expect(rowsOf(sumsOf(sorted, 1))).toEqual(wantedOf(many));
});
