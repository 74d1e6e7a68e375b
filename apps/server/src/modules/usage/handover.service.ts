import type { Sql } from '../../platform/db/index.ts';
import { addUsageHandovers, findHandedOver, takeLateOff } from './handover.queries.ts';
import { untilWritten } from './histories/histories.service.ts';
import type { UsageSums } from './usage-sums.ts';

/**
 * Records the usage so far in the current hour and day of SIMs that were just transferred, once all of it has been
 * written. The caller has locked their live state.
 */
export const recordUsageHandover = async (
  tx: Sql,
  transfer: { simIds: readonly number[]; at: Date },
): Promise<void> => {
  await untilWritten(tx, transfer.simIds);
  await addUsageHandovers(tx, transfer);
};

/** Late usage of SIMs, by hour, is not counted for any former owner. The caller has locked their live state. */
export const countLateUsage = async (
  tx: Sql,
  { hours, simIds }: { hours: UsageSums; simIds: readonly number[] },
): Promise<void> => {
  const handedOver = await findHandedOver(tx, simIds);
  if (handedOver.size === 0) return;
  const places = hours.inOrder().filter((place) => handedOver.has(hours.owner[place] as number));
  for (const statement of takeLateOff(hours, places)) await tx.query(statement);
};
