/** The only source of the current time, so that tests can set it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock for tests: it stands still until it is moved. */
export class FixedClock implements Clock {
  #at: number;

  constructor(at: Date | string) {
    this.#at = new Date(at).getTime();
  }

  now(): Date {
    return new Date(this.#at);
  }

  set(at: Date | string): void {
    this.#at = new Date(at).getTime();
  }

  advance(ms: number): void {
    this.#at += ms;
  }
}
