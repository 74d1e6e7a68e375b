import { accountSorts, accountStatusSchema } from '@simcube/contract/account';
import { roleSchema } from '@simcube/contract/identity';
import { z } from 'zod';
import { textParam } from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

/** Search parameters of the list of accounts. */
export const accountSearch = listSearch({
  filters: { search: textParam(100), role: roleSchema, status: accountStatusSchema },
  overlays: {
    /** Shows the permissions of each role. */
    view: z.literal('roles'),
  },
  sorts: accountSorts,
});
export type AccountSearch = SearchOf<typeof accountSearch>;
