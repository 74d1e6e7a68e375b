import { limits } from '@simcube/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { OnSearchChange } from '../../../lib/search-params/fields.ts';
import { BulkBar } from '../../../ui/bulk-bar/index.ts';
import { DataTable, nothing, useTableLayout } from '../../../ui/data-table/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { selectionOf } from '../api/selection-of.ts';
import { useLiveList } from '../api/use-live-list.ts';
import { useSimList } from '../api/use-sim-list.ts';
import { BulkOperations } from '../components/bulk-operations.tsx';
import { ListActions } from '../components/list-actions.tsx';
import { ListFacts } from '../components/list-facts.tsx';
import { NoSims } from '../components/no-sims.tsx';
import { QuickCounts } from '../components/quick-counts.tsx';
import { RowMenu } from '../components/row-menu.tsx';
import { useSimColumns } from '../components/sim-columns.tsx';
import { SimSearch } from '../components/sim-search.tsx';
import { useCopyIccids } from '../components/use-copy-iccids.ts';
import { useSimOperations } from '../operations/index.ts';
import { isFiltered, listIsMissing, type SimListSearch, withFilter, withoutFilters } from '../search.ts';
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
  const missing = listIsMissing(search);
  const { data: answer, error, isPlaceholderData, refetch } = useSimList(search, !missing);
  const operations = useSimOperations(() => setSelection(nothing));
  const rows = missing ? [] : answer?.data;
  useLiveList(rows);

  const total = missing ? 0 : (answer?.totalCount ?? 0);
  const relation = answer?.totalRelation ?? 'eq';
  const copy = useCopyIccids({ selection, search, total, relation });
  const onSearch = (next: SimListSearch): void => {
    // "All that match" would silently mean other SIMs under another filter.
    setSelection(nothing);
    onSearchChange(next, 'replace');
  };
  const clear = (): void => onSearch(withoutFilters(search));
  const target = { selection: selectionOf(selection, search) };

  return (
    <Page
      actions={
        <ListActions
          activation={{ selection: selectionOf(selection, search, ['pre-activated']) }}
          disabled={total === 0}
          operations={operations}
          target={target}
        />
      }
      facts={<ListFacts answer={missing ? undefined : answer} filtered={isFiltered(search)} />}
      fill
      title={t('sim.title')}
    >
      <div className={styles['find']}>
        <QuickCounts
          onChange={(lifecycle) => onSearch(withFilter(search, { lifecycle }))}
          value={search.lifecycle}
        />
        <SimSearch layout={layout} onClear={clear} onSearch={onSearch} rows={rows} search={search} />
      </div>
      <div className={styles['table']}>
        <DataTable
          empty={<NoSims filtered={isFiltered(search)} missing={missing} onClear={clear} />}
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
          rowActions={(sim) => (
            <RowMenu href={simHref(language, sim.iccid)} operations={operations} sim={sim} />
          )}
          rowHref={({ iccid }) => simHref(language, iccid)}
          rowKey={({ iccid }) => iccid}
          rows={rows}
          selection={selection}
          sort={search.sort}
          stale={isPlaceholderData}
        />
        <BulkBar onSelection={setSelection} relation={relation} selection={selection} total={total}>
          <BulkOperations copy={copy} operations={operations} target={target} />
        </BulkBar>
      </div>
      {operations.dialog}
    </Page>
  );
};
