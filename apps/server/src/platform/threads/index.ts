import { Worker } from 'node:worker_threads';

export interface ThreadBounds {
  timeLimitMs: number;
  memoryMb: number;
}

/** As many as may be wait already: who waits holds what the work is about, such as a file, in memory. */
export class ThreadsBusy extends Error {}

const waitingMost = 20;

/**
 * Threads of one kind, so many at a time; others wait for their turn. Whatever the work does to memory or time, it does to
 * its thread alone.
 * @param program the name of its bundle; it posts one message
 */
export const threadsOf = <Request, Answer>(
  program: string,
  { atOnce, waiting: most = waitingMost }: { atOnce: number; waiting?: number },
) => {
  let running = 0;
  const waiting: (() => void)[] = [];
  const turn = async (): Promise<void> => {
    if (running >= atOnce && waiting.length >= most)
      throw new ThreadsBusy('Too much of this work waits already');
    while (running >= atOnce) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    }
    running += 1;
  };
  /**
   * @returns what the thread posted; undefined where it broke, or went beyond its bounds
   * @throws ThreadsBusy
   */
  return async (request: Request, bounds: ThreadBounds): Promise<Answer | undefined> => {
    await turn();
    try {
      return await answerOf<Answer>(program, request, bounds);
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
};

const answerOf = <Answer>(
  program: string,
  workerData: unknown,
  { timeLimitMs, memoryMb }: ThreadBounds,
): Promise<Answer | undefined> =>
  new Promise((resolve) => {
    const worker = new Worker(bundleOf(program), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    const end = (answer: Answer | undefined): void => {
      clearTimeout(timer);
      resolve(answer);
      void worker.terminate();
    };
    const timer = setTimeout(() => end(undefined), timeLimitMs);
    worker.once('message', end);
    worker.once('error', () => end(undefined));
    worker.once('exit', () => end(undefined));
  });

/** Beside the server's own bundle; a thread can't load the sources where these run directly, so it runs what was built of them. */
const bundleOf = (program: string): URL =>
  new URL(`${import.meta.url.endsWith('.ts') ? '../../../dist' : '.'}/${program}.js`, import.meta.url);
