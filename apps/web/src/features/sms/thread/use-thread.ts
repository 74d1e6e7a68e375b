import { endpoints, limits } from '@simcube/contract';
import type { Sms } from '@simcube/contract/sms';
import { useMemo } from 'react';
import { call } from '../../../lib/api-client/index.ts';
import { useLoadMore } from '../../../ui/query/index.ts';

/** The permission by which a conversation is read: to see messages, or to see the SIM. */
export type ThreadScope = 'messages' | 'sim';

const pageSize = limits.page.default;
const { list, listOfSim } = endpoints.sms;

/** The conversation with a SIM, oldest first; earlier messages by page. */
export const useThread = (iccid: string, scope: ThreadScope) => {
  const pages = useLoadMore<Sms>({
    key: [(scope === 'sim' ? listOfSim : list).id, 'conversation', iccid],
    request: ({ cursor, signal }) => {
      const page = { page_size: pageSize, ...(cursor === undefined ? {} : { cursor }) };
      return scope === 'sim'
        ? call(listOfSim, { query: { iccid, ...page }, signal, announce: false })
        : call(list, { body: { iccids: [iccid], ...page }, signal, announce: false });
    },
  });
  const { rows, error } = pages;
  return {
    messages: useMemo(() => rows && withoutDuplicates(rows).toReversed(), [rows]),
    error,
    retry: () => void pages.refetch(),
    hasEarlier: pages.hasMore,
    loadingEarlier: pages.isLoadingMore,
    showEarlier: pages.loadMore,
  };
};

/** A message that arrives between two requests moves others from one page to the next. */
const withoutDuplicates = (messages: readonly Sms[]): Sms[] => [
  ...new Map(messages.map((message) => [message.id, message])).values(),
];
