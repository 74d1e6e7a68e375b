import { limits } from '@simcube/contract';
import { type RefObject, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { ApiFailure, type ApiResponse } from '../../lib/api-client/index.ts';
import type { OnSearchChange, SearchScreenProps } from '../../lib/search-params/fields.ts';
import type { ListParams, ListSearch } from '../../lib/search-params/list-search.ts';
import {
  type Column,
  noSelection,
  type Selection,
  selectedCount,
  type TableLayout,
  useTableLayout,
} from '../data-table/index.ts';
import { useRowsStart } from './use-rows-start.ts';

/** The state of a query for a page, as returned by `usePageQuery`. */
export interface PageQuery<Row> {
  data: ApiResponse<Row[]> | undefined;
  error: unknown;
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

interface ListOptions<Row, S extends ListParams> {
  /** Key under which the table's columns are stored in this browser. */
  name: string;
  /** The search parameters and a function that changes them; a list inside a page may not have a URL of its own. */
  address: Omit<SearchScreenProps<S>, 'hrefOf'> & Partial<SearchScreenProps<S>>;
  of: ListSearch<S>;
  query: PageQuery<Row>;
  columns: readonly Column<Row>[];
  /** The number of rows, if sums over the same rows have counted further than the list does. */
  exact?: number | undefined;
}

/** The state of a list, and the functions that change it. */
export interface List<Row, S extends ListParams> {
  search: S;
  of: ListSearch<S>;
  layout: TableLayout<Row>;
  /** Around the table: shows the start of other rows. */
  frame: RefObject<HTMLDivElement | null>;
  /** Undefined while the first page is loading. */
  rows: readonly Row[] | undefined;
  /** Undefined until the server has counted. */
  count: { total: number; relation: 'eq' | 'gte'; exact?: number | undefined } | undefined;
  /** ISO instant at which the rows were current. */
  asOf: string | null;
  filtered: boolean;
  page: { number: number; size: number };
  state: Pick<PageQuery<Row>, 'error' | 'isPlaceholderData' | 'refetch'>;
  selection: Selection;
  onSelection: (selection: Selection) => void;
  /** The person started or finished typing or changing a filter: all changes in between are one history entry. */
  onEdit: (editing: boolean) => void;
  /** Adds an entry to the browser's history, so that Back undoes the filter. */
  onFilter: (filter: Partial<S>) => void;
  /** Replaces the whole filter. */
  onSearch: (search: S) => void;
  /** Opens a saved view: its filter, its sort and its name in the URL. */
  onView: (search: S) => void;
  /** Shows all rows, in the list's default order and without a saved view. */
  onAll: () => void;
  onClear: () => void;
  onPage: (page: { number: number; size: number }) => void;
  onSort: (sort: string | undefined) => void;
  /** URL of the list with an overlay, such as an open row. */
  hrefWith: (overlay: Partial<S>) => string;
  open: (overlay: Partial<S>) => void;
  close: () => void;
}

const noHref = (): string => '';
const noView = { view: undefined, sort: undefined, page: undefined };
const sizeOf = ({ size }: ListParams) => ({ size });

/** The state of a list: URL, page, columns and selection. */
export const useList = <Row, S extends ListParams>({
  name,
  address: { search, onSearchChange: onAddressChange, hrefOf = noHref },
  of,
  query,
  columns,
  exact,
}: ListOptions<Row, S>): List<Row, S> => {
  const { data, error, isPlaceholderData, refetch } = query;
  const count =
    data && data.totalCount !== null
      ? { total: data.totalCount, relation: data.totalRelation, exact }
      : undefined;
  const page = { number: search.page ?? 1, size: search.size ?? limits.page.default };
  const rowsOf = (one: S): string => {
    const { page: number, size, sort, ...rest } = of.parse(one);
    return JSON.stringify([of.filterOf(rest as S), number, size, sort]);
  };
  const { frame, onChosen } = useRowsStart(rowsOf(search));
  const onSearchChange: OnSearchChange<S> = (next, how) => {
    onChosen(rowsOf(next));
    onAddressChange(next, how);
  };
  useLastPageRedirect({
    page: page.number,
    last: lastPageOf(query, page.size),
    onPage: (number) => onSearchChange({ ...search, page: number === 1 ? undefined : number }, 'replace'),
  });
  const { onEdit, applySearch } = useSearchHistory({ search, of, onSearchChange });
  return {
    search,
    of,
    layout: useTableLayout(name, columns, useActiveFilterNames(of.filterOf(search))),
    frame,
    rows: data?.data,
    count,
    asOf: data?.asOf ?? null,
    filtered: of.isFiltered(search),
    page,
    state: { error, isPlaceholderData, refetch },
    ...useSelection(JSON.stringify(of.filterOf(search)), count?.total),
    onEdit,
    onFilter: (filter) => applySearch(of.withFilter(search, filter)),
    onSearch: (next) => applySearch(of.withFilter(of.withoutFilters(search), of.filterOf(next))),
    onView: (next) => applySearch({ ...of.withoutFilters(search), ...noView, ...next, ...sizeOf(search) }),
    onAll: () => applySearch({ ...of.withoutFilters(search), ...noView }),
    onClear: () => applySearch(of.withoutFilters(search)),
    onPage: (next) => onSearchChange(of.withPage(search, next), 'push'),
    onSort: (sort) => onSearchChange(of.withSort(search, sort), 'replace'),
    hrefWith: useCallback((overlay) => hrefOf({ ...search, ...overlay }), [hrefOf, search]),
    open: (overlay) => onSearchChange({ ...search, ...overlay }, 'push'),
    close: () => onSearchChange(of.withoutOverlays(search), 'replace'),
  };
};

/** The names of the active filters. */
const useActiveFilterNames = (filter: object): readonly string[] => {
  const names = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const text = names.join(' ');
  return useMemo(() => text.split(' '), [text]);
};

interface SearchHistoryOptions<S extends ListParams> {
  search: S;
  of: ListSearch<S>;
  onSearchChange: SearchScreenProps<S>['onSearchChange'];
}

/** Each new filter adds a history entry; further changes in the same edit replace it. */
export const useSearchHistory = <S extends ListParams>({
  search,
  of,
  onSearchChange,
}: SearchHistoryOptions<S>) => {
  const edit = useRef<{ open: boolean; lastApplied?: string }>({ open: false });
  const filterOf = (one: S): string => JSON.stringify(of.filterOf(of.parse(one)));
  return {
    onEdit: (open: boolean): void => {
      edit.current = { open };
    },
    applySearch: (next: S): void => {
      const { open, lastApplied } = edit.current;
      const [currentFilter, nextFilter] = [filterOf(search), filterOf(next)];
      // After going back in the middle of an edit, a new entry is added.
      onSearchChange(
        next,
        nextFilter === currentFilter || (open && lastApplied === currentFilter) ? 'replace' : 'push',
      );
      edit.current = { open, lastApplied: nextFilter };
    },
  };
};

/**
 * Cleared whenever the filter changes in any way: "all that match" would silently mean other rows. All of which none is left is
 * an empty selection.
 */
const useSelection = (filter: string, total: number | undefined) => {
  const [stored, setStored] = useState({ filter, selection: noSelection });
  const current = stored.filter === filter ? stored : { filter, selection: noSelection };
  if (current !== stored) setStored(current);
  const onSelection = (selection: Selection): void => setStored({ filter, selection });
  const isEmpty = total !== undefined && selectedCount(current.selection, total) === 0;
  return { selection: isEmpty ? noSelection : current.selection, onSelection };
};

/** Undefined if not needed: there are rows, or none are known yet. */
const lastPageOf = <Row>({ data, error, isPlaceholderData }: PageQuery<Row>, size: number) => {
  // Page numbers are limited; cursors are not.
  if (isTooDeep(error)) return Math.floor(limits.countedTotal / size);
  if (!data || data.data.length > 0 || isPlaceholderData) return undefined;
  return Math.max(1, Math.ceil((data.totalCount ?? 0) / size));
};

const isTooDeep = (error: unknown): boolean =>
  error instanceof ApiFailure && error.issues.some(({ path }) => path === 'page_no');

interface LastPageRedirect {
  page: number;
  last: number | undefined;
  onPage: (number: number) => void;
}

/** A page beyond the end (an old link, deleted rows) would be empty and without a pager: the last page is shown instead. */
const useLastPageRedirect = ({ page, last, onPage }: LastPageRedirect): void => {
  const show = useEffectEvent(onPage);
  useEffect(() => {
    if (last !== undefined && page > last) show(last);
  }, [page, last]);
};
