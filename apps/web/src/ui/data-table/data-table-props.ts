import type { ReactNode } from 'react';
import type { Matches } from './matches.ts';
import type { PageOf } from './page-window.ts';
import type { Selection } from './selection.ts';
import type { TableLayout } from './use-table-layout.ts';

export interface DataTableProps<Row> {
  /** What the table lists, for those who listen. */
  label: string;
  layout: TableLayout<Row>;
  /** Undefined while the first page is on its way. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  rowHref?: (row: Row) => string;
  /** The row that is open in the table, by its key, and what it opens into, below it. Its address closes it. */
  opened?: { key: string | undefined; render: (row: Row) => ReactNode } | undefined;
  /** The row, by its key, that is looked at beside the table. */
  current?: string | undefined;
  /** Small actions at the end of a row. */
  rowActions?: (row: Row) => ReactNode;
  /** Rows whose match no column shows say where it is. */
  matches?: Matches<Row> | undefined;
  /** Shown rows belong to the request before this one. */
  stale?: boolean;
  error?: unknown;
  onRetry: () => void;
  /** The server's sort; `-name` is descending. */
  sort?: string | undefined;
  onSort?: (sort: string | undefined) => void;
  selection?: Selection;
  onSelection?: (selection: Selection) => void;
  page: PageOf;
  onPage: (page: Pick<PageOf, 'number' | 'size'>) => void;
  /** Shown instead of rows when nothing matches. */
  empty: ReactNode;
}
