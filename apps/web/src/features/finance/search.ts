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
import { someOf, textParam, wholeNumber } from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

/** What the address of the list of bills holds. */
export const billsSearch = listSearch({
  filters: {
    search: textParam(limits.bills.search),
    state: someOf(z.enum(billStates), billStates.length),
    type: someOf(z.enum(billTypes), billTypes.length),
    month: billMonthSchema,
    /** With versions that were replaced. */
    versions: z.enum(['all']),
  },
  sorts: billSorts,
});
export type BillsSearch = SearchOf<typeof billsSearch>;

const line = wholeNumber.min(1);

/** That of a bill's page: the line that is explained, and whose section is shown. */
export const billSearch = listSearch({
  filters: {},
  over: { line },
  kept: { id: billIdSchema, section: textParam(60), changes: z.enum(['hidden']) },
});
export type BillSearch = SearchOf<typeof billSearch>;

/** That of the page of a bill's SIMs, or of those of a line. */
export const billSimsSearch = listSearch({
  filters: { search: textParam(limits.bills.search) },
  kept: { id: billIdSchema, line },
  sorts: billSimSorts,
});
export type BillSimsSearch = SearchOf<typeof billSimsSearch>;
