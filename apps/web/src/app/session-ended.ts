import { useSyncExternalStore } from 'react';
import { createListeners } from '../lib/store/index.ts';

/** The confirm box of result 0502: the API client requests it, the shell shows it. */
let confirm: (() => void) | null = null;
const listeners = createListeners();

const setConfirm = (next: (() => void) | null): void => {
  confirm = next;
  listeners.notify();
};

/** Resolves when the person has confirmed; immediately if no shell is on screen to show the box. */
export const confirmReturnToLogin = (): Promise<void> =>
  listeners.count() === 0 ? Promise.resolve() : new Promise((resolve) => setConfirm(resolve));

const subscribe = (listener: () => void): (() => void) => {
  const unsubscribe = listeners.subscribe(listener);
  return () => {
    unsubscribe();
    // The shell is gone: the next one is of another session.
    if (listeners.count() === 0) confirm = null;
  };
};

/** Null, or the function to call when the person agrees to return to login. */
export const useSessionEnded = (): (() => void) | null => useSyncExternalStore(subscribe, () => confirm);
