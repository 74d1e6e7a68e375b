import { useSyncExternalStore } from 'react';

/** Whether a media query holds; follows the window. */
export const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    (changed) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    () => window.matchMedia(query).matches,
  );

export const phone = '(max-width: 640px)';
export const stillness = '(prefers-reduced-motion: reduce)';
