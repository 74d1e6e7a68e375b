import { limits } from '@simcube/contract';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { type Answer, ApiFailure } from '../../lib/api-client/index.ts';
import type { SearchScreenProps } from '../../lib/search-params/fields.ts';
import type { ListParams, ListSearch } from '../../lib/search-params/list-search.ts';
import {
  type Column,
  nothing,
  type Selection,
  type TableLayout,
  useTableLayout,
} from '../data-table/index.ts';

/** What a query says of a page: `usePageOf` answers so. */
export interface PageAnswer<Row> {
  data: Answer<Row[]> | undefined;
  error: unknown;
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

interface ListOptions<Row, S extends ListParams> {
  /** Under which the table's columns are remembered in this browser. */
  name: string;
  /** What the address holds, and how it is changed; a list inside a page may have no address of its own. */
  address: Omit<SearchScreenProps<S>, 'hrefOf'> & Partial<SearchScreenProps<S>>;
  of: ListSearch<S>;
  answer: PageAnswer<Row>;
  columns: readonly Column<Row>[];
  /** How many rows there are, where sums of the same rows have counted further than the list does. */
  exact?: number | undefined;
}

/** Everything that is true of a list at a moment, and what can be done with it. */
export interface List<Row, S extends ListParams> {
  search: S;
  of: ListSearch<S>;
  layout: TableLayout<Row>;
  /** Undefined while the first page is on its way. */
  rows: readonly Row[] | undefined;
  /** Undefined until the server has counted. */
  counted: { total: number; relation: 'eq' | 'gte'; exact?: number | undefined } | undefined;
  /** ISO instant that the rows are true as of. */
  asOf: string | null;
  filtered: boolean;
  page: { number: number; size: number };
  state: Pick<PageAnswer<Row>, 'error' | 'isPlaceholderData' | 'refetch'>;
  selection: Selection;
  onSelection: (selection: Selection) => void;
  /** The person has begun, or ended, to type or to change one filter: its changes together are one step. */
  onEdit: (editing: boolean) => void;
  /** A step of the browser's history: going back undoes the filter. */
  onFilter: (filter: Partial<S>) => void;
  /** Another filter as a whole. */
  onSearch: (search: S) => void;
  /** A saved view: its filter, its sort and its name in the address. */
  onView: (search: S) => void;
  /** All rows, in the list's own order and no saved view. */
  onAll: () => void;
  onClear: () => void;
  onPage: (page: { number: number; size: number }) => void;
  onSort: (sort: string | undefined) => void;
  /** Address of the list with something lying over it: an open row. */
  hrefWith: (over: Partial<S>) => string;
  open: (over: Partial<S>) => void;
  close: () => void;
}

const noAddress = (): string => '';
const noView = { view: undefined, sort: undefined, page: undefined };
const sizeOf = ({ size }: ListParams) => ({ size });

/** The state of a list: its address, its page, its columns and what is selected. */
export const useList = <Row, S extends ListParams>({
  name,
  address: { search, onSearchChange, hrefOf = noAddress },
  of,
  answer,
  columns,
  exact,
}: ListOptions<Row, S>): List<Row, S> => {
  const { data, error, isPlaceholderData, refetch } = answer;
  const counted =
    data && data.totalCount !== null
      ? { total: data.totalCount, relation: data.totalRelation, exact }
      : undefined;
  const page = { number: search.page ?? 1, size: search.size ?? limits.page.default };
  useWayBack({
    page: page.number,
    last: lastPageOf(answer, page.size),
    onPage: (number) => onSearchChange({ ...search, page: number === 1 ? undefined : number }, 'replace'),
  });
  const { onEdit, stepTo } = useSteps({ search, of, onSearchChange });
  return {
    search,
    of,
    layout: useTableLayout(name, columns, useSetFilters(of.filterOf(search))),
    rows: data?.data,
    counted,
    asOf: data?.asOf ?? null,
    filtered: of.isFiltered(search),
    page,
    state: { error, isPlaceholderData, refetch },
    ...useSelection(JSON.stringify(of.filterOf(search))),
    onEdit,
    onFilter: (filter) => stepTo(of.withFilter(search, filter)),
    onSearch: (next) => stepTo(of.withFilter(of.withoutFilters(search), of.filterOf(next))),
    onView: (next) => stepTo({ ...of.withoutFilters(search), ...noView, ...next, ...sizeOf(search) }),
    onAll: () => stepTo({ ...of.withoutFilters(search), ...noView }),
    onClear: () => stepTo(of.withoutFilters(search)),
    onPage: (next) => onSearchChange(of.withPage(search, next), 'push'),
    onSort: (sort) => onSearchChange(of.withSort(search, sort), 'replace'),
    hrefWith: useCallback((over) => hrefOf({ ...search, ...over }), [hrefOf, search]),
    open: (over) => onSearchChange({ ...search, ...over }, 'push'),
    close: () => onSearchChange(of.closed(search), 'replace'),
  };
};

/** The names of the filters that are set. */
const useSetFilters = (filter: object): readonly string[] => {
  const names = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const text = names.join(' ');
  return useMemo(() => text.split(' '), [text]);
};

interface Steps<S extends ListParams> {
  search: S;
  of: ListSearch<S>;
  onSearchChange: SearchScreenProps<S>['onSearchChange'];
}

/** Each other filter is a step of the browser's history; what is changed further in the same edit takes its place. */
export const useSteps = <S extends ListParams>({ search, of, onSearchChange }: Steps<S>) => {
  const edit = useRef<{ open: boolean; made?: string }>({ open: false });
  const filterOf = (one: S): string => JSON.stringify(of.filterOf(of.parse(one)));
  return {
    onEdit: (open: boolean): void => {
      edit.current = { open };
    },
    stepTo: (next: S): void => {
      const { open, made } = edit.current;
      const [here, there] = [filterOf(search), filterOf(next)];
      // After a step back in the middle of an edit, this is another step.
      onSearchChange(next, there === here || (open && made === here) ? 'replace' : 'push');
      edit.current = { open, made: there };
    },
  };
};

/** "All that match" would silently mean other rows under another filter, however that came about. */
const useSelection = (filter: string) => {
  const [held, setHeld] = useState({ filter, selection: nothing });
  const current = held.filter === filter ? held : { filter, selection: nothing };
  if (current !== held) setHeld(current);
  const onSelection = (selection: Selection): void => setHeld({ filter, selection });
  return { selection: current.selection, onSelection };
};

/** Undefined while it does not matter: there are rows, or none are known yet. */
const lastPageOf = <Row>({ data, error, isPlaceholderData }: PageAnswer<Row>, size: number) => {
  // Numbers reach no further; cursors do.
  if (isTooDeep(error)) return Math.floor(limits.countedTotal / size);
  if (!data || data.data.length > 0 || isPlaceholderData) return undefined;
  return Math.max(1, Math.ceil((data.totalCount ?? 0) / size));
};

const isTooDeep = (error: unknown): boolean =>
  error instanceof ApiFailure && error.issues.some(({ path }) => path === 'page_no');

interface WayBack {
  page: number;
  last: number | undefined;
  onPage: (number: number) => void;
}

/** A page behind the end (an old link, rows that are gone) has nothing to show and no pager: the last one is shown. */
const useWayBack = ({ page, last, onPage }: WayBack): void => {
  const show = useEffectEvent(onPage);
  useEffect(() => {
    if (last !== undefined && page > last) show(last);
  }, [page, last]);
};
