import { limits } from '@simcube/contract';
import type { AuditEntry } from '@simcube/contract/audit';
import { useRouter } from '@tanstack/react-router';
import { Button } from 'antd';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { OnSearchChange } from '../../../lib/search-params/fields.ts';
import { DataTable, TableTools, useTableLayout } from '../../../ui/data-table/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { FilterBar } from '../../../ui/filter-bar/index.ts';
import { isFiltered } from '../audit-filter.ts';
import styles from '../components/audit.module.css';
import { useAuditColumns } from '../components/audit-columns.tsx';
import { EntryDrawer } from '../components/entry-drawer.tsx';
import { useAuditFilters } from '../components/use-audit-filters.ts';
import type { AuditSearch } from '../search.ts';
import { useAuditEntries } from '../use-audit.ts';

const none: readonly AuditEntry[] = [];

export interface AuditPanelProps {
  search: AuditSearch;
  onSearchChange: OnSearchChange<AuditSearch>;
  /** Address of the panel with an entry open. */
  hrefOf: (search: AuditSearch) => string;
}

/** Every change in the organisation: who, what, on what, from where, before and after. */
export const AuditPanel = ({ search, onSearchChange, hrefOf }: AuditPanelProps) => {
  const { t } = useTranslation();
  const router = useRouter();
  const { data: answer, error, isPlaceholderData, refetch } = useAuditEntries(search);
  const hrefOfEntry = useCallback(
    ({ number }: AuditEntry) => hrefOf({ ...search, entry: number }),
    [hrefOf, search],
  );
  const layout = useTableLayout('audit', useAuditColumns(hrefOfEntry));
  const onFilter = (filter: Partial<AuditSearch>): void =>
    onSearchChange({ ...search, ...filter, page: undefined, entry: undefined }, 'replace');
  const clear = (): void => onSearchChange({ size: search.size }, 'replace');
  const filters = useAuditFilters({ search, seen: answer?.data ?? none, onFilter });
  const open = answer?.data.find(({ number }) => number === search.entry);
  return (
    <div className={styles['panel']}>
      <FilterBar
        filters={filters}
        onClear={clear}
        search={{
          value: search.search ?? '',
          placeholder: t('audit.search'),
          maxLength: 100,
          onChange: (text) => onFilter({ search: text === '' ? undefined : text }),
        }}
        tools={<TableTools layout={layout} />}
      />
      <DataTable
        empty={
          isFiltered(search) ? (
            <Empty
              action={<Button onClick={clear}>{t('audit.clearFilters')}</Button>}
              hint={t('audit.noMatchHint')}
              title={t('audit.noMatch')}
            />
          ) : (
            <Empty hint={t('audit.emptyHint')} title={t('audit.empty')} />
          )
        }
        error={error}
        label={t('audit.title')}
        layout={layout}
        onPage={({ number, size }) =>
          onSearchChange({ ...search, page: number, size, entry: undefined }, 'push')
        }
        onRetry={() => void refetch()}
        page={{
          number: search.page ?? 1,
          size: search.size ?? limits.page.default,
          total: answer?.totalCount ?? 0,
          relation: answer?.totalRelation ?? 'eq',
        }}
        rowHref={hrefOfEntry}
        rowKey={({ number }) => String(number)}
        rows={answer?.data}
        stale={isPlaceholderData}
      />
      <EntryDrawer
        entry={open}
        onClose={() => router.history.replace(hrefOf({ ...search, entry: undefined }))}
      />
    </div>
  );
};
