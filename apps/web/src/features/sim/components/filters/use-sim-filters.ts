import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../../lib/format/index.ts';
import type { Filter, PressFilter } from '../../../../ui/filter-bar/index.ts';
import type { FilterTarget } from '../../../../ui/list-screen/index.ts';
import { findIdentifierList } from '../../identifier-lists.ts';
import type { SimSearch } from '../../search.ts';
import {
  bundleFilters,
  deviceFilters,
  identityFilters,
  statusFilters,
  usageFilters,
} from './card-filters.ts';
import { type FilterContext, type FilterSuggestions, useFilterContext } from './filter-context.ts';
import { dateFilters, emptyFilters, networkFilters } from './place-filters.ts';

const filterGroups = [
  'identity',
  'device',
  'status',
  'usage',
  'bundle',
  'network',
  'dates',
  'emptiness',
] as const;
export type FilterGroup = (typeof filterGroups)[number];

const filterFactories: Record<FilterGroup, (context: FilterContext) => Filter[]> = {
  identity: identityFilters,
  device: deviceFilters,
  status: statusFilters,
  usage: usageFilters,
  bundle: bundleFilters,
  network: networkFilters,
  dates: dateFilters,
  emptiness: emptyFilters,
};

/** All fields of the list's filter, for the filter bar and the advanced search. */
export const useSimFilters = (
  filtered: FilterTarget<SimSearch>,
  suggestions: FilterSuggestions,
): { name: FilterGroup; filters: Filter[] }[] => {
  const context = useFilterContext(filtered, suggestions);
  return filterGroups.map((name) => ({ name, filters: filterFactories[name](context) }));
};

/** The chip of a pasted list; clicking it shows what was found and what was not. */
export const useListFilter = (
  { search, onFilter }: Pick<FilterTarget<SimSearch>, 'search' | 'onFilter'>,
  onPress: () => void,
): PressFilter => {
  const { t } = useTranslation();
  const format = useFormat();
  const list = search.list === undefined ? undefined : findIdentifierList(search.list);
  const count = list?.iccids.length ?? 0;
  const chipText = list
    ? t('simList.list.chip', { count, shown: format.count(count) })
    : t('simList.list.missing');
  return {
    kind: 'press',
    id: 'list',
    advanced: true,
    label: t('simList.list.label'),
    value: search.list === undefined ? undefined : chipText,
    onPress,
    onChange: () => onFilter({ list: undefined }),
  };
};
