import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unpackSet } from './number-sets.rules.ts';
import { combinePacks, forEachSim, packSims, partsWith, type SimCounts } from './sim-counts.rules.ts';
import { rangeBytes, simBefore } from './sim-maps.rules.ts';

const amount = fc.oneof(fc.constant(0), fc.nat({ max: 300 }), fc.maxSafeNat());
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

/** @param sim the id before the first one */
const unpacked = (packed: Uint8Array, sim = 0): SimCounts[] => {
  const found: SimCounts[] = [];
  forEachSim(
    packed,
    ({ sim: own, records, up_bytes, down_bytes }, sessions) =>
      found.push({ sim: own, records, up_bytes, down_bytes, sessions: unpackSet(sessions()) }),
    sim,
  );
  return found;
};

describe('counts by SIM', () => {
  it('are packed and unpacked', () => {
    fc.assert(
      fc.property(counts, (list) => {
        expect(unpacked(packSims(list, 100).packed)).toEqual(list);
      }),
    );
  });

  it('add up by SIM, with each session once', () => {
    fc.assert(
      fc.property(fc.array(counts, { maxLength: 4 }), (generated) => {
        // Sums stay within exact numbers.
        const lists = generated.map((list) =>
          list.map((one) => ({
            ...one,
            up_bytes: one.up_bytes % 2 ** 50,
            down_bytes: one.down_bytes % 2 ** 50,
          })),
        );
        const all = lists.flat();
        const packs = lists.map((list) => packSims(list, 100).packed);
        const found = unpacked(combinePacks(packs, 100).packed);
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

  it('have a head with the top SIMs, and the highest usage of the others', () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 20 }), (list, heads) => {
        const volumeOf = ({ up_bytes, down_bytes }: SimCounts) => up_bytes + down_bytes;
        const { head, rest_bytes } = packSims(list, heads);
        if (list.length <= heads) {
          expect({ head, rest_bytes }).toEqual({ head: null, rest_bytes: 0 });
          return;
        }
        const first = unpacked(head ?? Buffer.of());
        const others = list.filter(({ sim }) => !first.some((one) => one.sim === sim));
        expect(first).toEqual(list.filter((one) => !others.includes(one)));
        expect(first.length).toBe(heads);
        const greatest = Math.max(...others.map(volumeOf));
        expect(rest_bytes).toBe(Math.max(1, greatest));
        expect(Math.min(...first.map(volumeOf))).toBeGreaterThanOrEqual(greatest);
      }),
    );
  });

  it('have the SIM with the most usage in the head although others with equal usage precede it', () => {
    const list = [5, 5, 9].map((up_bytes, sim) => ({
      sim,
      records: 1,
      up_bytes,
      down_bytes: 0,
      sessions: [],
    }));
    const { head, rest_bytes } = packSims(list, 2);
    expect(unpacked(head ?? Buffer.of()).map(({ up_bytes }) => up_bytes)).toEqual([5, 9]);
    expect(rest_bytes).toBe(5);
  });

  it('are found by the map of a pack, which exists if it is smaller than the pack', () => {
    const near = fc
      .uniqueArray(fc.nat({ max: 3000 }), { minLength: 1, maxLength: 300, size: 'max' })
      .map((sims) => sims.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(near, fc.nat({ max: 2 ** 31 }), (places, first) => {
        const list = places.map((place) => ({
          sim: first + place,
          records: 1,
          up_bytes: place * 1000,
          down_bytes: 2,
          sessions: [place],
        }));
        const { packed, map, map_from: from } = packSims(list, 100);
        const [lowest = 0, greatest = 0] = [list[0]?.sim, list.at(-1)?.sim].map((sim = 0) =>
          Math.floor(sim / 128),
        );
        const bytes = (greatest - lowest + 2) * rangeBytes;
        expect(map.length).toBe(bytes > Math.max(packed.length, 64) ? 0 : bytes);
        const found = [];
        for (let at = 0; at + rangeBytes < map.length; at += rangeBytes) {
          const bits = map.subarray(at, at + 16);
          const part = packed.subarray(map.readUInt32BE(at + 16), map.readUInt32BE(at + rangeBytes + 16));
          const range = from + at / rangeBytes;
          const own = list.filter(({ sim }) => Math.floor(sim / 128) === range);
          const isSet = ({ sim }: SimCounts) =>
            (((bits[Math.floor((sim % 128) / 8)] ?? 0) >> (sim % 8)) & 1) === 1;
          expect(own.every(isSet)).toBe(true);
          expect(bits.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)).toBe(
            own.length,
          );
          if (own.length > 0) found.push(...unpacked(part, simBefore(range, bits, part)));
        }
        if (map.length > 0) expect(found).toEqual(list);
      }),
    );
  });

  it('are found by the parts that contain them', () => {
    const many = fc
      .uniqueArray(fc.nat({ max: 400 }), { minLength: 20, maxLength: 200, size: 'max' })
      .map((sims) => sims.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(many, fc.uniqueArray(fc.nat({ max: 450 }), { maxLength: 9 }), (sims, requested) => {
        const list = sims.map((sim) => ({
          sim,
          records: 1,
          up_bytes: sim * 1000,
          down_bytes: 2,
          sessions: [sim],
        }));
        const pack = packSims(list, 100);
        const sorted = requested.toSorted((a, b) => a - b);
        const parts = partsWith(pack, sorted);
        const found = parts.flatMap(({ from, bytes = pack.packed.length, sim }) =>
          unpacked(pack.packed.subarray(from, from + bytes), sim),
        );
        const isRequested = ({ sim }: SimCounts) => sorted.includes(sim);
        expect(found.filter(isRequested)).toEqual(list.filter(isRequested));
        // At most sixteen are read for one.
        expect(found.length).toBeLessThanOrEqual(16 * sorted.length);
      }),
    );
  });
});
