import { type QueryKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type ApiFailure, type ApiResponse, retryTemporaryFailures } from '../../lib/api-client/index.ts';

interface LoadMoreOptions<T> {
  key: QueryKey;
  /** Requests the first page if there is no cursor. */
  request: (page: { cursor: string | undefined; signal: AbortSignal }) => Promise<ApiResponse<T[]>>;
  /** How soon the loaded pages are refetched, depending on the first of them; never by default. */
  refetchAfterMs?: (first: T[]) => number | false;
}

interface Pages<T> {
  data: T[];
  totalCount: number | null;
}

/** A list that starts with its first page and loads more on demand. */
export const useLoadMore = <T>({ key, request, refetchAfterMs }: LoadMoreOptions<T>) => {
  const queries = useQueryClient();
  const query = useInfiniteQuery<ApiResponse<T[]>, ApiFailure, Pages<T>, QueryKey, string | undefined>({
    queryKey: key,
    queryFn: ({ pageParam: cursor, signal }) => request({ cursor, signal }),
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: ({ pages }) => ({
      data: pages.flatMap(({ data }) => data),
      totalCount: pages[0]?.totalCount ?? null,
    }),
    refetchInterval: ({ state }) => refetchAfterMs?.(state.data?.pages[0]?.data ?? []) ?? false,
    ...retryTemporaryFailures,
  });
  return {
    rows: query.data?.data,
    totalCount: query.data?.totalCount ?? null,
    /** Error of the last attempt; a temporary failure is already being retried. */
    error: query.error ?? query.failureReason,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    refetch: async () => {
      // Otherwise a query that is waiting for its next attempt would keep waiting.
      await queries.cancelQueries({ queryKey: key, exact: true });
      return await query.refetch();
    },
  };
};

/** The current state of such a list. */
export type LoadMoreQuery<T> = ReturnType<typeof useLoadMore<T>>;
