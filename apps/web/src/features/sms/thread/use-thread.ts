import { endpoints, limits } from '@simcube/contract';
import type { Sms } from '@simcube/contract/sms';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { call } from '../../../lib/api-client/index.ts';
import { useLoadMore } from '../../../ui/query/index.ts';

/** The permission by which a conversation is read: to see messages, or to see the SIM. */
export type ThreadScope = 'messages' | 'sim';

const pageSize = limits.page.default;
const { list, listOfSim } = endpoints.sms;

/** Maximum number of earlier pages that are loaded to reach the opened message. */
const maxSearchedPages = 5;

interface ThreadOptions {
  iccid: string;
  scope: ThreadScope;
  /** The message to open at: earlier pages are loaded until it is reached. */
  message: string | undefined;
}

/** The conversation with a SIM, oldest first; earlier messages by page. */
export const useThread = ({ iccid, scope, message }: ThreadOptions) => {
  const pages = useLoadMore<Sms>({
    key: [(scope === 'sim' ? listOfSim : list).id, 'conversation', iccid],
    request: ({ cursor, signal }) => {
      const page = { page_size: pageSize, ...(cursor === undefined ? {} : { cursor }) };
      return scope === 'sim'
        ? call(listOfSim, { query: { iccid, ...page }, signal, announce: false })
        : call(list, { body: { iccids: [iccid], ...page }, signal, announce: false });
    },
  });
  const { rows, error, hasMore, isLoadingMore, loadMore } = pages;
  const isFurtherUp = hasMore && message !== undefined && isEarlier(message, rows);
  const [searched, setSearched] = useState({ message, pages: 0 });
  const searchedPages = searched.message === message ? searched.pages : 0;
  const isSearching = isFurtherUp && !error && searchedPages < maxSearchedPages;
  const search = useEffectEvent(() => {
    setSearched({ message, pages: searchedPages + 1 });
    loadMore();
  });
  // A page may arrive before a render has shown that it was being loaded.
  const oldest = rows?.at(-1);
  useEffect(() => {
    if (oldest && isSearching && !isLoadingMore) search();
  }, [oldest, isSearching, isLoadingMore]);
  return {
    messages: useMemo(() => rows && withoutDuplicates(rows).toReversed(), [rows]),
    /** The message to open at is earlier than those that are loaded. */
    isFurtherUp: isFurtherUp && !isSearching,
    error,
    retry: () => void pages.refetch(),
    hasEarlier: hasMore,
    loadingEarlier: isLoadingMore,
    showEarlier: loadMore,
  };
};

/** Whether a message is older than the loaded rows, newest first; its id contains its time. */
const isEarlier = (id: string, rows: readonly Sms[] | undefined): boolean => {
  const oldest = rows?.at(-1);
  if (!oldest || rows?.some((row) => row.id === id)) return false;
  return Number(id.split('-')[1]) <= Date.parse(oldest.at);
};

/** A message that arrives between two requests moves others from one page to the next. */
const withoutDuplicates = (messages: readonly Sms[]): Sms[] => [
  ...new Map(messages.map((message) => [message.id, message])).values(),
];
