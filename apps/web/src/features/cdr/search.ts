import { cdrIdSchema, cdrSorts } from '@simcube/contract/cdr';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';
import { cdrFilterParams } from './filter.ts';

/** Search parameters of the list of usage records. */
export const cdrSearch = listSearch({
  filters: cdrFilterParams,
  /** The record that is open in its row. */
  overlays: { record: cdrIdSchema },
  sorts: cdrSorts,
});
export type CdrSearch = SearchOf<typeof cdrSearch>;
