import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { isReachable } from '../api-client/reachable.ts';

const firstPauseMs = 1000;
const longestPauseMs = 15_000;

/**
 * The server is reachable, but a chunk of the console is missing: a newer version has different ones, or the browser cached an
 * earlier failure.
 */
export class MissingChunkError extends Error {
  override readonly name = 'MissingChunkError';
}

/**
 * Loads a chunk of the console when it is opened. While the server is unreachable, this waits, as requests do, and the page stays
 * as it is. (The router would reload the page, which the browser could not load then.)
 * @throws MissingChunkError if the server is reachable: reloading the page will help; without `waits` also the failure
 */
export const loadWhenReachable = async <T>(
  load: () => Promise<T>,
  { waits = true }: { waits?: boolean } = {},
): Promise<T> => {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await load();
    } catch (cause) {
      if (await isReachable()) break;
      if (!waits) throw cause;
    }
    await waitForNetwork(pauseMs);
  }
  // The connection may have returned between the attempt and the check.
  try {
    return await load();
  } catch (cause) {
    throw new MissingChunkError('A chunk of the console is missing', { cause });
  }
};

/** A part of a screen, loaded when it is first rendered. Without waiting, React would render the failure from then on. */
export const lazyPart = <P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> => lazy(async () => ({ default: await loadWhenReachable(load) }));

const waitForNetwork = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const listening = new AbortController();
    const end = (): void => {
      clearTimeout(timer);
      listening.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end, { signal: listening.signal });
  });
