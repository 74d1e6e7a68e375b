import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ApiFailure, retryTemporaryFailures } from '../../lib/api-client/index.ts';

interface FreshQueryOptions<T> {
  key: QueryKey;
  /** Must not change anything: it is repeated until there is a response. */
  request: (signal: AbortSignal) => Promise<T>;
  /** False while there is nothing to request. */
  enabled?: boolean;
}

interface FreshQuery<T> {
  data: T | undefined;
  /** Error of the last attempt; a temporary failure is already being retried. */
  error: ApiFailure | null;
  refetch: () => Promise<{ isSuccess: boolean }>;
}

/** The preview of an operation as of now: never from the cache, and retried while its dialog waits for it. */
export const useFreshQuery = <T>({ key, request, enabled = true }: FreshQueryOptions<T>): FreshQuery<T> => {
  const queries = useQueryClient();
  const { data, error, failureReason, refetch } = useQuery<T, ApiFailure>({
    queryKey: key,
    queryFn: ({ signal }) => request(signal),
    enabled,
    ...retryTemporaryFailures,
    staleTime: 0,
    gcTime: 0,
  });
  return {
    data,
    error: error ?? failureReason,
    refetch: async () => {
      // Otherwise a query that is waiting for its next attempt would keep waiting.
      await queries.cancelQueries({ queryKey: key, exact: true });
      return await refetch();
    },
  };
};
