import { NumberReader, packNumbers } from '../../../platform/packed/index.ts';

/** Sets of whole numbers from 0 on, packed: in their order, each as its distance from the one before. */
export const packSet = (sorted: readonly number[]): Buffer =>
  packNumbers((add) => {
    let last = 0;
    for (const number of sorted) {
      add(number - last);
      last = number;
    }
  });

/** Tells each number of a set, in their order. */
export const eachOf = (packed: Uint8Array, told: (number: number) => void): void => {
  const reader = new NumberReader(packed);
  for (let last = 0; !reader.isDone(); ) {
    last += reader.next();
    told(last);
  }
};

/** The numbers of a set, sorted. */
export const unpackSet = (packed: Uint8Array): number[] => {
  const numbers: number[] = [];
  eachOf(packed, (number) => numbers.push(number));
  return numbers;
};

/** The numbers that any of the lists has, sorted and once each. */
export const unionOf = (lists: readonly (readonly number[])[]): number[] => {
  const [first = [], ...more] = lists;
  if (more.length === 0) return [...first];
  const sorted = Float64Array.from(lists.flat()).sort();
  return [...sorted.filter((number, index) => index === 0 || number !== sorted[index - 1])];
};

/** Whole numbers from 0 on, a bit each. */
export class NumberSet {
  #bits = new Uint32Array(1024);

  /** Whether the number was not there. */
  add(number: number): boolean {
    const word = Math.floor(number / 32);
    if (word >= this.#bits.length) {
      const wider = new Uint32Array(2 ** Math.ceil(Math.log2(word + 1)));
      wider.set(this.#bits);
      this.#bits = wider;
    }
    const bit = 1 << (number % 32);
    const held = this.#bits[word] ?? 0;
    if ((held & bit) !== 0) return false;
    this.#bits[word] = held | bit;
    return true;
  }
}

/** How many different numbers packed sets have, and others beside them. */
export const countUnion = (packed: readonly Uint8Array[], others: readonly number[] = []): number => {
  const found = new NumberSet();
  let count = 0;
  const add = (number: number): void => {
    if (found.add(number)) count += 1;
  };
  for (const set of packed) eachOf(set, add);
  for (const number of others) add(number);
  return count;
};
