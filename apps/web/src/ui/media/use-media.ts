import { useSyncExternalStore } from 'react';

/** Whether a media query matches; updates with the window. */
export const useMedia = (query: string): boolean => {
  const { subscribe, matches } = storeOf(query);
  return useSyncExternalStore(subscribe, matches);
};

const storeOf = (query: string) => {
  const store = stores.get(query) ?? makeStore(query);
  stores.set(query, store);
  return store;
};

const makeStore = (query: string) => ({
  subscribe: (changed: () => void): (() => void) => {
    const media = window.matchMedia(query);
    media.addEventListener('change', changed);
    return () => media.removeEventListener('change', changed);
  },
  matches: (): boolean => window.matchMedia(query).matches,
});

/** Cached: a new store at each render would be a new subscription. */
const stores = new Map<string, ReturnType<typeof makeStore>>();

export const phone = '(max-width: 640px)';
/** Not wide enough for all columns and filters side by side. */
export const narrow = '(max-width: 1199px)';
/** Without a mouse, and mostly without a keyboard. */
export const touch = '(hover: none)';
export const stillness = '(prefers-reduced-motion: reduce)';
