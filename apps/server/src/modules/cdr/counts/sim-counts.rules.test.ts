import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unpackSet } from './number-sets.rules.ts';
import { eachSim, packSims, packTogether, type SimCounts } from './sim-counts.rules.ts';

const amount = fc.oneof(fc.nat({ max: 300 }), fc.maxSafeNat());
const counts: fc.Arbitrary<SimCounts[]> = fc
  .uniqueArray(
    fc.record({
      sim: fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 2 ** 31 })),
      records: fc.nat({ max: 2 ** 31 }),
      up_bytes: amount,
      down_bytes: amount,
      sessions: fc
        .uniqueArray(fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 2 ** 40 })), { maxLength: 5 })
        .map((numbers) => numbers.toSorted((a, b) => a - b)),
    }),
    { selector: ({ sim }) => sim, maxLength: 20 },
  )
  .map((list) => list.toSorted((a, b) => a.sim - b.sim));

const unpacked = (packed: Uint8Array): SimCounts[] => {
  const found: SimCounts[] = [];
  eachSim(packed, (one, sessions) => found.push({ ...one, sessions: unpackSet(sessions()) }));
  return found;
};

describe('counts by SIM', () => {
  it('are packed and unpacked', () => {
    fc.assert(
      fc.property(counts, (list) => {
        expect(unpacked(packSims(list))).toEqual(list);
      }),
    );
  });

  it('add up by SIM, with each session once', () => {
    fc.assert(
      fc.property(fc.array(counts, { maxLength: 4 }), (made) => {
        // Sums are within what a number has room for.
        const lists = made.map((list) =>
          list.map((one) => ({
            ...one,
            up_bytes: one.up_bytes % 2 ** 50,
            down_bytes: one.down_bytes % 2 ** 50,
          })),
        );
        const all = lists.flat();
        const packs = lists.map(packSims);
        const found = unpacked(packTogether(packs));
        expect(found.map(({ sim }) => sim)).toEqual(
          [...new Set(all.map(({ sim }) => sim))].sort((a, b) => a - b),
        );
        for (const { sim, records, up_bytes, down_bytes, sessions } of found) {
          const own = all.filter((one) => one.sim === sim);
          expect(records).toBe(own.reduce((sum, one) => sum + one.records, 0));
          expect(up_bytes).toBe(own.reduce((sum, one) => sum + one.up_bytes, 0));
          expect(down_bytes).toBe(own.reduce((sum, one) => sum + one.down_bytes, 0));
          expect(sessions).toEqual([...new Set(own.flatMap((one) => one.sessions))].sort((a, b) => a - b));
        }
      }),
    );
  });
});
