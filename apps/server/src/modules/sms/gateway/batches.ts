import { setTimeout as sleep } from 'node:timers/promises';

/** An item to be stored, and the callbacks for when it is. */
interface Waiting<T> {
  item: T;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export interface BatchOptions<T> {
  /** Stores all items or, if it throws, none. The next batch begins when they are stored, or when `next` is called. */
  store: (items: readonly T[], next: () => void) => Promise<void>;
  /** Maximum number of items in one transaction. */
  batchSize: number;
  /** Called after a failure. Items for which `isRetried` returns true are retried until they are stored; the others are rejected. */
  onError: (error: unknown) => void;
  isRetried: (item: T) => boolean;
}

const pauseMs = 500;

/**
 * Stores items batch by batch: everything that arrives while a batch is being stored becomes the next one, so that
 * under load many share a commit and a single item does not wait.
 */
export class Batches<T> {
  readonly #options: BatchOptions<T>;
  #waiting: Waiting<T>[] = [];
  readonly #storing = new Set<Promise<void>>();
  #running: Promise<void> | undefined;
  #pause: Promise<void> | undefined;
  #isWoken = false;
  #isStopped = false;

  constructor(options: BatchOptions<T>) {
    this.#options = options;
  }

  /** Resolves when the item is committed. */
  add(item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#start();
    });
  }

  /** Stores the waiting items, or an empty batch, for the other work in the transaction. */
  wake(): void {
    this.#isWoken = true;
    this.#start();
  }

  /** Stores the waiting items; those that can't be stored are given up. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    while (this.#running !== undefined || this.#storing.size > 0)
      await Promise.all([this.#running, ...this.#storing]);
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      // Items may have arrived since the last check.
      if (this.#waiting.length > 0 || this.#isWoken) this.#start();
    });
  }

  async #run(): Promise<void> {
    // Lets everything that arrives in one turn of the event loop share a batch.
    await sleep(0);
    while (this.#waiting.length > 0 || this.#isWoken) {
      await this.#pause;
      this.#isWoken = false;
      const batch = this.#waiting.splice(0, this.#options.batchSize);
      await new Promise<void>((next) => {
        const stored = this.#store(batch, next).finally(() => {
          this.#storing.delete(stored);
          next();
        });
        this.#storing.add(stored);
      });
    }
  }

  async #store(batch: readonly Waiting<T>[], next: () => void): Promise<void> {
    try {
      await this.#options.store(
        batch.map(({ item }) => item),
        next,
      );
      for (const { resolve } of batch) resolve();
    } catch (error) {
      this.#options.onError(error);
      const retried = batch.filter(({ item }) => this.#options.isRetried(item) && !this.#isStopped);
      for (const one of batch) if (!retried.includes(one)) one.reject(error);
      if (retried.length === 0) return;
      this.#pause = sleep(pauseMs);
      this.#waiting.unshift(...retried);
      this.#start();
    }
  }
}
