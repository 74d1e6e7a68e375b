import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NumberReader } from '../../../platform/packed/index.ts';
import { unpackSet } from './number-sets.rules.ts';
import { columnsOf, indexInSorted } from './sim-columns.rules.ts';
import { packSims } from './sim-counts.rules.ts';

const amount = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 2 ** 31 }), fc.maxSafeNat());
const sims = fc
  .uniqueArray(
    fc.record({
      sim: fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 2 ** 31 })),
      records: amount,
      up_bytes: amount,
      down_bytes: amount,
      sessions: fc
        .uniqueArray(fc.nat({ max: 2 ** 40 }), { maxLength: 40 })
        .map((numbers) => numbers.toSorted((a, b) => a - b)),
    }),
    { selector: ({ sim }) => sim, maxLength: 20 },
  )
  .map((list) => list.toSorted((a, b) => a.sim - b.sim));

describe('columns of a pack', () => {
  it('contain its SIMs with their usage and the offset of the rest', () => {
    fc.assert(
      fc.property(sims, (list) => {
        const { packed } = packSims(list, 100);
        const { sims: ids, volumes, offsets } = columnsOf(packed);
        expect([...ids]).toEqual(list.map(({ sim }) => sim));
        expect([...volumes]).toEqual(list.map(({ up_bytes, down_bytes }) => up_bytes + down_bytes));
        const amounts = [...offsets].map((place) => {
          const reader = new NumberReader(packed, place);
          const [records, up_bytes, down_bytes] = [reader.next(), reader.next(), reader.next()];
          return { records, up_bytes, down_bytes, sessions: unpackSet(reader.peek(reader.next())) };
        });
        expect(amounts).toEqual(list.map(({ sim: _, ...others }) => others));
      }),
    );
  });

  it('find a SIM by its id', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 60 })), fc.nat({ max: 60 }), (numbers, number) => {
        const sorted = Uint32Array.from(numbers).sort();
        const place = sorted.indexOf(number);
        expect(indexInSorted(sorted, number)).toBe(place < 0 ? undefined : place);
      }),
    );
  });
});
