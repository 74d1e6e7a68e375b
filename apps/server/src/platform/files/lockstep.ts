/**
 * Reads rows once for several concurrent readers, none of which gets more than one part ahead of another, so
 * memory does not grow with the number of rows. All readers must read at the same time; when one stops, the
 * others fail.
 */
export const readInLockstep = <T>(
  parts: AsyncIterable<readonly T[]>,
  readers: number,
): AsyncGenerator<T>[] => {
  const source = parts[Symbol.asyncIterator]();
  let round = newRound<T>();
  let stopped: Error | undefined;
  /** The next part, once all readers have asked for it. */
  const next = (): Promise<Part<T>> => {
    if (stopped) return Promise.reject(stopped);
    const current = round;
    current.readers += 1;
    if (current.readers === readers) {
      round = newRound();
      source.next().then(current.resolve, current.reject);
    }
    return current.part;
  };
  const stop = (): void => {
    if (stopped) return;
    stopped = new Error('Another reader of the same rows has stopped');
    round.reject(stopped);
    source.return?.().catch(() => undefined);
  };
  async function* read(): AsyncGenerator<T> {
    let isComplete = false;
    try {
      for (;;) {
        const { done, value } = await next();
        isComplete = done === true;
        if (done) return;
        yield* value;
      }
    } finally {
      if (!isComplete) stop();
    }
  }
  return Array.from({ length: readers }, read);
};

type Part<T> = IteratorResult<readonly T[], unknown>;

interface Round<T> {
  readers: number;
  part: Promise<Part<T>>;
  resolve: (part: Part<T>) => void;
  reject: (reason: unknown) => void;
}

const newRound = <T>(): Round<T> => {
  let [resolve, reject]: [Round<T>['resolve'], Round<T>['reject']] = [() => undefined, () => undefined];
  const part = new Promise<Part<T>>((...settle) => {
    [resolve, reject] = settle;
  });
  // The part may be rejected while no reader waits for it.
  part.catch(() => undefined);
  return { readers: 0, part, resolve, reject };
};
