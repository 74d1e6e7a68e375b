import {
  type QueryObserverResult,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ApiFailure, ApiResponse } from '../../lib/api-client/index.ts';

/** The current state of a call that reads. */
export interface ApiQuery<T> {
  /** Undefined until there is data to show. */
  data: ApiResponse<T> | undefined;
  /** Error of the last attempt; a temporary failure is already being retried. If `data` is set, it is stale. */
  error: ApiFailure | null;
  /** When `data` arrived, in milliseconds since 1970. */
  updatedAt: number;
  /** `data` belongs to the previous request. */
  isPlaceholderData: boolean;
  isFetching: boolean;
  /** Requests again now, even if a request is running. */
  refetch: () => Promise<QueryObserverResult<ApiResponse<T>, ApiFailure>>;
}

/** How long the previous data may be shown as a placeholder. */
const placeholderMs = 1000;

/**
 * The response to a call that reads. Placeholder data (`placeholderData`) is shown only briefly while the request is running:
 * never next to a failure, nor when the server is slow.
 *
 * @param subject what is requested apart from the time: while that stays the same, a later request is like a refetch, and the
 * previous response is shown until there is a new one
 */
export const useApiQuery = <Sent, Shown = Sent>(
  options: UseQueryOptions<ApiResponse<Sent>, ApiFailure, ApiResponse<Shown>>,
  subject?: string,
): ApiQuery<Shown> => {
  const queries = useQueryClient();
  const query = useQuery(options);
  const { data, error, failureReason, isPlaceholderData, refetch } = query;
  const failure = error ?? failureReason;
  const key = JSON.stringify(options.queryKey);
  const isLate = useIsLate(isPlaceholderData ? key : null);
  const [shownSubject, setShownSubject] = useState<string>();
  if (data !== undefined && !isPlaceholderData && shownSubject !== subject) setShownSubject(subject);
  const isRefetch = subject !== undefined && shownSubject === subject;
  const showsPlaceholder = isPlaceholderData && (isRefetch || (!failure && !isLate));
  return {
    data: isPlaceholderData && !showsPlaceholder ? undefined : data,
    error: failure,
    get updatedAt() {
      return query.dataUpdatedAt;
    },
    isPlaceholderData: showsPlaceholder,
    // A getter, so that components that don't use it don't re-render at each request.
    get isFetching() {
      return query.isFetching;
    },
    refetch: async () => {
      // Otherwise a query that is waiting for its next attempt would keep waiting.
      await queries.cancelQueries({ queryKey: options.queryKey, exact: true });
      return await refetch();
    },
  };
};

/** Whether a placeholder has been shown for longer than allowed. */
const useIsLate = (key: string | null): boolean => {
  const [lateKey, setLateKey] = useState<string | null>(null);
  useEffect(() => {
    if (key === null) return;
    const timer = setTimeout(() => setLateKey(key), placeholderMs);
    return () => {
      clearTimeout(timer);
      setLateKey(null);
    };
  }, [key]);
  return key !== null && lateKey === key;
};
