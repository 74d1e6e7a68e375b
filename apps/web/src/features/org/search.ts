import { limits } from '@simcube/contract';
import { textParam } from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

/** Search parameters of the list of organisations. */
export const organisationSearch = listSearch({
  filters: { search: textParam(limits.organisationName.max) },
});
export type OrganisationSearch = SearchOf<typeof organisationSearch>;
