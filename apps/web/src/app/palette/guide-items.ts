import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type * as Guide from '../../features/guide/index.ts';
import { type PaletteItem, useGo } from './palette-items.ts';

/** Pages of the guide and their sections, once they have loaded. */
export const useGuideItems = (): readonly PaletteItem[] => {
  const { t } = useTranslation();
  const go = useGo();
  const [guide, setGuide] = useState<typeof Guide>();
  useEffect(() => {
    // If the guide fails to load, everything else can still be found.
    import('../../features/guide/index.ts').then(setGuide, () => undefined);
  }, []);
  if (!guide) return [];
  const itemOf = (name: string | undefined, label: string, id?: string): PaletteItem => ({
    key: `guide-${name ?? ''}-${id ?? ''}`,
    icon: 'help',
    label,
    searchText: label,
    searchOnly: true,
    run: () => go(guide.pathOfPlace(name, id)),
  });
  return guide.guidePages.flatMap(({ name, page }) => [
    // The prefix distinguishes it from a page of the console with the same name.
    itemOf(name, t('kit.marks.named', { name: t('shell.palette.guide'), value: page.title })),
    ...page.sections.map(({ id, title }) =>
      itemOf(name, t('kit.marks.named', { name: page.title, value: title }), id),
    ),
  ]);
};
