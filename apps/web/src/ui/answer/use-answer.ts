import {
  type QueryObserverResult,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Answer, ApiFailure } from '../../lib/api-client/index.ts';

/** The current state of a call that reads. */
export interface Asked<T> {
  /** Undefined until there is data to show. */
  data: Answer<T> | undefined;
  /** Error of the last attempt; a temporary failure is already being retried. If `data` is set, it is stale. */
  error: ApiFailure | null;
  /** When `data` arrived, in milliseconds since 1970. */
  updatedAt: number;
  /** `data` belongs to the previous request. */
  isPlaceholderData: boolean;
  isFetching: boolean;
  /** Requests again now, even if a request is running. */
  refetch: () => Promise<QueryObserverResult<Answer<T>, ApiFailure>>;
}

/** How long the previous data may be shown as a placeholder. */
const standsInMs = 1000;

/**
 * The response to a call that reads. Placeholder data (`placeholderData`) is shown only briefly while the request is running:
 * never next to a failure, nor when the server is slow.
 */
export const useAnswer = <Sent, Shown = Sent>(
  options: UseQueryOptions<Answer<Sent>, ApiFailure, Answer<Shown>>,
): Asked<Shown> => {
  const queries = useQueryClient();
  const query = useQuery(options);
  const { data, error, failureReason, isPlaceholderData, refetch } = query;
  const failure = error ?? failureReason;
  const key = JSON.stringify(options.queryKey);
  const isLate = useLate(isPlaceholderData ? key : null);
  const standsIn = isPlaceholderData && !failure && !isLate;
  return {
    data: isPlaceholderData && !standsIn ? undefined : data,
    error: failure,
    get updatedAt() {
      return query.dataUpdatedAt;
    },
    isPlaceholderData: standsIn,
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
const useLate = (key: string | null): boolean => {
  const [late, setLate] = useState<string | null>(null);
  useEffect(() => {
    if (key === null) return;
    const timer = setTimeout(() => setLate(key), standsInMs);
    return () => {
      clearTimeout(timer);
      setLate(null);
    };
  }, [key]);
  return key !== null && late === key;
};
