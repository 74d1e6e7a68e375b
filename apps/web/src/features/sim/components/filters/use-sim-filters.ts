import type { Filter, PressFilter } from '../../../../ui/filter-bar/index.ts';
import { keptList } from '../../kept-lists.ts';
import {
  bundleFilters,
  deviceFilters,
  identityFilters,
  statusFilters,
  usageFilters,
} from './card-filters.ts';
import { type FilterContext, type SimFilters, useFilterContext } from './filter-context.ts';
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

const makers: Record<FilterGroup, (context: FilterContext) => Filter[]> = {
  identity: identityFilters,
  device: deviceFilters,
  status: statusFilters,
  usage: usageFilters,
  bundle: bundleFilters,
  network: networkFilters,
  dates: dateFilters,
  emptiness: emptyFilters,
};

/** Every field of the list's filter, as the filter bar and the advanced search want them. */
export const useSimFilters = (filters: SimFilters): { name: FilterGroup; filters: Filter[] }[] => {
  const context = useFilterContext(filters);
  return filterGroups.map((name) => ({ name, filters: makers[name](context) }));
};

/** The chip of a pasted list; pressing it tells what was found and what not. */
export const useListFilter = (
  { search, onFilter }: Pick<SimFilters, 'search' | 'onFilter'>,
  onPress: () => void,
): PressFilter => {
  const { t, format } = useFilterContext({ search, onFilter, seen: nothingSeen });
  const list = search.list === undefined ? undefined : keptList(search.list);
  const count = list?.iccids.length ?? 0;
  return {
    kind: 'press',
    id: 'list',
    quiet: true,
    label: t('simList.list.label'),
    value:
      search.list === undefined
        ? undefined
        : list
          ? t('simList.list.chip', { count, shown: format.count(count) })
          : t('simList.list.missing'),
    onPress,
    onChange: () => onFilter({ list: undefined }),
  };
};

const nothingSeen = { tags: [], bundles: [], operators: [] };
