import {
  type QueryObserverResult,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Answer, ApiFailure } from '../../lib/api-client/index.ts';

/** What is known of a call that reads, at this moment. */
export interface Asked<T> {
  /** Undefined until there is something to show. */
  data: Answer<T> | undefined;
  /** Why the last attempt failed; a temporary failure is being retried meanwhile. With `data`, that is no longer fresh. */
  error: ApiFailure | null;
  /** When `data` came, in milliseconds since 1970. */
  updatedAt: number;
  /** `data` belongs to the request before this one. */
  isPlaceholderData: boolean;
  isFetching: boolean;
  /** Asks again now, whatever is under way. */
  refetch: () => Promise<QueryObserverResult<Answer<T>, ApiFailure>>;
}

/** How long what was asked for before may stand in for what is asked for now. */
const standsInMs = 1000;

/**
 * The answer to a call that reads. What stands in for it (`placeholderData`) does so for a moment while it is on its
 * way: never beside a failure, nor when the server takes its time.
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
    // Who does not look at it is not drawn again each time that something is asked for.
    get isFetching() {
      return query.isFetching;
    },
    refetch: async () => {
      // One that waits for its next attempt would go on waiting.
      await queries.cancelQueries({ queryKey: options.queryKey, exact: true });
      return await refetch();
    },
  };
};

/** Whether something has been standing in for this for longer than it may. */
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
