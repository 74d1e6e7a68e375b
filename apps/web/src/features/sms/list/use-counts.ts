import { endpoints } from '@simcube/contract';
import type { SmsFilter } from '@simcube/contract/sms';
import { keepPreviousData } from '@tanstack/react-query';
import { type Answer, endpointQuery } from '../../../lib/api-client/index.ts';
import { useAnswer } from '../../../ui/answer/index.ts';
import type { SmsSearch } from '../search.ts';
import type { SmsTab } from '../tabs.ts';
import { useSmsFilterOf } from './use-messages.ts';

export interface Counted {
  total: number;
  /** There are more than were counted. */
  isAtLeast: boolean;
}

const countedOf = (answer: Answer<unknown> | undefined): Counted | undefined =>
  answer && answer.totalCount !== null
    ? { total: answer.totalCount, isAtLeast: answer.totalRelation === 'gte' }
    : undefined;

/** The number of messages that match a filter, without their rows. */
const useCount = (filter: SmsFilter): Counted | undefined =>
  countedOf(
    useAnswer({
      ...endpointQuery(endpoints.sms.list, { body: { ...filter, page_size: 1 } }),
      placeholderData: keepPreviousData,
    }).data,
  );

const useScheduleCount = (search: string | undefined): Counted | undefined =>
  countedOf(
    useAnswer({
      ...endpointQuery(endpoints.schedule.list, {
        body: { ...(search === undefined ? {} : { search }), page_size: 1 },
      }),
      placeholderData: keepPreviousData,
    }).data,
  );

/** The number of messages in each tab, for the period and the search. */
export const useTabCounts = ({ search, last, from, to }: SmsSearch): Record<SmsTab, Counted | undefined> => {
  const filterOf = useSmsFilterOf();
  const of = (tab: SmsTab) => filterOf({ search, last, from, to, tab });
  return {
    all: useCount(of('all')),
    instant: useCount(of('instant')),
    scheduled: useScheduleCount(search),
    replies: useCount(of('replies')),
  };
};

/** The number sent in the period, and the share delivered; undefined if there are too many to count. */
export const useDelivered = ({ search, last, from, to }: SmsSearch) => {
  const all = useSmsFilterOf()({ search, last, from, to });
  const sent = useCount({ ...all, direction: 'mt' });
  const delivered = useCount({ ...all, status: ['delivered'] });
  if (!sent || !delivered || sent.isAtLeast || delivered.isAtLeast || sent.total === 0) return undefined;
  return { sent: sent.total, share: delivered.total / sent.total };
};
