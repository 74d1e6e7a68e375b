import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommands } from '../../lib/commands/index.ts';
import { normaliseForSearch } from '../../lib/format/index.ts';
import { useLanguage } from '../../lib/language/index.ts';
import type { IconName } from '../icons.tsx';
import { mayOpen, menuPages } from '../menu.ts';

export interface PaletteItem {
  key: string;
  icon: IconName;
  label: ReactNode;
  /** The text that the search matches. */
  searchText: string;
  /** Shown only when searched for, being one of many. */
  searchOnly?: true;
  /** Continues with a further step in the palette, which stays open. */
  keepsOpen?: true;
  run: () => void;
}

export interface PaletteGroup {
  key: string;
  heading: string;
  items: readonly PaletteItem[];
}

/** Opens a path, given without the language segment. */
export const useGo = (): ((path: string) => void) => {
  const router = useRouter();
  const language = useLanguage();
  return (path) => router.history.push(`/${language}/${path}`);
};

/** Pages that this role may open. */
export const usePageItems = (): readonly PaletteItem[] => {
  const { t } = useTranslation();
  const go = useGo();
  return menuPages.filter(mayOpen).map(({ key, path, label, icon }) => ({
    key: `page-${key}`,
    icon,
    label: t(label),
    searchText: t(label),
    run: () => go(path),
  }));
};

/** The number of items shown before anything is typed; the others are found by typing. */
const initialCount = 5;

export const withFewInitially = (items: readonly PaletteItem[]): readonly PaletteItem[] =>
  items.map((item, index) => (index < initialCount ? item : { ...item, searchOnly: true }));

/** Actions that the current screen offers: on the selected SIMs, or on the page's SIM. */
export const useScreenGroups = (): readonly PaletteGroup[] =>
  useCommands().map(({ heading, commands }, index) => ({
    key: `screen-${index}`,
    heading,
    items: withFewInitially(
      commands.map(({ key, label, run }) => ({
        key: `screen-${index}-${key}`,
        icon: 'bolt',
        label,
        searchText: label,
        run,
      })),
    ),
  }));

/** Items that contain every typed word; case, accents and character width don't matter. */
export const matching = (items: readonly PaletteItem[], typed: string): readonly PaletteItem[] => {
  const words = normaliseForSearch(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return items.filter(({ searchOnly }) => !searchOnly);
  return items.filter((item) => {
    const text = normaliseForSearch(item.searchText);
    return words.every((word) => text.includes(word));
  });
};
