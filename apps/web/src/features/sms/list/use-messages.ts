import { endpoints } from '@simcube/contract';
import type { SmsFilter } from '@simcube/contract/sms';
import { useQueryClient } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { now, type TimeZoneChoice, useTimeDisplay } from '../../../lib/time/index.ts';
import { usePageOf } from '../../../ui/list-screen/index.ts';
import { usePaced } from '../../../ui/pace/index.ts';
import type { SmsSearch } from '../search.ts';
import { spanOf } from './period.ts';

/** What the address means at this moment, as the server takes it. */
export const smsFilterOf = (search: SmsSearch, zone: TimeZoneChoice): SmsFilter => {
  const { search: text, direction, status, tab } = search;
  return {
    ...spanOf(search, { zone, now: now() }),
    ...(text === undefined ? {} : { search: text }),
    ...ofTab({ tab, direction, status }),
  };
};

const ofTab = ({ tab, direction, status }: Pick<SmsSearch, 'tab' | 'direction' | 'status'>): SmsFilter => {
  switch (tab) {
    case 'replies':
      return { direction: 'mo' };
    case 'instant':
      return { kind: 'instant', ...(status ? { status } : {}) };
    default:
      return { ...(direction ? { direction } : {}), ...(status ? { status } : {}) };
  }
};

const { list, listReplies, listOfSim, remainUsage } = endpoints.sms;

/** One page of the messages of a tab. */
export const useMessages = (search: SmsSearch) => {
  const filter = smsFilterOf(search, useTimeDisplay());
  return usePageOf(search, (page) => {
    if (search.tab !== 'replies') return endpointQuery(list, { body: { ...filter, ...page } });
    const { direction: _, ...replies } = filter;
    return endpointQuery(listReplies, { body: { ...replies, ...page } });
  });
};

/** Fast enough to be seen within two seconds of the fact, slow enough for thousands of messages a minute. */
const readEveryMs = 1500;

/** Messages, their states and the quota follow what happens. */
export const useLiveMessages = (): void => {
  const client = useQueryClient();
  const again = usePaced(() => {
    for (const { id } of [list, listReplies, listOfSim, remainUsage])
      void client.invalidateQueries({ queryKey: [id] });
  }, readEveryMs);
  useLive('sms.changed', again);
  useLive('stream.reset', again);
};
