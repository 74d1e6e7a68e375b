import { session, useSession } from '../session/index.ts';

export type ThemeChoice = 'light' | 'dark' | 'system';
export const themeChoices = ['light', 'dark', 'system'] as const satisfies readonly ThemeChoice[];

/** Sets the choice on the root element, which the styles follow; without a choice they follow the device. */
const paint = (choice: ThemeChoice): void => {
  document.documentElement.dataset['theme'] = choice;
};

export const startTheme = (): void => paint(session.get('theme') ?? 'system');

export const chooseTheme = (choice: ThemeChoice): void => {
  session.set('theme', choice);
  paint(choice);
};

export const useThemeChoice = (): ThemeChoice => useSession('theme') ?? 'system';
