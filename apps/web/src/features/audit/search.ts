import { auditActionSchema, auditActions } from '@simcube/contract/audit';
import { z } from 'zod';
import { dayParam, numberParam, someOf, textParam } from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

/** Search parameters of the audit trail. */
export const auditSearch = listSearch({
  filters: {
    search: textParam(100),
    action: someOf(auditActionSchema, auditActions.length),
    /** Id of the actor. */
    actor: z.uuid(),
    /** Days, both inclusive, in the displayed time zone. */
    from: dayParam,
    to: dayParam,
  },
  overlays: {
    /** Number of the open entry. */
    entry: numberParam(z.int().min(1)),
  },
});
export type AuditSearch = SearchOf<typeof auditSearch>;
