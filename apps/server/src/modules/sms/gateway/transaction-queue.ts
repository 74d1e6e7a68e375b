const ignored = (): undefined => undefined;

/** Runs transactions one after the other, so that none waits for another's rows. */
export class TransactionQueue {
  /** Resolves when all transactions so far have finished. */
  #finished: Promise<unknown> = Promise.resolve();
  /** Resolves when a pipelined transaction may begin. */
  #ready: Promise<unknown> = Promise.resolve();

  /** Runs after all earlier transactions and before all later ones. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = Promise.all([this.#finished, this.#ready]).then(work);
    this.#finished = done.catch(ignored);
    this.#ready = this.#finished;
    return done;
  }

  /** For a pipeline: the next pipelined transaction begins when this one finishes, or when `work` calls `next`. */
  runPipelined<T>(work: (next: () => void) => Promise<T>): Promise<T> {
    let next: () => void = ignored;
    const released = new Promise<void>((resolve) => {
      next = resolve;
    });
    const done = this.#ready.then(() => work(next));
    const over = done.catch(ignored);
    this.#ready = Promise.race([released, over]);
    this.#finished = Promise.all([this.#finished, over]);
    return done;
  }

  /** Resolves when all transactions so far have finished. */
  async idle(): Promise<void> {
    await this.#finished;
  }
}
