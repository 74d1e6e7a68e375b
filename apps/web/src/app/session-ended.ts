import { useSyncExternalStore } from 'react';

/** The confirm box of result 0502: the API client requests it, the shell shows it. */
let answer: (() => void) | null = null;
const listeners = new Set<() => void>();

const setAnswer = (next: (() => void) | null): void => {
  answer = next;
  for (const listener of listeners) listener();
};

/** Resolves when the person has confirmed; immediately if no shell is on screen to show the box. */
export const askReturnToLogin = (): Promise<void> =>
  listeners.size === 0 ? Promise.resolve() : new Promise((resolve) => setAnswer(resolve));

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Null, or the function to call when the person agrees to return to login. */
export const useSessionEnded = (): (() => void) | null => useSyncExternalStore(subscribe, () => answer);
