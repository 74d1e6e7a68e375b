import { randomInt } from 'node:crypto';

/** Random for each process, so that no file can be crafted whose texts all collide in one slot. */
const seed = randomInt(2 ** 31);

/** Assigns a number to each distinct text by its octets: a repeated text creates no string. */
export class OctetTable {
  /** The octets of all texts, concatenated. */
  #octets = Buffer.allocUnsafe(1024 * 1024);
  /** Text n extends from `#ends[n - 1]` to `#ends[n]`. */
  #ends = new Int32Array(4096);
  #tags = new Uint8Array(4096);
  #hashes = new Int32Array(4096);
  /** Open addressing, at most half full: a text's number + 1, or 0. */
  #slots = new Int32Array(8192);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /**
   * The text's number, from 0; `tag` (an octet) distinguishes equal texts of different kinds. Called several times
   * for each record, so the arguments are not an object.
   */
  numberOf(octets: Uint8Array, from: number, to: number, tag: number): number {
    let hash = tag ^ seed;
    for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (octets[at] as number), 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] as number) - 1;
      if (number < 0) return this.#add(octets.subarray(from, to), tag, hash);
      if (this.#hashes[number] === hash && this.#tags[number] === tag && this.#isAt(number, octets, from, to))
        return number;
    }
  }

  tag(number: number): number {
    return this.#tags[number] ?? 0;
  }

  text(number: number): string {
    return this.#octets.toString('utf8', this.#startOf(number), this.#ends[number]);
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] as number);
  }

  #isAt(number: number, octets: Uint8Array, from: number, to: number): boolean {
    const start = this.#startOf(number);
    if ((this.#ends[number] as number) - start !== to - from) return false;
    const own = this.#octets;
    for (let at = from; at < to; at += 1) if (own[start + at - from] !== octets[at]) return false;
    return true;
  }

  #add(text: Uint8Array, tag: number, hash: number): number {
    const number = this.#size;
    if (number === this.#ends.length) this.#grow();
    const start = this.#startOf(number);
    if (start + text.length > this.#octets.length) {
      const larger = Buffer.allocUnsafe(2 * (start + text.length));
      this.#octets.copy(larger, 0, 0, start);
      this.#octets = larger;
    }
    this.#octets.set(text, start);
    this.#ends[number] = start + text.length;
    this.#tags[number] = tag;
    this.#hashes[number] = hash;
    this.#size += 1;
    this.#insert(number);
    return number;
  }

  #insert(number: number): void {
    const mask = this.#slots.length - 1;
    let slot = (this.#hashes[number] as number) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = number + 1;
  }

  #grow(): void {
    const length = 2 * this.#ends.length;
    const [ends, tags, hashes] = [new Int32Array(length), new Uint8Array(length), new Int32Array(length)];
    ends.set(this.#ends);
    tags.set(this.#tags);
    hashes.set(this.#hashes);
    this.#ends = ends;
    this.#tags = tags;
    this.#hashes = hashes;
    this.#slots = new Int32Array(2 * length);
    for (let number = 0; number < this.#size; number += 1) this.#insert(number);
  }
}
