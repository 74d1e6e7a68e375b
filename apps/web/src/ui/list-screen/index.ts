export { ListPanel } from './list-panel.tsx';
export { ListScreen } from './list-screen.tsx';
export { ListTable } from './list-table.tsx';
export type { ListView, ListViews } from './list-views.ts';
export { type QuickCount, QuickCounts } from './quick-counts.tsx';
export { type Filtered, type FiltersOf, useFiltersOf } from './use-filters-of.ts';
export { type List, useList, useSteps } from './use-list.ts';
export { useOpenRow } from './use-open-row.ts';
export { type PageRequest, usePageOf } from './use-page-of.ts';
