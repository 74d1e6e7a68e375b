import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forEachSim, packSims, type SimCounts } from '../counts/sim-counts.rules.ts';
import { SimSums } from './sim-sums.rules.ts';

/** Many more SIMs than lie between two positions from which a pack can be read. */
const counts: fc.Arbitrary<SimCounts[]> = fc
  .uniqueArray(
    fc.record({
      sim: fc.integer({ min: 1, max: 3000 }),
      records: fc.integer({ min: 1, max: 300 }),
      up_bytes: fc.oneof(fc.constant(0), fc.nat({ max: 2 ** 40 })),
      down_bytes: fc.oneof(fc.constant(0), fc.nat({ max: 300 })),
      sessions: fc
        .uniqueArray(fc.nat({ max: 5000 }), { maxLength: 4 })
        .map((numbers) => numbers.toSorted((a, b) => a - b)),
    }),
    { selector: ({ sim }) => sim, minLength: 300, maxLength: 700, size: 'max' },
  )
  .map((list) => list.toSorted((a, b) => a.sim - b.sim));

const sumOf = (counted: readonly SimCounts[], field: 'records' | 'up_bytes' | 'down_bytes'): number =>
  counted.reduce((sum, one) => sum + one[field], 0);

describe('sums by SIM', () => {
  it('add up all packs, with each session of a SIM once', () => {
    fc.assert(
      fc.property(
        fc.array(counts, { minLength: 1, maxLength: 3 }),
        fc.nat({ max: 40 }),
        fc.integer({ min: 50, max: 800 }),
        (lists, most, heads) => {
          const own = lists.map((list, pack) =>
            list.map((one) => ({
              ...one,
              sessions: one.sessions.map((session) => session * 3000 + one.sim),
              pack,
            })),
          );
          const sums = new SimSums();
          const packs: Buffer[] = [];
          own.forEach((list, pack) => {
            const { packed, head, rest_bytes: rest } = packSims(list, heads);
            packs.push(packed);
            sums.addPack(head ?? packed, { isLate: pack === 0, rest });
          });
          const leftOut = sums.listOmitted(most);
          // With too many candidates, everything is read.
          fc.pre(leftOut !== undefined);
          leftOut?.forEach((sims, pack) => {
            forEachSim(packs[pack] ?? Buffer.of(), (amounts, sessions) => {
              if (sims.includes(amounts.sim)) {
                sums.addFound(amounts, { sessions: sessions(), isLate: pack === 0 });
              }
            });
          });
          const figures = sums.figures({ limit: most, only: undefined });
          const volumes = new Map<number, number>();
          for (const { sim, up_bytes, down_bytes } of own.flat()) {
            volumes.set(sim, (volumes.get(sim) ?? 0) + up_bytes + down_bytes);
          }
          const largest = [...volumes.values()].sort((a, b) => b - a).slice(0, most);
          expect([...figures.values()].map(({ up_bytes, down_bytes }) => up_bytes + down_bytes)).toEqual(
            largest,
          );
          for (const [key, found] of figures) {
            const ones = own.flat().filter(({ sim }) => sim === Number(key));
            const late = ones.filter(({ pack }) => pack === 0);
            expect(found).toEqual({
              records: sumOf(ones, 'records'),
              up_bytes: sumOf(ones, 'up_bytes'),
              down_bytes: sumOf(ones, 'down_bytes'),
              late_records: sumOf(late, 'records'),
              late_up_bytes: sumOf(late, 'up_bytes'),
              late_down_bytes: sumOf(late, 'down_bytes'),
              sims: 1,
              sessions: new Set(ones.flatMap(({ sessions }) => sessions)).size,
            });
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('include records without bytes of SIMs that a head omits', () => {
    const one = (sim: number, up_bytes: number, session: number): SimCounts => ({
      sim,
      records: 1,
      up_bytes,
      down_bytes: 0,
      sessions: [session],
    });
    const packs = [
      packSims([one(1, 5, 1), one(2, 0, 2), one(3, 0, 3), one(4, 0, 4)], 2),
      packSims([one(4, 9, 5)], 2),
    ];
    const sums = new SimSums();
    for (const { packed, head, rest_bytes: rest } of packs)
      sums.addPack(head ?? packed, { isLate: false, rest });
    expect(sums.listOmitted(1)).toEqual([[4], []]);
    // There may be SIMs that no head contains.
    const more = new SimSums();
    for (const { packed, head, rest_bytes: rest } of packs)
      more.addPack(head ?? packed, { isLate: false, rest });
    expect(more.listOmitted(4)).toBeUndefined();
  });
});
