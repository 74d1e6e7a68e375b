import { isReachable } from '../api-client/reachable.ts';

const firstPauseMs = 1000;
const longestPauseMs = 15_000;

/** The server is there, a part of the console is not: a newer version has others, or the browser remembers that it failed before. */
export class PartGone extends Error {
  override readonly name = 'PartGone';
}

/**
 * A part of the console that is fetched when it is opened. While the server is out of reach it is waited for, as answers are: the
 * page stays as it is. The router would load the page again, of which the browser has nothing then.
 * @throws PartGone where the server is there: then it is time to load the page again
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
