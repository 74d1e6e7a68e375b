import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ApiFailure, persistent } from '../../lib/api-client/index.ts';

interface Question<T> {
  key: QueryKey;
  /** Must change nothing: it is asked again until there is an answer. */
  ask: (signal: AbortSignal) => Promise<T>;
  /** False while there is nothing to ask. */
  enabled?: boolean;
}

interface AnsweredNow<T> {
  data: T | undefined;
  /** Why the last attempt failed; a temporary failure is being retried meanwhile. */
  error: ApiFailure | null;
  refetch: () => Promise<unknown>;
}

/** What an order would do, as of now: never from a cache, and asked again for as long as its dialog waits for an answer. */
export const useAnswerNow = <T>({ key, ask, enabled = true }: Question<T>): AnsweredNow<T> => {
  const queries = useQueryClient();
  const { data, error, failureReason, refetch } = useQuery<T, ApiFailure>({
    queryKey: key,
    queryFn: ({ signal }) => ask(signal),
    enabled,
    ...persistent,
    staleTime: 0,
    gcTime: 0,
  });
  return {
    data,
    error: error ?? failureReason,
    refetch: async () => {
      // One that waits for its next attempt would go on waiting.
      await queries.cancelQueries({ queryKey: key, exact: true });
      return await refetch();
    },
  };
};
