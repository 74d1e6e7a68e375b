import { fail } from '../../../platform/http/index.ts';
import { HasherBusy } from './passwords.hasher.ts';

/** The queue of hashes takes less time than this. */
const busySeconds = 10;

/**
 * Awaits a hash; if too many are waiting, the caller is asked to try again.
 * @param onBusy uncounts the attempt, which then was not one
 * @throws Failure CB-99-0503
 */
export const unlessBusy = async <T>(work: Promise<T>, onBusy?: () => Promise<void>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof HasherBusy)) throw error;
    await onBusy?.();
    return fail('CB-99-0503', { retryAfterSeconds: busySeconds });
  }
};
