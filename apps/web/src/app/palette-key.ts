import { useEffect, useEffectEvent } from 'react';

const onMac = /mac|iphone|ipad/i.test(navigator.userAgent);

/** The keys as written on this person's keyboard. */
export const searchKeys = onMac ? '⌘\u00a0K' : 'Ctrl\u00a0K';

/** Ctrl-K (⌘K) anywhere opens the palette. */
export const usePaletteKey = (open: () => void): void => {
  const onOpen = useEffectEvent(open);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      onOpen();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
};
