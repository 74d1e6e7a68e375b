export type { Condition, Fragment, List, ListTable, Narrowed, PagePlace, SortKey } from './list.ts';
export { OrderMarks } from './order-marks.ts';
export {
  asked,
  countBy,
  countRows,
  type ListPage,
  type PageQuestion,
  readAll,
  readPage,
} from './read-page.ts';
export { and, lookedUp } from './wanted.ts';
