import type { ApiFailure } from '../../lib/api-client/index.ts';
import type { Asked } from './use-answer.ts';

/** The error to show if calls that are needed together have no data; retries those that failed. */
export const failureOf = (
  asked: readonly Pick<Asked<unknown>, 'data' | 'error' | 'refetch'>[],
): { error: ApiFailure | null; readAgain: () => void } => {
  const failed = asked.filter(({ data, error }) => error && !data);
  return {
    error: failed[0]?.error ?? null,
    readAgain: () => {
      for (const { refetch } of failed) void refetch();
    },
  };
};
