import type { ReactNode } from 'react';
import type { ListParams } from '../../lib/search-params/list-search.ts';
import { TableTools } from '../data-table/index.ts';
import { type Filter, FilterBar } from '../filter-bar/index.ts';
import styles from './list-screen.module.css';
import { ListTable, type ListTableProps } from './list-table.tsx';
import type { ListViews } from './list-views.ts';
import { SkipToRows } from './skip-to-rows.tsx';
import { ViewTabs } from './view-tabs.tsx';

interface QuickSearch<S> {
  placeholder: string;
  maxLength: number;
  /**
   * For a search that sets other parameters than `search`: its text, and the parameters for a text, or undefined if it can't be
   * searched for.
   */
  value?: string;
  paramsOf?: (text: string) => Partial<S> | undefined;
  /** What can be searched for, if not every text. */
  problem?: string;
}

export interface ListPanelProps<Row, S extends ListParams> extends ListTableProps<Row, S> {
  quickSearch?: QuickSearch<S>;
  filters?: readonly Filter[];
  /** Controls other than filters that narrow the list. */
  more?: ReactNode;
  /** Other ways to find rows: behind a button if there is little room. */
  searches?: ReactNode;
  /** The list's own tools, before those that every table has. */
  tools?: ReactNode;
  /** Above the filters: counts that also act as filters. */
  counts?: ReactNode;
  /** Between the filters and the rows: sums over all matching rows. */
  sums?: ReactNode;
  /** Saved views, as tabs above the list. */
  views?: ListViews<S>;
  /** The page already has a link that skips to the rows. */
  pageHasSkipLink?: boolean;
  /** Overlays of the list: drawers, dialogs. */
  children?: ReactNode;
}

/** A list in a tab, or below a page's header: search, filters and rows. */
export const ListPanel = <Row, S extends ListParams>({
  quickSearch,
  filters = [],
  more,
  searches,
  tools,
  counts,
  sums,
  views,
  pageHasSkipLink = false,
  children,
  ...table
}: ListPanelProps<Row, S>) => {
  const { search, onEdit, onFilter, onClear, onSort, layout } = table.list;
  const hasFilters = quickSearch !== undefined || filters.length > 0 || more !== undefined;
  const rows = (
    <>
      <div className={styles['find']}>
        {hasFilters ? counts : null}
        <FilterBar
          filters={filters}
          // Nothing else is in its row.
          more={hasFilters ? more : counts}
          searches={searches}
          onClear={onClear}
          onEdit={onEdit}
          search={
            quickSearch && {
              placeholder: quickSearch.placeholder,
              maxLength: quickSearch.maxLength,
              value: quickSearch.value ?? search.search ?? '',
              isValid: quickSearch.paramsOf && ((text) => quickSearch.paramsOf?.(text) !== undefined),
              problem: quickSearch.problem,
              onChange: (text) =>
                onFilter(
                  quickSearch.paramsOf?.(text) ?? ({ search: text === '' ? undefined : text } as Partial<S>),
                ),
            }
          }
          tools={
            <>
              {tools}
              <TableTools layout={layout} onSort={onSort} sort={search.sort} />
            </>
          }
        />
      </div>
      {sums}
      <ListTable {...table} />
    </>
  );
  return (
    <div className={styles['panel']}>
      {pageHasSkipLink ? null : <SkipToRows />}
      {views ? (
        <ViewTabs list={table.list} views={views}>
          {rows}
        </ViewTabs>
      ) : (
        rows
      )}
      {children}
    </div>
  );
};
