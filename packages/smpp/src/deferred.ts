const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;

interface Delay {
  ms: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Items that wait alone before they are tried again: 1 s, doubled up to 30 s, with jitter. One that fails every time delays no
 * other.
 */
export class Deferred<T extends object> {
  readonly #random: () => number;
  readonly #waiting = new Set<T>();
  readonly #delays = new WeakMap<T, Delay>();

  /** @param random 0 ≤ x < 1, for the jitter */
  constructor(random: () => number) {
    this.#random = random;
  }

  get length(): number {
    return this.#waiting.size;
  }

  add(item: T, isDue: (item: T) => void): void {
    const delay = this.#delays.get(item) ?? { ms: FIRST_DELAY_MS, timer: undefined };
    this.#delays.set(item, delay);
    this.#waiting.add(item);
    delay.timer = setTimeout(
      () => {
        this.#waiting.delete(item);
        isDue(item);
      },
      delay.ms * (0.75 + 0.5 * this.#random()),
    );
    delay.ms = Math.min(2 * delay.ms, MAX_DELAY_MS);
  }

  /** Removes all, so that none becomes due. */
  drain(): T[] {
    const rest = [...this.#waiting];
    for (const item of rest) clearTimeout(this.#delays.get(item)?.timer);
    this.#waiting.clear();
    return rest;
  }
}
