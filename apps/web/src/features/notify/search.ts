import { limits } from '@simcube/contract';
import { z } from 'zod';
import { textParam } from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

export const newGroup = 'new';
const id = /^\d{1,18}$/;

/** Search parameters of the list of targets. */
export const groupSearch = listSearch({
  filters: { search: textParam(limits.addressGroups.search) },
  overlays: {
    /** The open target; `new` while one is being created. */
    group: z.string().regex(/^(new|\d{1,18})$/),
    /** The target whose deliveries are shown. */
    deliveries: z.string().regex(id),
  },
  preserved: {
    /** Groups of phones, or API targets; groups of email addresses by default. */
    kind: z.enum(['sms', 'api']),
  },
});
export type GroupSearch = SearchOf<typeof groupSearch>;
