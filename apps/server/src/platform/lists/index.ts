export type { Condition, Fragment, List, ListTable, Narrowing, PagePosition, SortKey } from './list.ts';
export { PageBookmarks } from './page-bookmarks.ts';
export { and, lookupPredicatesOf } from './page-request.ts';
export {
  countBy,
  countRows,
  type ListPage,
  type PageQuery,
  pageQueryOf,
  readAll,
  readPage,
} from './read-page.ts';
