/**
 * Reproducible random numbers: the same seeds give the same numbers on every machine. Small and fast (sfc32); each device and
 * each day has its own generator, so that no choice depends on the order in which a network replied.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(...seeds: readonly number[]) {
    let mixed = 0x9e3779b9;
    for (const seed of seeds) mixed = mix32(mixed ^ mix32(seed | 0) ^ mix32(Math.floor(seed / 2 ** 32)));
    this.#a = mixed;
    this.#b = mix32(mixed + 0x85ebca6b);
    this.#c = mix32(mixed + 0xc2b2ae35);
    // The first few outputs still resemble the seeds.
    for (let round = 0; round < 8; round += 1) this.#word();
  }

  /** 0 ≤ x < 1. */
  next(): number {
    return this.#word() / 2 ** 32;
  }

  /** 0 ≤ n < below. */
  integer(below: number): number {
    return Math.floor(this.next() * below);
  }

  between(min: number, max: number): number {
    return min + (max - min) * this.next();
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.integer(list.length)] ?? list[0];
  }

  /** An exponentially distributed waiting time with this mean. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  /** A factor with mean 1; `spread` is the standard deviation of its logarithm. */
  factor(spread: number): number {
    const angle = 2 * Math.PI * this.next();
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(angle);
    return Math.exp(spread * normal - (spread * spread) / 2);
  }

  #word(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }
}

/** Spreads the bits of a 32-bit number. */
function mix32(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return x ^ (x >>> 15);
}

/** FNV-1a of a text: a seed from an identifier. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
