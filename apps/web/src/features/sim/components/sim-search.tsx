import { endpoints } from '@simcube/contract';
import type { SimRow } from '@simcube/contract/sim';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { FilterBarButton } from '../../../ui/filter-bar/index.ts';
import type { List } from '../../../ui/list-screen/index.ts';
import { useSimViews } from '../api/use-sim-views.ts';
import { findIdentifierList } from '../identifier-lists.ts';
import type { SimSearch } from '../search.ts';
import { AdvancedSearch } from './advanced-search.tsx';
import { BulkSearchDialog } from './bulk-search/bulk-search-dialog.tsx';
import type { FilterSuggestions } from './filters/filter-context.ts';
import { useListFilter, useSimFilters } from './filters/use-sim-filters.ts';

/** All ways to find SIMs: quick search, by field, by list, by saved view. */
export const useSimSearch = (list: List<SimRow, SimSearch>) => {
  const { t } = useTranslation();
  const { search, onFilter, onSearch } = list;
  const [open, setOpen] = useState<'advanced' | 'bulk' | undefined>();
  const suggestions = useFilterSuggestions(list.rows);
  const groups = useSimFilters(list, suggestions);
  const listFilter = useListFilter(list, () => setOpen('bulk'));
  const close = (): void => setOpen(undefined);
  return {
    quickSearch: { placeholder: t('sim.list.search'), maxLength: 60 },
    filters: [listFilter, ...groups.flatMap(({ filters }) => filters)],
    searches: (
      <>
        <FilterBarButton onClick={() => setOpen('advanced')}>{t('simList.advanced.open')}</FilterBarButton>
        <FilterBarButton onClick={() => setOpen('bulk')}>{t('simList.bulkSearch.open')}</FilterBarButton>
      </>
    ),
    views: useSimViews(),
    children: (
      <>
        <AdvancedSearch
          onApply={onSearch}
          onClose={close}
          open={open === 'advanced'}
          search={search}
          suggestions={suggestions}
        />
        <BulkSearchDialog
          initialResult={search.list === undefined ? undefined : findIdentifierList(search.list)}
          onClose={close}
          onList={(key) => onFilter({ list: key })}
          open={open === 'bulk'}
        />
      </>
    ),
  };
};

/** Values to offer: the organisation's tags, and values on screen. */
const useFilterSuggestions = (rows: readonly SimRow[] | undefined): FilterSuggestions => {
  const { data } = useQuery({
    ...endpointQuery(endpoints.sim.listTags, { body: {} }),
    staleTime: 60_000,
  });
  // Kept while no row is found: the filter's amount still has its currency.
  const shown = rows?.find(({ cost }) => cost)?.cost?.currency;
  const [currency, setCurrency] = useState(shown);
  if (shown !== undefined && shown !== currency) setCurrency(shown);
  return useMemo(
    () => ({
      tags: data?.data.map(({ tag }) => tag) ?? uniqueSorted(rows?.flatMap(({ tags }) => tags)),
      bundles: uniqueSorted(rows?.flatMap(({ bundle_name: name }) => name ?? [])),
      currency,
      operators: uniqueSorted(
        rows?.flatMap(({ network }) => (network ? `${network.mcc}-${network.mnc}` : [])),
      ),
    }),
    [rows, data, currency],
  );
};

const uniqueSorted = (values: readonly string[] = []): string[] =>
  [...new Set(values)].sort((one, other) => one.localeCompare(other));
