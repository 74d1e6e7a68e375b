import { endpoints } from '@simcube/contract';
import type { SimRow } from '@simcube/contract/sim';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { type TableLayout, TableTools } from '../../../ui/data-table/index.ts';
import { FilterBar, FilterBarButton } from '../../../ui/filter-bar/index.ts';
import { keptList } from '../kept-lists.ts';
import { type SimListSearch, withFilter } from '../search.ts';
import { AdvancedSearch } from './advanced-search.tsx';
import { BulkSearchDialog } from './bulk-search/bulk-search-dialog.tsx';
import type { Seen } from './filters/filter-context.ts';
import { useListFilter, useSimFilters } from './filters/use-sim-filters.ts';
import { SavedViews } from './saved-views.tsx';

interface SimSearchProps {
  search: SimListSearch;
  rows: readonly SimRow[] | undefined;
  layout: TableLayout<SimRow>;
  onSearch: (search: SimListSearch) => void;
  onClear: () => void;
}

/** Everything by which SIMs are found: quick, by field, by list, by saved view. */
export const SimSearch = ({ search, rows, layout, onSearch, onClear }: SimSearchProps) => {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'advanced' | 'bulk' | undefined>();
  const seen = useSeen(rows);
  const onFilter = (filter: Partial<SimListSearch>): void => onSearch(withFilter(search, filter));
  const filters = useSimFilters({ search, seen, onFilter }).flatMap((group) => group.filters);
  const list = useListFilter({ search, onFilter }, () => setOpen('bulk'));
  const close = (): void => setOpen(undefined);
  return (
    <>
      <FilterBar
        filters={[list, ...filters]}
        more={
          <>
            <FilterBarButton onClick={() => setOpen('advanced')}>
              {t('simList.advanced.open')}
            </FilterBarButton>
            <FilterBarButton onClick={() => setOpen('bulk')}>{t('simList.bulkSearch.open')}</FilterBarButton>
          </>
        }
        onClear={onClear}
        search={{
          value: search.search ?? '',
          placeholder: t('sim.list.search'),
          maxLength: 60,
          onChange: (text) => onFilter({ search: text === '' ? undefined : text }),
        }}
        tools={
          <>
            <SavedViews onPick={onSearch} search={search} />
            <TableTools layout={layout} />
          </>
        }
      />
      <AdvancedSearch
        onApply={onSearch}
        onClose={close}
        open={open === 'advanced'}
        search={search}
        seen={seen}
      />
      <BulkSearchDialog
        known={search.list === undefined ? undefined : keptList(search.list)}
        onClose={close}
        onList={(key) => onFilter({ list: key })}
        open={open === 'bulk'}
      />
    </>
  );
};

/** Words that are offered: tags of the organisation, and what stands on screen. */
const useSeen = (rows: readonly SimRow[] | undefined): Seen => {
  const { data } = useQuery({
    ...endpointQuery(endpoints.sim.listTags, { body: {} }),
    staleTime: 60_000,
  });
  return useMemo(
    () => ({
      tags: data?.data.map(({ tag }) => tag) ?? inOrder(rows?.flatMap(({ tags }) => tags)),
      bundles: inOrder(rows?.flatMap(({ bundle_name: name }) => name ?? [])),
      operators: inOrder(rows?.flatMap(({ network }) => (network ? `${network.mcc}-${network.mnc}` : []))),
    }),
    [rows, data],
  );
};

const inOrder = (words: readonly string[] = []): string[] =>
  [...new Set(words)].sort((one, other) => one.localeCompare(other));
