import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countsOfHour } from './hour-counts.rules.ts';

const group = fc.record({
  trait: fc.nat({ max: 3 }),
  sim: fc.oneof(fc.nat({ max: 6 }), fc.nat({ max: 2 ** 31 })),
  session: fc.option(fc.nat({ max: 2 ** 33 })),
  records: fc.integer({ min: 1, max: 9 }),
  up: fc.nat({ max: 2 ** 40 }),
  down: fc.nat({ max: 300 }),
});
type Group = typeof group extends fc.Arbitrary<infer T> ? T : never;
const sortedOnce = (numbers: readonly number[]) => [...new Set(numbers)].sort((a, b) => a - b);

const plainly = (groups: readonly Group[]) => ({
  records: groups.reduce((sum, { records }) => sum + records, 0),
  up_bytes: groups.reduce((sum, { up }) => sum + up, 0),
  down_bytes: groups.reduce((sum, { down }) => sum + down, 0),
  sessions: sortedOnce(groups.flatMap(({ session }) => session ?? [])),
});

describe('counts of an hour', () => {
  it('match its individual groups, by trait and by SIM', () => {
    fc.assert(
      fc.property(fc.array(group, { maxLength: 30 }), (groups) => {
        const { byTrait, bySim } = countsOfHour({
          hourAt: new Date(0),
          traits: groups.map(({ trait }) => trait),
          sims: groups.map(({ sim }) => sim),
          sessions: groups.map(({ session }) => session),
          records: groups.map(({ records }) => records),
          up_bytes: groups.map(({ up }) => up),
          down_bytes: groups.map(({ down }) => down),
        });
        expect(bySim).toEqual(
          sortedOnce(groups.map(({ sim }) => sim)).map((sim) => ({
            sim,
            ...plainly(groups.filter((one) => one.sim === sim)),
          })),
        );
        expect([...byTrait.keys()].toSorted()).toEqual(sortedOnce(groups.map(({ trait }) => trait)));
        for (const [trait, counted] of byTrait) {
          const of = groups.filter((one) => one.trait === trait);
          expect(counted).toEqual({ ...plainly(of), sims: sortedOnce(of.map(({ sim }) => sim)) });
        }
      }),
    );
  });
});
