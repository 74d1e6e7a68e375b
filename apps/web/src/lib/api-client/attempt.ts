import { ApiFailure } from './api-failure.ts';
import { reportError } from './report.ts';

/**
 * Runs what a person started, without ever rejecting.
 * @param onFailure shows the failure of a call that was sent with `announce: false`; by default failed calls are ignored, as the
 * API client has already shown the reason. Any other error is a bug of ours, and is reported.
 * @returns whether it succeeded
 */
export const attempt = async (
  work: () => Promise<unknown>,
  onFailure?: (failure: ApiFailure) => void,
): Promise<boolean> => {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof ApiFailure) onFailure?.(error);
    else reportError(error, 'action');
    return false;
  }
};
