import type { Sql } from '../../platform/db/index.ts';
import { addUsageHandovers } from './handover.queries.ts';
import { untilWritten } from './histories/histories.service.ts';

/**
 * Records the usage so far in the current hour and day of SIMs that were just transferred, when all of it is there. Their live
 * state is locked.
 */
export const recordUsageHandover = async (
  tx: Sql,
  transfer: { simIds: readonly number[]; at: Date },
): Promise<void> => {
  await untilWritten(tx, transfer.simIds);
  await addUsageHandovers(tx, transfer);
};
