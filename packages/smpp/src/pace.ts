export interface PaceOptions {
  /** Maximum messages in any second; if undefined, limited only by the window. */
  rate: number | undefined;
  /** 0 ≤ x < 1, for the jitter of pauses. */
  random: () => number;
}

const PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** Fraction of what the SMSC accepted in the second before it throttled. */
const REDUCTION = 0.8;
const MIN_RATE = 5;
/** A rate beyond this counts as unlimited. */
const MAX_RATE = 100_000;
const GROWTH_PER_SECOND = 1.05;

/**
 * Decides when the next message of a connection may be sent. Keeps to the agreed rate in any second, not on average. When the
 * SMSC throttles, everything pauses (1 s, doubled up to 30 s while it accepts nothing), then continues below the rate that it
 * last accepted, which grows by 5 % per second up to the agreed one. Times are milliseconds of one clock.
 */
export class Pace {
  readonly #options: PaceOptions;
  readonly #taken = new RecentCount();
  #tokens = 1;
  #filledAt = 0;
  #resumeAt = 0;
  #pauseMs = PAUSE_MS;
  /** After throttling: the rate at `#resumeAt`. */
  #reduced: number | undefined;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** Current messages per second; `undefined` without a limit. */
  rate(now: number): number | undefined {
    const { rate } = this.#options;
    if (this.#reduced === undefined) return rate;
    const grown = this.#reduced * GROWTH_PER_SECOND ** (Math.max(0, now - this.#resumeAt) / 1_000);
    if (grown < (rate ?? MAX_RATE)) return grown;
    this.#reduced = undefined;
    return rate;
  }

  /** Returns 0 if one message may be sent now (and counts it), otherwise the milliseconds to wait. */
  take(now: number): number {
    if (now < this.#resumeAt) return this.#resumeAt - now;
    const rate = this.rate(now);
    if (rate === undefined) return 0;
    // A burst of this size, plus what is refilled in a second, does not exceed the rate in any second.
    const burst = Math.max(1, Math.floor(rate / 50));
    const perMs = (rate - burst + 1) / 1_000;
    this.#tokens = Math.min(burst, this.#tokens + (now - this.#filledAt) * perMs);
    this.#filledAt = now;
    if (this.#tokens < 1) return (1 - this.#tokens) / perMs;
    this.#tokens -= 1;
    return 0;
  }

  /** End of the latest pause. */
  get resumeAt(): number {
    return this.#resumeAt;
  }

  accepted(now: number): void {
    this.#taken.add(now);
    this.#pauseMs = PAUSE_MS;
  }

  throttled(now: number): void {
    // Throttled responses to submits that were already in flight are ignored.
    if (now < this.#resumeAt) return;
    const last = Math.min(this.rate(now) ?? MAX_RATE, this.#taken.inLastSecond(now));
    this.#reduced = Math.max(MIN_RATE, last * REDUCTION);
    this.#resumeAt = now + this.#pauseMs * (0.75 + 0.5 * this.#options.random());
    this.#pauseMs = Math.min(2 * this.#pauseMs, MAX_PAUSE_MS);
  }
}

/** Counts events of the last second, in tenths of a second. */
class RecentCount {
  readonly #counts = new Uint32Array(10);
  #slot = 0;

  add(now: number): void {
    this.#moveTo(now);
    const index = this.#slot % 10;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
  }

  inLastSecond(now: number): number {
    this.#moveTo(now);
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  #moveTo(now: number): void {
    const slot = Math.floor(now / 100);
    if (slot - this.#slot >= 10) this.#counts.fill(0);
    else for (let next = this.#slot + 1; next <= slot; next += 1) this.#counts[next % 10] = 0;
    this.#slot = slot;
  }
}
