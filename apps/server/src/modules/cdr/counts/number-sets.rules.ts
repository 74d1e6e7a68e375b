/**
 * Sets of whole numbers from 0 on, packed: in their order, each as its distance from the one before, seven bits a byte,
 * the lowest first; the highest bit says that more follow.
 */
export const packSet = (sorted: readonly number[]): Buffer => {
  const bytes: number[] = [];
  let last = 0;
  for (const number of sorted) {
    let distance = number - last;
    // No shifts: numbers may have more than 32 bits.
    for (; distance >= 128; distance = Math.floor(distance / 128)) bytes.push((distance % 128) + 128);
    bytes.push(distance);
    last = number;
  }
  return Buffer.from(bytes);
};

const eachOf = (packed: Uint8Array, told: (number: number) => void): void => {
  let [last, distance, unit] = [0, 0, 1];
  for (const byte of packed) {
    if (byte >= 128) {
      distance += (byte - 128) * unit;
      unit *= 128;
    } else {
      last += distance + byte * unit;
      told(last);
      distance = 0;
      unit = 1;
    }
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

/** How many different numbers packed sets have, and others beside them. */
export const countUnion = (packed: readonly Uint8Array[], others: readonly number[] = []): number => {
  let bits = new Uint32Array(1024);
  let count = 0;
  const add = (number: number): void => {
    const word = Math.floor(number / 32);
    if (word >= bits.length) {
      const wider = new Uint32Array(2 ** Math.ceil(Math.log2(word + 1)));
      wider.set(bits);
      bits = wider;
    }
    const bit = 1 << (number % 32);
    const held = bits[word] ?? 0;
    if ((held & bit) !== 0) return;
    bits[word] = held | bit;
    count += 1;
  };
  for (const set of packed) eachOf(set, add);
  for (const number of others) add(number);
  return count;
};
