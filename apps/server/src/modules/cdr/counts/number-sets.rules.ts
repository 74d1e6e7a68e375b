import { NumberReader, packNumbers } from '../../../platform/packed/index.ts';

/** Packs a set of non-negative integers: sorted, each as the distance from the previous one. */
export const packSet = (sorted: readonly number[]): Buffer =>
  packNumbers((add) => {
    let last = 0;
    for (const number of sorted) {
      add(number - last);
      last = number;
    }
  });

const blockLength = 2048;

/** Reads the numbers of a set in order, in blocks: a call for each number would cost more than reading it. */
export class SetReader {
  readonly block = new Float64Array(blockLength);
  #packed: Uint8Array = new Uint8Array(0);
  #position = 0;
  #last = 0;

  begin(packed: Uint8Array): void {
    this.#packed = packed;
    this.#position = 0;
    this.#last = 0;
  }

  /** @returns how many numbers were read into `block`; 0 at the end */
  read(): number {
    const { block } = this;
    const packed = this.#packed;
    let [position, last, count] = [this.#position, this.#last, 0];
    for (; count < blockLength && position < packed.length; count += 1) {
      let byte = packed[position++] as number;
      if (byte < 128) last += byte;
      else {
        let unit = 1;
        for (; byte >= 128; byte = packed[position++] ?? 0) {
          last += (byte - 128) * unit;
          unit *= 128;
        }
        last += byte * unit;
      }
      block[count] = last;
    }
    this.#position = position;
    this.#last = last;
    return count;
  }
}

/** Calls back with each number of a set, in order. */
export const forEachNumber = (packed: Uint8Array, visit: (number: number) => void): void => {
  const reader = new NumberReader(packed);
  for (let last = 0; !reader.isDone(); ) {
    last += reader.next();
    visit(last);
  }
};

/** The numbers of a set, sorted. */
export const unpackSet = (packed: Uint8Array): number[] => {
  const numbers: number[] = [];
  forEachNumber(packed, (number) => numbers.push(number));
  return numbers;
};

/** The union of sorted lists, sorted and without duplicates. */
export const unionOf = (lists: readonly (readonly number[])[]): readonly number[] => {
  const filled = lists.filter((list) => list.length > 0);
  const [only] = filled;
  if (!only) return [];
  if (filled.length === 1) return only;
  const count = filled.reduce((sum, list) => sum + list.length, 0);
  const smallest = Math.min(...filled.map((list) => list[0] ?? 0));
  const range = Math.max(...filled.map((list) => list.at(-1) ?? 0)) - smallest + 1;
  return range <= bitmapBitsPerNumber * count
    ? unionByBitmap(filled, smallest, range)
    : unionBySort(filled, count);
};

/** Up to this many bits of range per number, scanning a bitmap is faster than sorting. */
const bitmapBitsPerNumber = 128;

const unionByBitmap = (lists: readonly (readonly number[])[], smallest: number, range: number): number[] => {
  const words = new Uint32Array(Math.ceil(range / 32));
  for (const list of lists) {
    for (const number of list) {
      const bit = number - smallest;
      const word = Math.floor(bit / 32);
      words[word] = (words[word] ?? 0) | (1 << (bit % 32));
    }
  }
  const found: number[] = [];
  for (let word = 0; word < words.length; word += 1) {
    for (let bits = words[word] ?? 0; bits !== 0; bits &= bits - 1) {
      found.push(smallest + word * 32 + 31 - Math.clz32(bits & -bits));
    }
  }
  return found;
};

const unionBySort = (lists: readonly (readonly number[])[], count: number): number[] => {
  const sorted = new Float64Array(count);
  let length = 0;
  for (const list of lists) {
    sorted.set(list, length);
    length += list.length;
  }
  sorted.sort();
  const found: number[] = [];
  for (const number of sorted)
    if (found.length === 0 || number !== found[found.length - 1]) found.push(number);
  return found;
};

/** A set as bits: the first number, in words of 32, then the words, each of four bytes, lowest first. */
export const packBits = (sorted: readonly number[]): Buffer | null => {
  const first = Math.floor((sorted[0] ?? 0) / 32);
  const words = Math.floor((sorted.at(-1) ?? 0) / 32) - first + 1;
  // A sparse set is smaller and faster as numbers.
  if (sorted.length === 0 || words * 32 > maxBitsPerNumber * sorted.length) return null;
  const bits = Buffer.alloc(words * 4);
  for (const number of sorted) {
    const bit = number - first * 32;
    const byte = Math.floor(bit / 8);
    bits[byte] = (bits[byte] ?? 0) | (1 << (bit % 8));
  }
  return packNumbers((add, addBytes) => {
    add(first);
    addBytes(bits);
  });
};

/** Maximum number of bits per number of a set. */
const maxBitsPerNumber = 16;

/** A bitmap of non-negative integers. */
class NumberSet {
  #bits = new Uint32Array(1024);

  /** Whether the number was new. */
  add(number: number): boolean {
    const word = Math.floor(number / 32);
    if (word >= this.#bits.length) this.#widen(word);
    const bit = 1 << (number % 32);
    const current = this.#bits[word] ?? 0;
    if ((current & bit) !== 0) return false;
    this.#bits[word] = current | bit;
    return true;
  }

  /** @returns how many numbers of a set of bits (`packBits`) were new */
  addBits(packed: Uint8Array): number {
    const reader = new NumberReader(packed);
    const first = reader.next();
    const start = reader.position;
    const words = (packed.length - start) / 4;
    if (first + words > this.#bits.length) this.#widen(first + words);
    const bits = this.#bits;
    let count = 0;
    for (let word = 0, byte = start; word < words; word += 1, byte += 4) {
      const incoming =
        (packed[byte] as number) |
        ((packed[byte + 1] as number) << 8) |
        ((packed[byte + 2] as number) << 16) |
        ((packed[byte + 3] as number) << 24);
      const current = bits[first + word] as number;
      const added = incoming & ~current;
      if (added === 0) continue;
      bits[first + word] = current | incoming;
      count += bitsOf(added);
    }
    return count;
  }

  #widen(word: number): void {
    const wider = new Uint32Array(2 ** Math.ceil(Math.log2(word + 1)));
    wider.set(this.#bits);
    this.#bits = wider;
  }
}

/** The number of set bits, counted in parallel in increasingly large fields. */
const bitsOf = (word: number): number => {
  let sums = word - ((word >>> 1) & 0x55555555);
  sums = (sums & 0x33333333) + ((sums >>> 2) & 0x33333333);
  sums = (sums + (sums >>> 4)) & 0x0f0f0f0f;
  return Math.imul(sums, 0x01010101) >>> 24;
};

/** A set, packed as numbers or as bits. */
export interface StoredSet {
  packed: Uint8Array;
  isBits: boolean;
}

/** The number of distinct values in sets and further numbers. */
export const countUnion = (sets: readonly StoredSet[], others: Iterable<number> = []): number => {
  const found = new NumberSet();
  const reader = new SetReader();
  let count = 0;
  for (const { packed, isBits } of sets) {
    if (isBits) {
      count += found.addBits(packed);
      continue;
    }
    reader.begin(packed);
    for (let length = reader.read(); length > 0; length = reader.read()) {
      for (let index = 0; index < length; index += 1) {
        if (found.add(reader.block[index] as number)) count += 1;
      }
    }
  }
  for (const number of others) if (found.add(number)) count += 1;
  return count;
};
