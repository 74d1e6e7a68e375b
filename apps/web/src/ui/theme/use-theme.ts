import { useSyncExternalStore } from 'react';
import type { ThemeChoice, ThemeMode } from './tokens.ts';

const dark = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: dark)');

/** The mode a choice means on this device, now. */
const resolveTheme = (choice: ThemeChoice): ThemeMode => {
  if (choice !== 'system') return choice;
  return dark().matches ? 'dark' : 'light';
};

/** The root element carries the choice (`data-theme`), so it is the truth for CSS and antd alike. */
const currentMode = (): ThemeMode => {
  const chosen = document.documentElement.dataset['theme'];
  return resolveTheme(chosen === 'light' || chosen === 'dark' ? chosen : 'system');
};

const subscribe = (changed: () => void): (() => void) => {
  const media = dark();
  media.addEventListener('change', changed);
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => {
    media.removeEventListener('change', changed);
    observer.disconnect();
  };
};

/** The mode on screen; follows the person's choice and the device. */
export const useThemeMode = (): ThemeMode => useSyncExternalStore(subscribe, currentMode);
