import { setTimeout as sleep } from 'node:timers/promises';

/** @throws Error when the work takes longer; the work itself continues, and its result is ignored */
export const withTimeLimit = async <T>(limitMs: number, work: Promise<T>): Promise<T> => {
  const finished = new AbortController();
  const timeout = sleep(limitMs, undefined, { signal: finished.signal }).then(
    () => Promise.reject(new Error(`no answer within ${limitMs / 1000} s`)),
    () => new Promise<never>(() => undefined),
  );
  try {
    return await Promise.race([work, timeout]);
  } finally {
    finished.abort();
  }
};
