import { limits } from '@simcube/contract';
import { z } from 'zod';
import { textParam } from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

export const newGroup = 'new';
const id = /^\d{1,18}$/;

/** What the address of the list of targets holds. */
export const groupSearch = listSearch({
  filters: { search: textParam(limits.addressGroups.search) },
  over: {
    /** The target that is open; `new` is one that is being made. */
    group: z.string().regex(/^(new|\d{1,18})$/),
    /** The target whose deliveries are shown. */
    deliveries: z.string().regex(id),
  },
  kept: {
    /** Groups of phones, or API targets; groups of email addresses without it. */
    kind: z.enum(['sms', 'api']),
  },
});
export type GroupSearch = SearchOf<typeof groupSearch>;
