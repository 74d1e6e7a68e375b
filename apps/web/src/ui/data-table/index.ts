export type { Column } from './column.ts';
export { DataTable } from './data-table.tsx';
export type { DataTableProps } from './data-table-props.ts';
export { type FieldMatch, type Matches, matchesIn } from './matches.ts';
export { Pager } from './pager.tsx';
export { useRowExpanded } from './row-expanded.ts';
export { allMatching, noSelection, type Selection, selectedCount } from './selection.ts';
export { TableTools } from './table-tools.tsx';
export { type TableLayout, useTableLayout } from './use-table-layout.ts';
