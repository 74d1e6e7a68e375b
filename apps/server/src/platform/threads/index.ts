import { Worker } from 'node:worker_threads';

export interface ThreadLimits {
  timeLimitMs: number;
  memoryMb: number;
}

/** The queue is full. Its length is limited because waiting work holds its input, such as a file, in memory. */
export class ThreadPoolBusy extends Error {}

const defaultMaxWaiting = 20;

/**
 * Worker threads of one kind, a limited number at a time; further requests wait. Work that exhausts memory or
 * time affects only its own thread.
 * @param program the name of its bundle, which posts one message
 */
export const createThreadPool = <Request, Answer>(
  program: string,
  { size, waiting: maxWaiting = defaultMaxWaiting }: { size: number; waiting?: number },
) => {
  let running = 0;
  const waiting: (() => void)[] = [];
  const waitForTurn = async (): Promise<void> => {
    if (running >= size && waiting.length >= maxWaiting)
      throw new ThreadPoolBusy('Too much work is waiting for a thread');
    while (running >= size) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    }
    running += 1;
  };
  /**
   * @returns the message of the thread; undefined if it failed or exceeded its limits
   * @throws ThreadPoolBusy
   */
  return async (request: Request, limits: ThreadLimits): Promise<Answer | undefined> => {
    await waitForTurn();
    try {
      return await runThread<Answer>(program, request, limits);
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
};

const runThread = <Answer>(
  program: string,
  workerData: unknown,
  { timeLimitMs, memoryMb }: ThreadLimits,
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

/**
 * Next to the server's own bundle. A thread can't load TypeScript sources where these run directly, so it runs
 * their build.
 */
const bundleOf = (program: string): URL =>
  new URL(`${import.meta.url.endsWith('.ts') ? '../../../dist' : '.'}/${program}.js`, import.meta.url);
