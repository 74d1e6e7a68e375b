import { limits } from '@simcube/contract';
import { z } from 'zod';
import { textParam } from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

export const newGroup = 'new';

/** What the address of the list of groups holds. */
export const groupSearch = listSearch({
  filters: { search: textParam(limits.addressGroups.search) },
  over: {
    /** The group that is open; `new` is one that is being made. */
    group: z.string().regex(/^(new|\d{1,18})$/),
  },
  kept: {
    /** Groups of phones; of email addresses without it. */
    kind: z.literal('sms'),
  },
});
export type GroupSearch = SearchOf<typeof groupSearch>;
