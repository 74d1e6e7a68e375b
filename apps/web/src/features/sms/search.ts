import { iccidSchema, limits } from '@simcube/contract';
import { scheduleModes, scheduleStates } from '@simcube/contract/schedule';
import { smsDirections, smsIdSchema, smsKinds, smsStatuses } from '@simcube/contract/sms';
import { z } from 'zod';
import { listKeySchema, maxSimsInUrl, simsInUrl } from '../../lib/list-store/index.ts';
import { instantParam, someOf, textParam } from '../../lib/search-params/fields.ts';
import { type ListSearch, listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';
import { lastPeriods } from './list/period.ts';
import { type SmsTab, smsTabs } from './tabs.ts';

const search = textParam(limits.sms.search);
/** Filters of the messages of every tab. */
const shared = {
  /** A period up to now; instead of instants. */
  last: z.enum(lastPeriods),
  from: instantParam,
  to: instantParam,
  /** ICCIDs. */
  sims: someOf(iccidSchema, maxSimsInUrl),
  /** The key under which this tab stores a longer list. */
  list: listKeySchema,
};
const kind = z.enum(smsKinds);
const direction = z.enum(smsDirections);
const status = someOf(z.enum(smsStatuses), smsStatuses.length);
/** Of scheduled messages. */
const schedules = { state: z.enum(scheduleStates), mode: z.enum(scheduleModes) };

const overlays = {
  /** The message whose conversation is open. */
  message: smsIdSchema,
};
const preserved = {
  tab: z.enum(smsTabs),
  /** A message is being written: to recipients entered there, or to SIMs that this tab stores under the key. */
  compose: z.union([z.literal('open'), listKeySchema]),
};

/** Search parameters of the messages. */
export const smsSearch = listSearch({
  filters: { search, ...shared, kind, direction, status, ...schedules },
  overlays,
  preserved,
});
export type SmsSearch = SearchOf<typeof smsSearch>;

/** The same parameters in each tab: those that it does not filter by are preserved for the others. */
export const searchOfTab: Record<SmsTab, ListSearch<SmsSearch>> = {
  all: listSearch({
    filters: { search, ...shared, kind, direction, status },
    overlays,
    preserved: { ...preserved, ...schedules },
  }),
  instant: listSearch({
    filters: { search, ...shared, status },
    overlays,
    preserved: { ...preserved, ...schedules, kind, direction },
  }),
  scheduled: listSearch({
    filters: { search, ...schedules },
    overlays,
    preserved: { ...preserved, ...shared, kind, direction, status },
  }),
  replies: listSearch({
    filters: { search, ...shared },
    overlays,
    preserved: { ...preserved, ...schedules, kind, direction, status },
  }),
};

export const smsSims = simsInUrl({ kind: 'sms-sims', identifier: iccidSchema, max: limits.sms.iccids });
export const { simsOf, listIsMissing } = smsSims;
