import { retentionMonths } from '../../usage/index.ts';
import type { RunningOptions } from './begin.service.ts';
import { deleteRuns } from './runs.queries.ts';

/** Deletes runs whose messages were dropped with their months, so that outcomes can no longer be counted. */
export const dropOldRuns = async ({ pool, clock }: RunningOptions): Promise<void> => {
  const now = clock.now();
  const month = now.getUTCMonth() - retentionMonths.sms_messages;
  await deleteRuns(pool, new Date(Date.UTC(now.getUTCFullYear(), month, 1)));
};
