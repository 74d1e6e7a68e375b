import { useSyncExternalStore } from 'react';

/** The confirm box of result 0502 is asked for by the API client and answered in the shell. */
let answer: (() => void) | null = null;
const listeners = new Set<() => void>();

const setAnswer = (next: (() => void) | null): void => {
  answer = next;
  for (const listener of listeners) listener();
};

/** Resolves when the person has agreed; at once when no shell is on screen that could ask. */
export const askReturnToLogin = (): Promise<void> =>
  listeners.size === 0 ? Promise.resolve() : new Promise((resolve) => setAnswer(resolve));

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Null, or what to call when the person agrees to return to login. */
export const useSessionEnded = (): (() => void) | null => useSyncExternalStore(subscribe, () => answer);
