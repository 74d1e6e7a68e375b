import type { ReactNode } from 'react';
import type { Matches } from './matches.ts';
import type { PageState } from './page-window.ts';
import type { Selection } from './selection.ts';
import type { TableLayout } from './use-table-layout.ts';

export interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  label: string;
  layout: TableLayout<Row>;
  /** Undefined while the first page is loading. */
  rows: readonly Row[] | undefined;
  /** How many rows the placeholder has, for a table that mostly has few; below it, nothing jumps then. */
  skeletonRows?: number | undefined;
  rowKey: (row: Row) => string;
  rowHref?: (row: Row) => string;
  /** The key of the row that is expanded in the table, and the content shown below it. The link of that row closes it. */
  expanded?: { key: string | undefined; render: (row: Row) => ReactNode } | undefined;
  /** The key of the row whose details are shown next to the table. */
  current?: string | undefined;
  /** Rows that are shown without colour, because they have no effect at present. */
  isFaded?: (row: Row) => boolean;
  /** Small actions at the end of a row. */
  rowActions?: (row: Row) => ReactNode;
  /** Rows whose match is in none of the columns say in which field it is. */
  matches?: Matches<Row> | undefined;
  /** The rows shown belong to the previous request. */
  stale?: boolean;
  error?: unknown;
  onRetry: () => void;
  /** The server's sort; `-name` is descending. */
  sort?: string | undefined;
  onSort?: (sort: string | undefined) => void;
  selection?: Selection;
  onSelection?: (selection: Selection) => void;
  page: PageState;
  onPage: (page: Pick<PageState, 'number' | 'size'>) => void;
  /** Shown instead of rows if nothing matches. */
  empty: ReactNode;
}
