import { type QueryKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type Answer, type ApiFailure, persistent } from '../../lib/api-client/index.ts';

interface Question<T> {
  key: QueryKey;
  /** Without a cursor, the first page. */
  ask: (of: { cursor: string | undefined; signal: AbortSignal }) => Promise<Answer<T[]>>;
  /** How soon the pages that are shown are read again, by the first of them; never, unless said. */
  againAfterMs?: (first: T[]) => number | false;
}

interface Pages<T> {
  data: T[];
  totalCount: number | null;
}

/** A list of which the first page is shown, and more as they are asked for. */
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
    /** Why the last attempt failed; a temporary failure is being retried meanwhile. */
    error: query.error ?? query.failureReason,
    hasMore: query.hasNextPage,
    isReadingMore: query.isFetchingNextPage,
    readMore: () => void query.fetchNextPage(),
    refetch: async () => {
      // One that waits for its next attempt would go on waiting.
      await queries.cancelQueries({ queryKey: key, exact: true });
      return await query.refetch();
    },
  };
};

/** What such a list has at this moment. */
export type More<T> = ReturnType<typeof useMore<T>>;
