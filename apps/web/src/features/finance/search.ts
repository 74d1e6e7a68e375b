import { limits } from '@simcube/contract';
import {
  billIdSchema,
  billMonthSchema,
  billSimSorts,
  billSorts,
  billStates,
  billTypes,
} from '@simcube/contract/finance';
import { z } from 'zod';
import { numberParam, someOf, textParam } from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

/** Search parameters of the list of bills. */
export const billsSearch = listSearch({
  filters: {
    search: textParam(limits.bills.search),
    state: someOf(z.enum(billStates), billStates.length),
    type: someOf(z.enum(billTypes), billTypes.length),
    month: billMonthSchema,
    /** Includes versions that were replaced. */
    versions: z.enum(['all']),
  },
  /** The year of the chart. */
  preserved: { year: numberParam(z.int().min(2000).max(2999)) },
  sorts: billSorts,
});
export type BillsSearch = SearchOf<typeof billsSearch>;

const line = numberParam(z.int().min(1));

/** Search parameters of a bill's page: the explained line, and the section shown. */
export const billSearch = listSearch({
  filters: {},
  overlays: { line },
  preserved: { id: billIdSchema, section: textParam(60), changes: z.enum(['hidden']) },
});
export type BillSearch = SearchOf<typeof billSearch>;

/** Search parameters of the page with the SIMs of a bill, or of one of its lines. */
export const billSimsSearch = listSearch({
  filters: { search: textParam(limits.bills.search) },
  preserved: { id: billIdSchema, line },
  sorts: billSimSorts,
});
export type BillSimsSearch = SearchOf<typeof billSimsSearch>;
