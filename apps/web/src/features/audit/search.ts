import { auditActionSchema, auditActions } from '@simcube/contract/audit';
import { z } from 'zod';
import { dayParam, someOf, textParam, wholeNumber } from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

/** What the address of the audit trail holds. */
export const auditSearch = listSearch({
  filters: {
    search: textParam(100),
    action: someOf(auditActionSchema, auditActions.length),
    /** Id of who did it. */
    actor: z.string().max(64),
    /** Days, both inclusive, in the zone on screen. */
    from: dayParam,
    to: dayParam,
  },
  over: {
    /** Number of the entry that is open. */
    entry: wholeNumber.min(1),
  },
});
export type AuditSearch = SearchOf<typeof auditSearch>;
