/**
 * A 53-bit hash of a text, the same in every process and version: keys of sessions and records are made of it and
 * stored. Two rounds of multiply-and-mix over the code units; not for secrets.
 */
export const hash53 = (text: string, seed = 0): number => {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  return join(high, low);
};

/** A 53-bit hash of three safe integers. */
export const hashNumbers53 = (a: number, b: number, c: number): number => {
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  for (const value of [a, b, c]) {
    const upper = Math.floor(value / word);
    high = Math.imul(high ^ (value | 0), 2_654_435_761);
    high = Math.imul(high ^ (upper | 0) ^ (high >>> 15), 2_246_822_507);
    low = Math.imul(low ^ (upper | 0), 1_597_334_677);
    low = Math.imul(low ^ (value | 0) ^ (low >>> 13), 3_266_489_909);
  }
  return join(high, low);
};

const word = 4_294_967_296;

const join = (high: number, low: number): number => {
  let a = high;
  let b = low;
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return word * (2_097_151 & b) + (a >>> 0);
};
