import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { type Format, useFormat } from '../../../../lib/format/index.ts';
import type { Range } from '../../../../ui/filter-bar/index.ts';
import { type Filtered, type FiltersOf, useFiltersOf } from '../../../../ui/list-screen/index.ts';
import type { SimSearch } from '../../search.ts';

/** Values on screen, to offer as choices. */
export interface Seen {
  tags: readonly string[];
  bundles: readonly string[];
  operators: readonly string[];
  /** Currency of costs; undefined if no row has a cost. */
  currency: string | undefined;
}

export interface FilterContext {
  t: TFunction;
  format: Format;
  seen: Seen;
  by: FiltersOf<SimSearch>;
}

export const useFilterContext = (filtered: Filtered<SimSearch>, seen: Seen): FilterContext => {
  const { t } = useTranslation();
  return { t, format: useFormat(), seen, by: useFiltersOf(filtered) };
};

/** "> 80 %", "≤ 5 MB", "1–5 MB". */
export const readRange = ({ min, max }: Range, show: (value: number) => string): string => {
  if (min === undefined) return `≤ ${show(max ?? 0)}`;
  return max === undefined ? `> ${show(min)}` : `${show(min)}–${show(max)}`;
};
