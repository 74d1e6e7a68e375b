import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  combinePacks,
  forEachHexagon,
  groupStart,
  type HexagonCounts,
  packHexagons,
} from './hexagon-packs.rules.ts';

const counts: fc.Arbitrary<HexagonCounts[]> = fc
  .uniqueArray(
    fc.record({
      hexagon: fc.oneof(fc.integer({ min: -1, max: 6 }), fc.nat({ max: 2 ** 25 })),
      bytes: fc.nat({ max: 2 ** 50 }),
      sims: fc.nat({ max: 300 }),
      sessions: fc.nat({ max: 300 }),
    }),
    { selector: ({ hexagon }) => hexagon, maxLength: 12 },
  )
  .map((list) => list.toSorted((a, b) => a.hexagon - b.hexagon));

const packOf = (list: readonly HexagonCounts[]): Buffer =>
  packHexagons({
    hexagons: list.map(({ hexagon }) => hexagon),
    bytes: list.map(({ bytes }) => bytes),
    sims: list.map(({ sims }) => sims),
    sessions: list.map(({ sessions }) => sessions),
  });

const unpacked = (packed: Uint8Array): HexagonCounts[] => {
  const found: HexagonCounts[] = [];
  forEachHexagon(packed, (one) => found.push({ ...one }));
  return found;
};

test('hexagons are packed and unpacked, and add up', () => {
  fc.assert(
    fc.property(fc.array(counts, { maxLength: 4 }), (lists) => {
      for (const list of lists) expect(unpacked(packOf(list))).toEqual(list);
      const found = unpacked(combinePacks(lists.map(packOf)));
      const all = lists.flat();
      expect(found.map(({ hexagon }) => hexagon)).toEqual(
        [...new Set(all.map(({ hexagon }) => hexagon))].sort((a, b) => a - b),
      );
      for (const { hexagon, ...amounts } of found) {
        const own = all.filter((one) => one.hexagon === hexagon);
        const sum = (of: 'bytes' | 'sims' | 'sessions') => own.reduce((total, one) => total + one[of], 0);
        expect(amounts).toEqual({ bytes: sum('bytes'), sims: sum('sims'), sessions: sum('sessions') });
      }
    }),
  );
});

test('days are in groups of eight, even across a leap day', () => {
  const days = Array.from({ length: 40 }, (_, n) =>
    new Date(Date.UTC(2028, 1, 10 + n)).toISOString().slice(0, 10),
  );
  const starts = days.map(groupStart);
  expect(starts.every((start, index) => start <= (days[index] ?? ''))).toBe(true);
  for (const start of [...new Set(starts)].slice(1, -1)) {
    expect(starts.filter((one) => one === start)).toHaveLength(8);
    expect(groupStart(start)).toBe(start);
  }
});
