const ignored = (): undefined => undefined;

/** Runs transactions one after the other, so that none waits for another's rows. */
export class Turns {
  /** Resolves when all transactions so far have finished. */
  #over: Promise<unknown> = Promise.resolve();
  /** Resolves when a pipelined transaction may begin. */
  #free: Promise<unknown> = Promise.resolve();

  /** Runs after all earlier transactions and before all later ones. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const done = Promise.all([this.#over, this.#free]).then(work);
    this.#over = done.catch(ignored);
    this.#free = this.#over;
    return done;
  }

  /** For a pipeline: the next pipelined transaction begins when this one finishes, or when `work` calls `next`. */
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

  /** Resolves when all transactions so far have finished. */
  async over(): Promise<void> {
    await this.#over;
  }
}
