import { endpoints } from '@simcube/contract';
import type { SmsFilter } from '@simcube/contract/sms';
import { keepPreviousData } from '@tanstack/react-query';
import { type ApiResponse, endpointQuery } from '../../../lib/api-client/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import type { SmsSearch } from '../search.ts';
import type { SmsTab } from '../tabs.ts';
import { useSmsFilterOf } from './use-messages.ts';

export interface MessageCount {
  total: number;
  /** There are more than were counted. */
  isAtLeast: boolean;
}

const toCount = (response: ApiResponse<unknown> | undefined): MessageCount | undefined =>
  response && response.totalCount !== null
    ? { total: response.totalCount, isAtLeast: response.totalRelation === 'gte' }
    : undefined;

/** The number of messages that match a filter, without their rows. */
const useCount = (filter: SmsFilter): MessageCount | undefined =>
  toCount(
    useApiQuery({
      ...endpointQuery(endpoints.sms.list, { body: { ...filter, page_size: 1 } }),
      placeholderData: keepPreviousData,
    }).data,
  );

const useScheduleCount = (search: string | undefined): MessageCount | undefined =>
  toCount(
    useApiQuery({
      ...endpointQuery(endpoints.schedule.list, {
        body: { ...(search === undefined ? {} : { search }), page_size: 1 },
      }),
      placeholderData: keepPreviousData,
    }).data,
  );

/** The filters that every tab has. */
const sharedFilters = ({ search, last, from, to, sims, list }: SmsSearch): SmsSearch => ({
  search,
  last,
  from,
  to,
  sims,
  list,
});

/** The number of messages in each tab, for the period, the SIMs and the search. */
export const useTabCounts = (filters: SmsSearch): Record<SmsTab, MessageCount | undefined> => {
  const filterOf = useSmsFilterOf();
  const shared = sharedFilters(filters);
  const filterFor = (tab: SmsTab) => filterOf({ ...shared, tab });
  return {
    all: useCount(filterFor('all')),
    instant: useCount(filterFor('instant')),
    scheduled: useScheduleCount(filters.search),
    replies: useCount(filterFor('replies')),
  };
};

/** The number sent in the period, by hand only in the tab of those, and the share delivered; undefined if there are too many to count. */
export const useDeliveryRate = (filters: SmsSearch) => {
  const filter = useSmsFilterOf()({ ...sharedFilters(filters), tab: filters.tab });
  const sent = useCount({ ...filter, direction: 'mt' });
  const delivered = useCount({ ...filter, status: ['delivered'] });
  if (!sent || !delivered || sent.isAtLeast || delivered.isAtLeast || sent.total === 0) return undefined;
  return { sent: sent.total, share: delivered.total / sent.total };
};
