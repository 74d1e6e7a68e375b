import { setTimeout as sleep } from 'node:timers/promises';

/** @throws Error when the work takes longer; the work itself continues, and its result is ignored */
export const within = async <T>(limitMs: number, work: Promise<T>): Promise<T> => {
  const over = new AbortController();
  const late = sleep(limitMs, undefined, { signal: over.signal }).then(
    () => Promise.reject(new Error(`no answer within ${limitMs / 1000} s`)),
    () => new Promise<never>(() => undefined),
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
};
