import { useSyncExternalStore } from 'react';
import type { ThemeChoice, ThemeMode } from './tokens.ts';

const dark = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: dark)');

/** The mode that a choice currently means on this device. */
const resolveTheme = (choice: ThemeChoice): ThemeMode => {
  if (choice !== 'system') return choice;
  return dark().matches ? 'dark' : 'light';
};

/** The root element's `data-theme` is the source of the choice, for CSS and antd alike. */
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

/** The current mode; follows the person's choice and the device. */
export const useThemeMode = (): ThemeMode => useSyncExternalStore(subscribe, currentMode);
