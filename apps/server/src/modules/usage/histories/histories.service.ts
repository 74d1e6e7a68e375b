import { type Sql, waitWhileUnwritten } from '../../../platform/db/index.ts';
import { isAnyUnwritten, lockCounting } from './histories.queries.ts';

/**
 * For work on a cluster that compares records with sums: resolves when everything counted has been written; nothing is
 * counted until the transaction ends.
 * @throws if counting or a node takes too long; intake must not wait for longer
 */
export const pauseCounting = async (tx: Sql): Promise<void> => {
  await lockCounting(tx);
  await waitWhileUnwritten(() => isAnyUnwritten(tx));
};
