import { Worker, type WorkerOptions } from 'node:worker_threads';

/** A program for a thread of its own, which posts one message. */
export interface ThreadProgram {
  /** URL of its source, which is TypeScript. */
  source: string;
  /** URL of what the build makes of it, beside the bundle. */
  bundled: string;
}

export interface ThreadBounds {
  timeLimitMs: number;
  memoryMb: number;
}

/**
 * Threads of one kind, so many at a time; others wait for their turn. Whatever the work does to memory or time, it does to
 * its thread alone.
 */
export const threadsOf = <Request, Answer>(program: ThreadProgram, { atOnce }: { atOnce: number }) => {
  let running = 0;
  const waiting: (() => void)[] = [];
  const turn = async (): Promise<void> => {
    while (running >= atOnce) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    }
    running += 1;
  };
  /** @returns what the thread posted; undefined where it broke, or went beyond its bounds */
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
  program: ThreadProgram,
  workerData: unknown,
  { timeLimitMs, memoryMb }: ThreadBounds,
): Promise<Answer | undefined> =>
  new Promise((resolve) => {
    const worker = startThread(program, {
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
 * Beside the bundle in production. Where the sources run directly it is TypeScript, which a thread cannot load
 * by a flag: the loader is asked for inside it.
 */
const startThread = ({ source, bundled }: ThreadProgram, options: WorkerOptions): Worker => {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL(bundled), options);
  const quoted = JSON.stringify(source);
  return new Worker(`import('tsx/esm/api').then(({ tsImport }) => tsImport(${quoted}, ${quoted}))`, {
    ...options,
    eval: true,
  });
};
