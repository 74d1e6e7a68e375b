import { isReachable } from '../api-client/reachable.ts';

const firstPauseMs = 1000;
const longestPauseMs = 15_000;

/**
 * The server is reachable, but a chunk of the console is missing: a newer version has different ones, or the browser cached an
 * earlier failure.
 */
export class PartGone extends Error {
  override readonly name = 'PartGone';
}

/**
 * Loads a chunk of the console when it is opened. While the server is unreachable, this waits, as requests do, and the page stays
 * as it is. (The router would reload the page, which the browser could not load then.)
 * @throws PartGone if the server is reachable: reloading the page will help
 */
export const untilReachable = async <T>(load: () => Promise<T>): Promise<T> => {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await load();
    } catch (cause) {
      if (await isReachable()) throw new PartGone('A part of the console is gone', { cause });
    }
    await onlineOrLater(pauseMs);
  }
};

const onlineOrLater = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const waiting = new AbortController();
    const end = (): void => {
      clearTimeout(timer);
      waiting.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end, { signal: waiting.signal });
  });
