import { type Sql, waitUntilWritten } from '../../platform/db/index.ts';
import { addUsageHandovers, findTransferredSims, subtractLateUsage } from './handover.queries.ts';
import type { UsageSums } from './usage-sums.ts';

/**
 * Records the usage so far in the current hour and day of SIMs that were just transferred, once all of it has been
 * written. The caller has locked their live state.
 */
export const recordUsageHandover = async (
  tx: Sql,
  transfer: { simIds: readonly number[]; at: Date },
): Promise<void> => {
  await waitUntilWritten(tx, transfer.simIds);
  await addUsageHandovers(tx, transfer);
};

/** Late usage of SIMs, by hour, is not counted for any former owner. The caller has locked their live state. */
export const deductLateUsage = async (
  tx: Sql,
  { hours, simIds }: { hours: UsageSums; simIds: readonly number[] },
): Promise<void> => {
  const transferred = await findTransferredSims(tx, simIds);
  if (transferred.size === 0) return;
  const positions = hours
    .sortedPositions()
    .filter((position) => transferred.has(hours.owner[position] as number));
  for (const statement of subtractLateUsage(hours, positions)) await tx.query(statement);
};
