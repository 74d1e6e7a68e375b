const ignored = (): undefined => undefined;

/** Transactions one after the other, so that no two wait for each other's rows. */
export class Turns {
  /** All that were asked for are over. */
  #over: Promise<unknown> = Promise.resolve();
  /** A piped one may begin. */
  #free: Promise<unknown> = Promise.resolve();

  /** After all before it, and before all after it. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const done = Promise.all([this.#over, this.#free]).then(work);
    this.#over = done.catch(ignored);
    this.#free = this.#over;
    return done;
  }

  /** On a pipeline: the next one of them begins when it is over, or when `work` says so. */
  piped<T>(work: (next: () => void) => Promise<T>): Promise<T> {
    let next: () => void = ignored;
    const toldSo = new Promise<void>((resolve) => {
      next = resolve;
    });
    const done = this.#free.then(() => work(next));
    const over = done.catch(ignored);
    this.#free = Promise.race([toldSo, over]);
    this.#over = Promise.all([this.#over, over]);
    return done;
  }

  /** When all that were asked for are over. */
  async over(): Promise<void> {
    await this.#over;
  }
}
