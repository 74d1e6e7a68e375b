import { fail } from '../../../platform/http/index.ts';
import { HasherBusy } from './passwords.hasher.ts';

/** The queue for hashes is worked off in less. */
const busySeconds = 10;

/**
 * Waits for a hash; when too many are waiting already, the caller is asked to come back.
 * @param undo takes back what was counted for the attempt, which was none then
 * @throws Failure CB-99-0503
 */
export const unlessBusy = async <T>(work: Promise<T>, undo?: () => Promise<void>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof HasherBusy)) throw error;
    await undo?.();
    return fail('CB-99-0503', { retryAfterSeconds: busySeconds });
  }
};
