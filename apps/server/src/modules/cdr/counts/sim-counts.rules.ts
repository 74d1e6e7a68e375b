import { dayMs } from '@simcube/contract/time';
import { NumberReader, NumberWriter } from '../../../platform/packed/index.ts';
import { nthLargest } from './nth-largest.rules.ts';
import { packSet, SetReader, unionOf, unpackSet } from './number-sets.rules.ts';
import { mapOf, type RangeStart, rangeOf } from './sim-maps.rules.ts';

/** Long enough that a query over the longest span reads few rows, short enough that any such span contains three. */
export const daysPerGroup = 8;

/** Numbers of days whose heads are combined: together with single days and groups of eight, few rows cover any span. */
export const headDays: readonly number[] = [2, 4, 16];

/** Start of the group of days that contains the given time. */
export const groupStart = (time: number, days: number = daysPerGroup): number =>
  Math.floor(time / (days * dayMs)) * days * dayMs;

/** Sums of a SIM's records. */
export interface SimAmounts {
  sim: number;
  records: number;
  up_bytes: number;
  down_bytes: number;
}

export interface SimCounts extends SimAmounts {
  /** Session numbers, distinct and sorted. */
  sessions: readonly number[];
}

/** Packed SIMs with their sums, and indexes to read some of them without the others. */
export interface SimPack {
  /**
   * SIMs in the order of ids: distance from the previous id, records, bytes up and down, and the size of the
   * sessions, which are a set (`packSet`) that is only read on demand.
   */
  packed: Buffer;
  /** Ids of the SIMs, as a set. */
  ids: Buffer;
  /** Size in bytes of each block of SIMs. */
  places: Buffer;
  /** The SIMs with the most usage, packed in the same way; null if there are no others. */
  head: Buffer | null;
  /** The highest usage of a SIM that is not in the head, at least 1 (some have no bytes); 0 if there are no others. */
  rest_bytes: number;
  /** Which SIMs it contains, and where (`mapOf`); empty if the map would be larger than the pack. */
  map: Buffer;
  /** Number of the first range of ids in the map. */
  map_from: number;
}

/** Small enough that looking up a SIM reads little else. */
const simsPerBlock = 16;
/** Many times the number of SIMs shown: the top SIMs of several packs are found in their heads. */
export const headSims = 16_384;

/** @param headSize number of SIMs in the head, at least 1 */
export const packSims = (sorted: readonly SimCounts[], headSize: number): SimPack => {
  const packer = new SimPacker(headSize);
  for (const { sessions, ...amounts } of sorted) packer.add(amounts, packSet(sessions));
  return packer.pack();
};

/** Packs SIMs, which must be added in the order of their ids. */
class SimPacker {
  readonly #packed = new NumberWriter();
  readonly #ids = new NumberWriter();
  readonly #places = new NumberWriter();
  readonly #volumes: number[] = [];
  readonly #sims: number[] = [];
  readonly #ranges: RangeStart[] = [];
  readonly #headSize: number;
  #last = 0;
  #block = 0;

  constructor(headSize: number) {
    this.#headSize = headSize;
  }

  add(amounts: SimAmounts, sessions: Uint8Array): void {
    const count = this.#volumes.length;
    if (count > 0 && count % simsPerBlock === 0) {
      this.#places.add(this.#packed.length - this.#block);
      this.#block = this.#packed.length;
    }
    const range = rangeOf(amounts.sim);
    if (range !== this.#ranges.at(-1)?.range) this.#ranges.push({ range, offset: this.#packed.length });
    this.#sims.push(amounts.sim);
    writeSim(this.#packed, { ...amounts, sessions }, this.#last);
    this.#ids.add(amounts.sim - this.#last);
    this.#last = amounts.sim;
    this.#volumes.push(volumeOf(amounts));
  }

  pack(): SimPack {
    const packed = this.#packed.packed();
    const common = {
      packed,
      ids: this.#ids.packed(),
      places: this.#places.packed(),
      ...mapOf({ sims: this.#sims, ranges: this.#ranges, length: packed.length }),
    };
    if (this.#volumes.length <= this.#headSize) return { ...common, head: null, rest_bytes: 0 };
    const minVolume = nthLargest(Float64Array.from(this.#volumes), this.#headSize);
    const above = this.#volumes.reduce((count, volume) => (volume > minVolume ? count + 1 : count), 0);
    return { ...common, ...headOf(packed, { minVolume, maxEqual: this.#headSize - above }) };
  }
}

const volumeOf = ({ up_bytes, down_bytes }: SimAmounts): number => up_bytes + down_bytes;

const writeSim = (writer: NumberWriter, { sim, sessions, ...amounts }: PackedSim, last: number): void => {
  writer.add(sim - last);
  writer.add(amounts.records);
  writer.add(amounts.up_bytes);
  writer.add(amounts.down_bytes);
  writer.add(sessions.length);
  writer.addBytes(sessions);
};

/**
 * @param minVolume the least usage in the head
 * @param maxEqual number of SIMs with exactly that usage in the head
 */
const headOf = (
  packed: Uint8Array,
  { minVolume, maxEqual }: { minVolume: number; maxEqual: number },
): Pick<SimPack, 'head' | 'rest_bytes'> => {
  const writer = new NumberWriter();
  let [equal, last, rest] = [0, 0, 1];
  forEachSim(packed, (amounts, sessions) => {
    const volume = volumeOf(amounts);
    if (volume < minVolume || (volume === minVolume && equal === maxEqual)) {
      rest = Math.max(rest, volume);
      return;
    }
    if (volume === minVolume) equal += 1;
    writeSim(writer, { ...amounts, sessions: sessions() }, last);
    last = amounts.sim;
  });
  return { head: writer.packed(), rest_bytes: rest };
};

/** A range of a pack that contains some SIMs: `bytes` from `from` on, after the SIM with the given id. */
export interface PackPart {
  from: number;
  bytes: number | undefined;
  sim: number;
}

/** The ranges of a pack that contain the given sorted SIMs; SIMs that it does not have are skipped. */
export const partsWith = (
  { ids, places }: Pick<SimPack, 'ids' | 'places'>,
  sims: readonly number[],
): PackPart[] => {
  const blocks = blocksWith(ids, sims);
  const reader = new NumberReader(places);
  let [block, from] = [0, 0];
  const parts: PackPart[] = [];
  for (const { block: target, sim } of blocks) {
    for (; block < target; block += 1) from += reader.next();
    const bytes = reader.isDone() ? undefined : reader.next();
    const before = parts.at(-1);
    if (before?.bytes !== undefined && before.from + before.bytes === from) {
      before.bytes = bytes === undefined ? undefined : before.bytes + bytes;
    } else parts.push({ from, bytes, sim });
    if (bytes === undefined) break;
    block += 1;
    from += bytes;
  }
  return parts;
};

/** The blocks that contain the SIMs, each with the last id before it. */
const blocksWith = (ids: Uint8Array, sims: readonly number[]): { block: number; sim: number }[] => {
  const found: { block: number; sim: number }[] = [];
  const reader = new SetReader();
  reader.begin(ids);
  let [wantedIndex, last, before, count, block] = [0, 0, 0, 0, -1];
  let next = sims[0] ?? Number.POSITIVE_INFINITY;
  for (let length = reader.read(); length > 0; length = reader.read()) {
    for (let index = 0; index < length; index += 1, count += 1) {
      if (count % simsPerBlock === 0) before = last;
      last = reader.block[index] as number;
      while (next < last) next = sims[++wantedIndex] ?? Number.POSITIVE_INFINITY;
      if (next !== last || block === Math.floor(count / simsPerBlock)) continue;
      block = Math.floor(count / simsPerBlock);
      found.push({ block, sim: before });
    }
    if (next === Number.POSITIVE_INFINITY) break;
  }
  return found;
};

/** Reads the SIMs of a pack in the order of ids, without a call or an object for each. */
class SimReader implements SimAmounts {
  sim: number;
  records = 0;
  up_bytes = 0;
  down_bytes = 0;
  /** Position of the SIM's sessions in the pack (`sessionsAt`). */
  sessionsOffset = 0;
  readonly #packed: Uint8Array;
  #position = 0;

  /** @param before id of the last SIM before the first one */
  constructor(packed: Uint8Array, before = 0) {
    this.#packed = packed;
    this.sim = before;
  }

  /** @returns false after the last SIM */
  read(): boolean {
    if (this.#position >= this.#packed.length) return false;
    this.sim += this.#next();
    this.records = this.#next();
    this.up_bytes = this.#next();
    this.down_bytes = this.#next();
    this.sessionsOffset = this.#position;
    const length = this.#next();
    this.#position += length;
    return true;
  }

  #next(): number {
    const packed = this.#packed;
    let byte = packed[this.#position++] as number;
    if (byte < 128) return byte;
    // Most numbers fit 32-bit integers.
    let value = byte & 127;
    for (let shift = 7; shift < 28; shift += 7) {
      byte = packed[this.#position++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
    let unit = 2 ** 28;
    for (byte = packed[this.#position++] ?? 0; byte >= 128; byte = packed[this.#position++] ?? 0) {
      value += (byte - 128) * unit;
      unit *= 128;
    }
    return value + byte * unit;
  }
}

/** The sessions at a position of a pack, as a set. */
const sessionsAt = (packed: Uint8Array, offset: number): Uint8Array => {
  const reader = new NumberReader(packed.subarray(offset));
  return reader.peek(reader.next());
};

/**
 * Calls back with each SIM of a pack, in the order of ids, always in the same object, with a function that returns
 * its sessions as a packed set.
 * @param before id of the last SIM before the first one
 */
export const forEachSim = (
  packed: Uint8Array,
  visit: (amounts: SimAmounts, sessions: () => Uint8Array) => void,
  before = 0,
): void => {
  const reader = new SimReader(packed, before);
  const sessions = () => sessionsAt(packed, reader.sessionsOffset);
  while (reader.read()) visit(reader, sessions);
};

/** Combines packs; sessions in several of them count once. */
export const combinePacks = (packs: readonly Uint8Array[], headSize: number): SimPack => {
  const merger = new PackMerger(packs);
  const packer = new SimPacker(headSize);
  for (let first = merger.next(); first; first = merger.next()) {
    const { sim } = first;
    let { records, up_bytes, down_bytes, sessions } = first;
    for (let more = merger.nextOf(sim); more; more = merger.nextOf(sim)) {
      records += more.records;
      up_bytes += more.up_bytes;
      down_bytes += more.down_bytes;
      sessions = packSet(unionOf([unpackSet(sessions), unpackSet(more.sessions)]));
    }
    packer.add({ sim, records, up_bytes, down_bytes }, sessions);
  }
  return packer.pack();
};

/** A SIM of a pack, with its sessions packed. */
interface PackedSim extends SimAmounts {
  sessions: Uint8Array;
}

/** Returns the SIMs of several packs in the order of ids. A heap holds the next SIM of each pack. */
class PackMerger {
  readonly #heap: { sim: number; reader: NumberReader }[] = [];

  constructor(packs: readonly Uint8Array[]) {
    for (const pack of packs) {
      const reader = new NumberReader(pack);
      if (!reader.isDone()) this.#heap.push({ sim: reader.next(), reader });
    }
    this.#heap.sort((a, b) => a.sim - b.sim);
  }

  next(): PackedSim | undefined {
    const [top] = this.#heap;
    if (!top) return undefined;
    const { sim, reader } = top;
    const [records, up_bytes, down_bytes] = [reader.next(), reader.next(), reader.next()];
    const length = reader.next();
    const sessions = reader.peek(length);
    reader.skip(length);
    if (reader.isDone()) {
      const last = this.#heap.pop();
      if (last && last !== top) this.#heap[0] = last;
    } else top.sim += reader.next();
    this.#sink();
    return { sim, records, up_bytes, down_bytes, sessions };
  }

  /** The next entry, if it is for this SIM. */
  nextOf(sim: number): PackedSim | undefined {
    return this.#heap[0]?.sim === sim ? this.next() : undefined;
  }

  /** Moves the top of the heap to its position. */
  #sink(): void {
    const [top] = this.#heap;
    if (!top) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      const [left, right] = [this.#heap[child], this.#heap[child + 1]];
      if (!left) break;
      const isRight = right !== undefined && right.sim < left.sim;
      const lesser = isRight ? right : left;
      if (isRight) child += 1;
      if (lesser.sim >= top.sim) break;
      this.#heap[index] = lesser;
      index = child;
    }
    this.#heap[index] = top;
  }
}
