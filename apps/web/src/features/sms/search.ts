import { iccidSchema, limits } from '@simcube/contract';
import { scheduleModes, scheduleStates } from '@simcube/contract/schedule';
import { smsDirections, smsIdSchema, smsKinds, smsStatuses } from '@simcube/contract/sms';
import { z } from 'zod';
import { listKeySchema, maxSimsInUrl, simsInUrl } from '../../lib/list-store/index.ts';
import { instantParam, someOf, textParam } from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';
import { lastPeriods } from './list/period.ts';
import { smsTabs } from './tabs.ts';

/** Search parameters of the messages. */
export const smsSearch = listSearch({
  filters: {
    search: textParam(limits.sms.search),
    /** A period up to now; instead of instants. */
    last: z.enum(lastPeriods),
    from: instantParam,
    to: instantParam,
    /** ICCIDs. */
    sims: someOf(iccidSchema, maxSimsInUrl),
    /** The key under which this tab stores a longer list. */
    list: listKeySchema,
    kind: z.enum(smsKinds),
    direction: z.enum(smsDirections),
    status: someOf(z.enum(smsStatuses), smsStatuses.length),
    /** Of scheduled messages. */
    state: z.enum(scheduleStates),
    mode: z.enum(scheduleModes),
  },
  overlays: {
    /** The message whose conversation is open. */
    message: smsIdSchema,
  },
  preserved: {
    tab: z.enum(smsTabs),
    /** A message is being written: to recipients entered there, or to SIMs that this tab stores under the key. */
    compose: z.union([z.literal('open'), listKeySchema]),
  },
});
export type SmsSearch = SearchOf<typeof smsSearch>;

export const { simsOf, simParams, listIsMissing } = simsInUrl({
  kind: 'sms-sims',
  identifier: iccidSchema,
  max: limits.sms.iccids,
});
