import type { ApiFailure } from '../../lib/api-client/index.ts';
import type { ApiQuery } from './use-api-query.ts';

/** The error to show if calls that are needed together have no data; retries those that failed. */
export const combinedFailure = (
  queries: readonly Pick<ApiQuery<unknown>, 'data' | 'error' | 'refetch'>[],
): { error: ApiFailure | null; retry: () => void } => {
  const failed = queries.filter(({ data, error }) => error && !data);
  return {
    error: failed[0]?.error ?? null,
    retry: () => {
      for (const { refetch } of failed) void refetch();
    },
  };
};
