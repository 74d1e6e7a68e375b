import { reportKindSchema, reportMonthSchema } from '@simcube/contract/report';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

/** Search parameters of the reports: the month and the report shown. */
export const reportsSearch = listSearch({
  filters: {},
  preserved: { month: reportMonthSchema, kind: reportKindSchema },
});
export type ReportsSearch = SearchOf<typeof reportsSearch>;
