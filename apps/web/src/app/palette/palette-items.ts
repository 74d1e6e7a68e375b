import { languages } from '@simcube/contract';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useChooseLanguage, useLanguage } from '../../lib/language/index.ts';
import { session } from '../../lib/session/index.ts';
import { chooseTheme, themeChoices, useThemeChoice } from '../../lib/theme/index.ts';
import { setTimeDisplay, useTimeDisplay } from '../../lib/time/index.ts';
import type { IconName } from '../icons.tsx';
import { menu } from '../menu.ts';
import { useShellActions } from '../shell-actions.ts';

export interface PaletteItem {
  key: string;
  icon: IconName;
  label: ReactNode;
  /** What typed words are looked for in. */
  words: string;
  run: () => void;
}

export interface PaletteGroup {
  key: 'sims' | 'pages' | 'actions';
  items: readonly PaletteItem[];
}

/** Pages this role may open, by what the person has typed. */
export const usePageItems = (typed: string): readonly PaletteItem[] => {
  const { t } = useTranslation();
  const router = useRouter();
  const language = useLanguage();
  return menu
    .flatMap((group) => group.entries)
    .filter(({ permission }) => permission === null || session.can(permission))
    .map(({ key, path, label, icon }) => ({
      key: `page-${key}`,
      icon,
      label: t(label),
      words: t(label),
      run: () => router.history.push(`/${language}/${path}`),
    }))
    .filter((item) => matches(item, typed));
};

export const useActionItems = (typed: string): readonly PaletteItem[] => {
  const { t } = useTranslation();
  const language = useLanguage();
  const theme = useThemeChoice();
  const zone = useTimeDisplay();
  const chooseLanguage = useChooseLanguage();
  const actions = useShellActions();
  const router = useRouter();
  const item = (key: string, icon: IconName, words: string, run: () => void): PaletteItem => ({
    key: `action-${key}`,
    icon,
    label: words,
    words,
    run,
  });
  const otherZone = zone === 'UTC' ? 'LOCAL' : 'UTC';
  return [
    ...themeChoices
      .filter((choice) => choice !== theme)
      .map((choice) =>
        item(
          `theme-${choice}`,
          choice,
          t('shell.palette.themeTo', { theme: t(`common.theme.${choice}`) }),
          () => chooseTheme(choice),
        ),
      ),
    item(
      'time',
      'clock',
      t('shell.palette.timeTo', { zone: t(otherZone === 'UTC' ? 'common.time.utc' : 'common.time.local') }),
      () => setTimeDisplay(otherZone),
    ),
    ...languages
      .filter((one) => one !== language)
      .map((one) =>
        item(
          `language-${one}`,
          'language',
          t('shell.palette.languageTo', { language: t(`common.languages.${one}`) }),
          () => chooseLanguage(one),
        ),
      ),
    item('profile', 'person', t('identity.account.profile'), () =>
      router.history.push(`/${language}/userDetail?id=${session.get('userId') ?? ''}`),
    ),
    item('changePassword', 'key', t('identity.account.changePassword'), () => actions?.changePassword()),
    item('about', 'about', t('shell.account.about'), () => actions?.openAbout()),
    item('signOut', 'signOut', t('shell.account.signOut'), () => actions?.signOut()),
  ].filter((one) => matches(one, typed));
};

/** Every typed word stands somewhere in it; case and accents don't matter. */
const matches = ({ words }: PaletteItem, typed: string): boolean => {
  const text = plain(words);
  return plain(typed)
    .split(/\s+/)
    .every((word) => text.includes(word));
};

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
