import { endpoints, limits } from '@simcube/contract';
import type { Sms } from '@simcube/contract/sms';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type Answer, type ApiFailure, call, persistent } from '../../../lib/api-client/index.ts';

/** By which right a conversation is read: to see messages, or to see the SIM. */
export type ThreadOf = 'messages' | 'sim';

const pageSize = limits.page.default;
const { list, listOfSim } = endpoints.sms;

/** The conversation with a SIM, the oldest first; earlier messages by page. */
export const useThread = (iccid: string, of: ThreadOf) => {
  const query = useInfiniteQuery<
    Answer<Sms[]>,
    ApiFailure,
    { messages: Sms[] },
    unknown[],
    string | undefined
  >({
    queryKey: [(of === 'sim' ? listOfSim : list).id, 'conversation', iccid],
    queryFn: ({ pageParam: cursor, signal }) => {
      const page = { page_size: pageSize, ...(cursor === undefined ? {} : { cursor }) };
      return of === 'sim'
        ? call(listOfSim, { query: { iccid, ...page }, signal, announce: false })
        : call(list, { body: { iccids: [iccid], ...page }, signal, announce: false });
    },
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: ({ pages }) => ({ messages: eachOnce(pages.flatMap(({ data }) => data)).toReversed() }),
    ...persistent,
  });
  return {
    messages: query.data?.messages,
    error: query.error ?? query.failureReason,
    retry: () => void query.refetch(),
    hasEarlier: query.hasNextPage,
    loadingEarlier: query.isFetchingNextPage,
    showEarlier: () => void query.fetchNextPage(),
  };
};

/** A message that came between two pages moves others from one to the next. */
const eachOnce = (messages: readonly Sms[]): Sms[] => [
  ...new Map(messages.map((message) => [message.id, message])).values(),
];
