import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListParams } from '../../lib/search-params/list-search.ts';
import { BulkBar } from '../bulk-bar/index.ts';
import { DataTable, type DataTableProps } from '../data-table/index.ts';
import { Empty, type EmptyProps } from '../empty/index.ts';
import { SearchContext } from '../highlight/index.ts';
import styles from './list-screen.module.css';
import type { List } from './use-list.ts';

export interface ListTableProps<Row, S extends ListParams>
  extends Pick<
    DataTableProps<Row>,
    | 'label'
    | 'rowKey'
    | 'rowHref'
    | 'isFaded'
    | 'rowActions'
    | 'matches'
    | 'expanded'
    | 'current'
    | 'skeletonRows'
  > {
  list: List<Row, S>;
  /** Shown if there are no rows at all. */
  empty: EmptyProps;
  /** Shown if no rows match the filter, with a button that clears it. */
  noMatch?: EmptyProps;
  /** Actions on selected rows; without it, rows can't be selected. */
  bulk?: ReactNode;
}

/** The rows of a list, in all of its states. */
export const ListTable = <Row, S extends ListParams>({
  list,
  empty,
  noMatch,
  bulk,
  ...table
}: ListTableProps<Row, S>) => {
  const { t } = useTranslation();
  const { rows, count, search, selection, onSelection, state } = list;
  const { total, relation, exact } = count ?? { total: 0, relation: 'eq' };
  const clear = <Button onClick={list.onClear}>{t('kit.list.clearFilters')}</Button>;
  return (
    <div className={styles['table']} ref={list.frame}>
      <SearchContext value={search.search ?? ''}>
        <DataTable
          {...table}
          {...(bulk ? { selection, onSelection } : {})}
          empty={list.filtered && noMatch ? <Empty action={clear} {...noMatch} /> : <Empty {...empty} />}
          error={state.error}
          layout={list.layout}
          onPage={list.onPage}
          onRetry={() => void state.refetch()}
          onSort={list.onSort}
          page={{ ...list.page, total, relation, exact }}
          rows={rows}
          sort={search.sort}
          stale={state.isPlaceholderData}
        />
      </SearchContext>
      {bulk ? (
        <BulkBar
          onSelection={onSelection}
          relation={exact === undefined ? relation : 'eq'}
          selection={selection}
          total={exact ?? total}
        >
          {bulk}
        </BulkBar>
      ) : null}
    </div>
  );
};
