import { endpoints } from '@simcube/contract';
import type { SmsFilter } from '@simcube/contract/sms';
import { useQueryClient } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { useTimeDisplay } from '../../../lib/time/index.ts';
import { usePageQuery } from '../../../ui/list-screen/index.ts';
import { useThrottled } from '../../../ui/throttle/index.ts';
import { useNow } from '../../../ui/time/index.ts';
import { listIsMissing, type SmsSearch, simsOf } from '../search.ts';
import { periodRange } from './period.ts';

/** Detects midnight soon enough on a page without other events. */
const clockIntervalMs = 60_000;

/** The search parameters at this moment, in the server's format: a new day may begin while the page is open. */
export const useSmsFilterOf = (): ((search: SmsSearch) => SmsFilter) => {
  const zone = useTimeDisplay();
  const now = useNow(clockIntervalMs);
  return (search) => smsFilterOf(search, periodRange(search, { zone, now }));
};

const smsFilterOf = (search: SmsSearch, span: SmsFilter): SmsFilter => {
  const { search: text } = search;
  // A list that this tab does not have finds nothing, rather than the messages of all SIMs.
  const iccids = listIsMissing(search) ? [] : simsOf(search);
  return {
    ...span,
    ...(text === undefined ? {} : { search: text }),
    ...(iccids === undefined ? {} : { iccids }),
    ...tabFilter(search),
  };
};

const tabFilter = ({ tab, kind, direction, status }: SmsSearch): SmsFilter => {
  switch (tab) {
    case 'replies':
      return { kind: 'reply' };
    case 'instant':
      return { kind: 'instant', ...(status ? { status } : {}) };
    default:
      return { ...(kind && { kind }), ...(direction && { direction }), ...(status && { status }) };
  }
};

const { list, listReplies, listOfSim, remainUsage } = endpoints.sms;

/** One page of the messages of a tab. */
export const useMessages = (search: SmsSearch) => {
  const filter = useSmsFilterOf()(search);
  return usePageQuery(search, (page) => {
    if (search.tab !== 'replies') return endpointQuery(list, { body: { ...filter, ...page } });
    const { kind: _, ...replies } = filter;
    return endpointQuery(listReplies, { body: { ...replies, ...page } });
  });
};

/** Fast enough to show a fact within two seconds, slow enough for thousands of messages a minute. */
const refetchIntervalMs = 1500;

/** Keeps messages, their states and the quota up to date. */
export const useLiveMessages = (): void => {
  const client = useQueryClient();
  const refetch = useThrottled(() => {
    for (const { id } of [list, listReplies, listOfSim, remainUsage])
      void client.invalidateQueries({ queryKey: [id] });
  }, refetchIntervalMs);
  useLive('sms.changed', refetch);
  useLive('stream.reset', refetch);
};
