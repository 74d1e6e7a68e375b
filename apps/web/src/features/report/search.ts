import { reportKindSchema, reportMonthSchema } from '@simcube/contract/report';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

/** What the address of the reports holds: the month and the report that are shown. */
export const reportsSearch = listSearch({
  filters: {},
  kept: { month: reportMonthSchema, kind: reportKindSchema },
});
export type ReportsSearch = SearchOf<typeof reportsSearch>;
