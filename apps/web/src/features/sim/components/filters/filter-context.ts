import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { type Format, useFormat } from '../../../../lib/format/index.ts';
import type { Range } from '../../../../ui/filter-bar/index.ts';
import { type FilterBuilder, type FilterTarget, useFilterBuilder } from '../../../../ui/list-screen/index.ts';
import type { SimSearch } from '../../search.ts';

/** Values on screen, to offer as choices. */
export interface FilterSuggestions {
  tags: readonly string[];
  bundles: readonly string[];
  operators: readonly string[];
  /** Currency of costs; undefined if no row has a cost. */
  currency: string | undefined;
}

export interface FilterContext {
  t: TFunction;
  format: Format;
  suggestions: FilterSuggestions;
  by: FilterBuilder<SimSearch>;
}

export const useFilterContext = (
  filtered: FilterTarget<SimSearch>,
  suggestions: FilterSuggestions,
): FilterContext => {
  const { t } = useTranslation();
  return { t, format: useFormat(), suggestions, by: useFilterBuilder(filtered) };
};

/** "≥ 80 %", "≤ 5 MB", "1–5 MB": both ends are included. */
export const formatRange = ({ min, max }: Range, formatValue: (value: number) => string): string => {
  if (min === undefined) return `≤ ${formatValue(max ?? 0)}`;
  return max === undefined ? `≥ ${formatValue(min)}` : `${formatValue(min)}–${formatValue(max)}`;
};
