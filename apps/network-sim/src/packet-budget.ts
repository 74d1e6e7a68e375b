/** Packets per second, smoothed: unused ones are kept for a fifth of a second, borrowed ones are paid back. */
export class PacketBudget {
  readonly #perSecond: number;
  readonly #now: () => number;
  #left: number;
  #filledMs: number;

  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond;
    this.#now = now;
    this.#left = Math.max(1, perSecond / 5);
    this.#filledMs = now();
  }

  get available(): boolean {
    const now = this.#now();
    const gained = ((now - this.#filledMs) / 1_000) * this.#perSecond;
    this.#left = Math.min(Math.max(1, this.#perSecond / 5), this.#left + gained);
    this.#filledMs = now;
    return this.#left >= 1;
  }

  take(): void {
    this.#left -= 1;
  }
}
