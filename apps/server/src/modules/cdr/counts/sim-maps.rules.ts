import { NumberReader } from '../../../platform/packed/index.ts';

/** Number of consecutive ids in a range of a pack's map. */
export const rangeIds = 128;
/** Size of a range's bits: one for each id, lowest of a byte first. They are followed by the range's position in the pack. */
export const bitsBytes = rangeIds / 8;
const offsetBytes = 4;
export const rangeBytes = bitsBytes + offsetBytes;

export const rangeOf = (sim: number): number => Math.floor(sim / rangeIds);

/** A range with SIMs, and its position in the pack in bytes. */
export interface RangeStart {
  range: number;
  offset: number;
}

interface Mapped {
  /** Sorted. */
  sims: readonly number[];
  /** Ranges of these SIMs, sorted. */
  ranges: readonly RangeStart[];
  /** Length of the pack. */
  length: number;
}

/** Size of a map that is small compared with any pack. */
const minMapBytes = 64;

/**
 * The map of a pack: each range between the first and the last SIM, and one more for the end of the pack. Empty if it
 * would be larger than the pack.
 */
export const mapOf = ({ sims, ranges, length }: Mapped): { map: Buffer; map_from: number } => {
  const from = ranges[0]?.range ?? 0;
  const count = (ranges.at(-1)?.range ?? 0) - from + 1;
  const bytes = (count + 1) * rangeBytes;
  if (ranges.length === 0 || bytes > Math.max(length, minMapBytes))
    return { map: Buffer.alloc(0), map_from: 0 };
  const map = Buffer.alloc(bytes);
  for (const sim of sims) {
    const byte = (rangeOf(sim) - from) * rangeBytes + Math.floor((sim % rangeIds) / 8);
    map[byte] = (map[byte] ?? 0) | (1 << (sim % 8));
  }
  let [after, next] = [length, ranges.length - 1];
  for (let range = count; range >= 0; range -= 1) {
    const start = ranges[next];
    if (start && start.range - from === range) {
      after = start.offset;
      next -= 1;
    }
    map.writeUInt32BE(after, range * rangeBytes + bitsBytes);
  }
  return { map, map_from: from };
};

/** The SIM before a range's part of a pack; the id of the part's first SIM is stored as the distance from it. */
export const simBefore = (range: number, bits: Uint8Array, part: Uint8Array): number => {
  const byte = bits.findIndex((eight) => eight !== 0);
  const bit = 31 - Math.clz32((bits[byte] ?? 0) & -(bits[byte] ?? 0));
  return range * rangeIds + byte * 8 + bit - new NumberReader(part).next();
};
