import { limits } from '@simcube/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { BulkBar } from '../../../ui/bulk-bar/index.ts';
import { DataTable, nothing, TableTools, useTableLayout } from '../../../ui/data-table/index.ts';
import { FilterBar } from '../../../ui/filter-bar/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { useLiveList } from '../api/use-live-list.ts';
import { useSimList } from '../api/use-sim-list.ts';
import { CopyIccids } from '../components/copy-iccids.tsx';
import { ListFacts } from '../components/list-facts.tsx';
import { NoSims } from '../components/no-sims.tsx';
import { QuickCounts } from '../components/quick-counts.tsx';
import { RowMenu } from '../components/row-menu.tsx';
import { useSimColumns } from '../components/sim-columns.tsx';
import { useSimFilters } from '../components/use-sim-filters.ts';
import {
  isFiltered,
  type OnSearchChange,
  type SimListSearch,
  withFilter,
  withoutFilters,
} from '../search.ts';
import { simHref } from '../sim-words.ts';
import styles from './sim-list.module.css';

export interface SimListScreenProps {
  search: SimListSearch;
  onSearchChange: OnSearchChange<SimListSearch>;
}

export const SimListScreen = ({ search, onSearchChange }: SimListScreenProps) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const [selection, setSelection] = useState(nothing);
  const layout = useTableLayout('sims', useSimColumns());
  const { data: answer, error, isPlaceholderData, refetch } = useSimList(search);
  useLiveList(answer?.data);

  const rows = answer?.data;
  const total = answer?.totalCount ?? 0;
  const relation = answer?.totalRelation ?? 'eq';
  const onFilter = (filter: Partial<SimListSearch>): void => {
    // "All that match" would silently mean other SIMs under another filter.
    setSelection(nothing);
    onSearchChange(withFilter(search, filter), 'replace');
  };
  const clear = (): void => {
    setSelection(nothing);
    onSearchChange(withoutFilters(search), 'replace');
  };
  const seen = useMemo(
    () => ({
      tags: inOrder(rows?.flatMap(({ tags }) => tags)),
      bundles: inOrder(rows?.flatMap(({ bundle_name: name }) => name ?? [])),
    }),
    [rows],
  );
  const filters = useSimFilters({ search, seen, onFilter });

  return (
    <Page
      actions={<QuickCounts onChange={(lifecycle) => onFilter({ lifecycle })} value={search.lifecycle} />}
      facts={<ListFacts answer={answer} filtered={isFiltered(search)} />}
      fill
      title={t('sim.title')}
    >
      <FilterBar
        filters={filters}
        onClear={clear}
        search={{
          value: search.search ?? '',
          placeholder: t('sim.list.search'),
          maxLength: 60,
          onChange: (text) => onFilter({ search: text === '' ? undefined : text }),
        }}
        tools={<TableTools layout={layout} />}
      />
      <div className={styles['table']}>
        <DataTable
          empty={<NoSims filtered={isFiltered(search)} onClear={clear} />}
          error={error}
          label={t('sim.list.label')}
          layout={layout}
          onPage={({ number, size }) => onSearchChange({ ...search, page: number, size }, 'push')}
          onRetry={() => void refetch()}
          onSelection={setSelection}
          onSort={(sort) =>
            onSearchChange({ ...search, sort: sort as SimListSearch['sort'], page: undefined }, 'replace')
          }
          page={{ number: search.page ?? 1, size: search.size ?? limits.page.default, total, relation }}
          rowActions={({ iccid }) => <RowMenu href={simHref(language, iccid)} iccid={iccid} />}
          rowHref={({ iccid }) => simHref(language, iccid)}
          rowKey={({ iccid }) => iccid}
          rows={rows}
          selection={selection}
          sort={search.sort}
          stale={isPlaceholderData}
        />
        <BulkBar onSelection={setSelection} relation={relation} selection={selection} total={total}>
          <CopyIccids relation={relation} search={search} selection={selection} total={total} />
        </BulkBar>
      </div>
    </Page>
  );
};

const inOrder = (words: readonly string[] = []): string[] =>
  [...new Set(words)].sort((one, other) => one.localeCompare(other));
