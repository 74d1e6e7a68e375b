import { type QueryKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type Answer, type ApiFailure, persistent } from '../../lib/api-client/index.ts';

interface Question<T> {
  key: QueryKey;
  /** Requests the first page if there is no cursor. */
  ask: (of: { cursor: string | undefined; signal: AbortSignal }) => Promise<Answer<T[]>>;
  /** How soon the loaded pages are refetched, depending on the first of them; never by default. */
  againAfterMs?: (first: T[]) => number | false;
}

interface Pages<T> {
  data: T[];
  totalCount: number | null;
}

/** A list that starts with its first page and loads more on demand. */
export const useMore = <T>({ key, ask, againAfterMs }: Question<T>) => {
  const queries = useQueryClient();
  const query = useInfiniteQuery<Answer<T[]>, ApiFailure, Pages<T>, QueryKey, string | undefined>({
    queryKey: key,
    queryFn: ({ pageParam: cursor, signal }) => ask({ cursor, signal }),
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: ({ pages }) => ({
      data: pages.flatMap(({ data }) => data),
      totalCount: pages[0]?.totalCount ?? null,
    }),
    refetchInterval: ({ state }) => againAfterMs?.(state.data?.pages[0]?.data ?? []) ?? false,
    ...persistent,
  });
  return {
    rows: query.data?.data,
    totalCount: query.data?.totalCount ?? null,
    /** Error of the last attempt; a temporary failure is already being retried. */
    error: query.error ?? query.failureReason,
    hasMore: query.hasNextPage,
    isReadingMore: query.isFetchingNextPage,
    readMore: () => void query.fetchNextPage(),
    refetch: async () => {
      // Otherwise a query that is waiting for its next attempt would keep waiting.
      await queries.cancelQueries({ queryKey: key, exact: true });
      return await query.refetch();
    },
  };
};

/** The current state of such a list. */
export type More<T> = ReturnType<typeof useMore<T>>;
