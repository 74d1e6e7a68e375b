import { limits } from '@simcube/contract';
import { Button } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import type { OnSearchChange } from '../../lib/search-params/fields.ts';
import { DataTable, TableTools, useTableLayout } from '../../ui/data-table/index.ts';
import { Empty } from '../../ui/empty/index.ts';
import { FilterBar } from '../../ui/filter-bar/index.ts';
import { Page } from '../../ui/page/index.ts';
import { AsOf } from '../../ui/time/index.ts';
import { useLiveServices, useServices } from './api/use-services.ts';
import { ExportOrders } from './components/export-orders.tsx';
import { orderHref, useServiceColumns } from './components/service-columns.tsx';
import { useServiceFilters } from './components/use-service-filters.ts';
import { isFiltered, type ServiceSearch, withFilter, withoutFilters } from './search.ts';
import styles from './services.module.css';

export interface ServiceScreenProps {
  search: ServiceSearch;
  onSearchChange: OnSearchChange<ServiceSearch>;
}

/** SIM cellular service: the bundle orders of all SIMs of the organisation. */
export const ServiceScreen = ({ search, onSearchChange }: ServiceScreenProps) => {
  const { t } = useTranslation();
  const { count, language } = useFormat();
  const layout = useTableLayout('services', useServiceColumns());
  const { data: answer, error, isPlaceholderData, refetch } = useServices(search);
  useLiveServices();
  const rows = answer?.data;
  const total = answer?.totalCount ?? 0;
  const relation = answer?.totalRelation ?? 'eq';
  const filtered = isFiltered(search);
  const onFilter = (filter: Partial<ServiceSearch>): void =>
    onSearchChange(withFilter(search, filter), 'replace');
  const clear = (): void => onSearchChange(withoutFilters(search), 'replace');
  const seen = useMemo(() => inOrder(rows?.map(({ bundle }) => bundle.code)), [rows]);
  const filters = useServiceFilters({ search, seen, onFilter });
  const shown = `${count(total)}${relation === 'gte' ? '+' : ''}`;
  return (
    <Page
      actions={<ExportOrders none={rows?.length === 0} search={search} />}
      facts={
        answer ? (
          <span aria-live="polite">
            {filtered ? t('bundle.matching', { shown }) : shown} · <AsOf at={answer.asOf} />
          </span>
        ) : null
      }
      fill
      title={t('bundle.title')}
    >
      <FilterBar
        filters={filters}
        onClear={clear}
        search={{
          value: search.search ?? '',
          placeholder: t('bundle.search'),
          maxLength: 60,
          onChange: (text) => onFilter({ search: text === '' ? undefined : text }),
        }}
        tools={<TableTools layout={layout} />}
      />
      <div className={styles['table']}>
        <DataTable
          empty={<NoOrders filtered={filtered} onClear={clear} />}
          error={error}
          label={t('bundle.label')}
          layout={layout}
          onPage={({ number, size }) => onSearchChange({ ...search, page: number, size }, 'push')}
          onRetry={() => void refetch()}
          onSort={(sort) =>
            onSearchChange({ ...search, sort: sort as ServiceSearch['sort'], page: undefined }, 'replace')
          }
          page={{ number: search.page ?? 1, size: search.size ?? limits.page.default, total, relation }}
          rowHref={(order) => orderHref(language, order)}
          rowKey={({ order_id }) => order_id}
          rows={rows}
          sort={search.sort}
          stale={isPlaceholderData}
        />
      </div>
    </Page>
  );
};

const NoOrders = ({ filtered, onClear }: { filtered: boolean; onClear: () => void }) => {
  const { t } = useTranslation();
  return filtered ? (
    <Empty
      action={<Button onClick={onClear}>{t('bundle.clearFilters')}</Button>}
      hint={t('bundle.noMatchHint')}
      title={t('bundle.noMatch')}
    />
  ) : (
    <Empty hint={t('bundle.emptyHint')} title={t('bundle.empty')} />
  );
};

const inOrder = (words: readonly string[] = []): string[] =>
  [...new Set(words)].sort((one, other) => one.localeCompare(other));
