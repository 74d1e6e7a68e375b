import type { Sql } from '../../platform/db/index.ts';
import { addUsageHandovers, findHandedOver, takeLateOff } from './handover.queries.ts';
import { untilWritten } from './histories/histories.service.ts';
import type { UsageSums } from './usage-sums.ts';

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

/** What is counted of SIMs, by hour, is no former owner's, however late it is. Their live state is locked. */
export const countLateUsage = async (
  tx: Sql,
  { hours, simIds }: { hours: UsageSums; simIds: readonly number[] },
): Promise<void> => {
  const handedOver = await findHandedOver(tx, simIds);
  if (handedOver.size === 0) return;
  const places = hours.inOrder().filter((place) => handedOver.has(hours.owner[place] as number));
  for (const statement of takeLateOff(hours, places)) await tx.query(statement);
};
