import { useSyncExternalStore } from 'react';

/** Those who want to know when a value outside of React has changed. */
export const createListeners = () => {
  const listeners = new Set<() => void>();
  return {
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notify: (): void => {
      for (const listener of listeners) listener();
    },
    count: (): number => listeners.size,
  };
};

/** A value outside of React; components that `use` it are rendered again when it is set. */
export const createStore = <T>(initial: T) => {
  let value = initial;
  const { subscribe, notify } = createListeners();
  const get = (): T => value;
  return {
    get,
    set: (next: T): void => {
      value = next;
      notify();
    },
    use: (): T => useSyncExternalStore(subscribe, get),
  };
};
