import { Worker } from 'node:worker_threads';

export interface ThreadLimits {
  timeLimitMs: number;
  memoryMb: number;
}

/** For whom a thread works. */
export interface ThreadUser {
  /** Of one organisation's work, one thread at a time does the next, so that none delays the others. */
  orgId?: number | undefined;
  /** Ends the work: it is no longer needed. */
  signal?: AbortSignal | undefined;
}

/**
 * The queue is full, or the work is no longer needed. Its length is limited because waiting work holds its
 * input, such as a file, in memory.
 */
export class ThreadPoolBusy extends Error {}

const defaultMaxWaiting = 20;
/** The part of the queue that one organisation may take. */
const shareOfQueue = 0.25;

interface Turn {
  orgId: number | undefined;
  begin: () => void;
}

/**
 * Worker threads of one kind, a limited number at a time; further requests wait. Work that exhausts memory or
 * time affects only its own thread.
 * @param program the name of its bundle, which posts one message
 */
export const createThreadPool = <Request, Answer>(
  program: string,
  { size, waiting: maxWaiting = defaultMaxWaiting }: { size: number; waiting?: number },
) => {
  const running = new Set<Turn>();
  let waiting: Turn[] = [];
  const ofSame =
    ({ orgId }: Turn) =>
    (other: Turn) =>
      orgId !== undefined && other.orgId === orgId;
  const mayBegin = (turn: Turn): boolean => running.size < size && ![...running].some(ofSame(turn));
  const begin = (turn: Turn): void => {
    running.add(turn);
    turn.begin();
  };
  const beginNext = (): void => {
    const next = waiting.find(mayBegin);
    if (!next) return;
    waiting = waiting.filter((turn) => turn !== next);
    begin(next);
  };
  const isFull = (turn: Turn): boolean =>
    waiting.length >= maxWaiting ||
    waiting.filter(ofSame(turn)).length >= Math.ceil(maxWaiting * shareOfQueue);
  const waitForTurn = ({ orgId, signal }: ThreadUser): Promise<Turn> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting = waiting.filter((other) => other !== turn);
        reject(new ThreadPoolBusy('The work is no longer needed'));
      };
      const turn: Turn = {
        orgId,
        begin: () => {
          signal?.removeEventListener('abort', leave);
          resolve(turn);
        },
      };
      if (signal?.aborted) return leave();
      if (mayBegin(turn)) return begin(turn);
      if (isFull(turn)) return reject(new ThreadPoolBusy('Too much work is waiting for a thread'));
      waiting.push(turn);
      signal?.addEventListener('abort', leave, { once: true });
    });
  /**
   * @returns the message of the thread; undefined if it failed or exceeded its limits
   * @throws ThreadPoolBusy
   */
  return async (
    request: Request,
    limits: ThreadLimits,
    user: ThreadUser = {},
  ): Promise<Answer | undefined> => {
    const turn = await waitForTurn(user);
    try {
      return await runThread<Answer>(program, request, { ...limits, signal: user.signal });
    } finally {
      running.delete(turn);
      beginNext();
    }
  };
};

const runThread = <Answer>(
  program: string,
  workerData: unknown,
  { timeLimitMs, memoryMb, signal }: ThreadLimits & Pick<ThreadUser, 'signal'>,
): Promise<Answer | undefined> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(bundleOf(program), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    const stop = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abandon);
      void worker.terminate();
    };
    const end = (answer: Answer | undefined): void => {
      stop();
      resolve(answer);
    };
    const abandon = (): void => {
      stop();
      reject(new ThreadPoolBusy('The work is no longer needed'));
    };
    const timer = setTimeout(() => end(undefined), timeLimitMs);
    signal?.addEventListener('abort', abandon, { once: true });
    if (signal?.aborted) abandon();
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
