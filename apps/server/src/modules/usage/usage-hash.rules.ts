/**
 * A 53-bit hash of a text, the same in every process and version: keys of sessions and records are made of it and
 * stored. Two rounds of multiply-and-mix over the code units. Not for secrets.
 */
export const hash53 = (text: string): number => {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  return join(high, low);
};

/**
 * The key of a session, from its Acct-Session-Id, which is unique within a gateway; if a file names no gateway, from
 * the id alone.
 */
export const sessionKeyOf = (sessionId: string, gateway: string): number =>
  hash53(gateway === '' ? sessionId : `${gateway}\0${sessionId}`);

/** The key of a record by its session's cumulative volume: the same whether it arrived by file or by accounting. */
export const reportKey = (session: number, total: { up: number; down: number }): number =>
  hashNumbers53(session, total.up, total.down);

/** The same hash for ASCII octets. */
export const hashOctets53 = (octets: Uint8Array, from: number, to: number): number => {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = from; at < to; at += 1) {
    const code = octets[at] as number;
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  return join(high, low);
};

/** A 53-bit hash of three safe integers. */
export const hashNumbers53 = (a: number, b: number, c: number): number => {
  const [aUpper, bUpper, cUpper] = [Math.floor(a / word), Math.floor(b / word), Math.floor(c / word)];
  let high = mixHigh(0x9e3779b9, a, aUpper);
  high = mixHigh(high, b, bUpper);
  high = mixHigh(high, c, cUpper);
  let low = mixLow(0x85ebca6b, a, aUpper);
  low = mixLow(low, b, bUpper);
  low = mixLow(low, c, cUpper);
  return join(high, low);
};

const mixHigh = (high: number, value: number, upper: number): number => {
  const mixed = Math.imul(high ^ (value | 0), 2_654_435_761);
  return Math.imul(mixed ^ (upper | 0) ^ (mixed >>> 15), 2_246_822_507);
};

const mixLow = (low: number, value: number, upper: number): number => {
  const mixed = Math.imul(low ^ (upper | 0), 1_597_334_677);
  return Math.imul(mixed ^ (value | 0) ^ (mixed >>> 13), 3_266_489_909);
};

const word = 4_294_967_296;

const join = (high: number, low: number): number => {
  let a = high;
  let b = low;
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return word * (2_097_151 & b) + (a >>> 0);
};
