import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../../platform/db/index.ts';
import { haveUnwritten } from './histories.queries.ts';

const pauseMs = 20;
const maxWaitMs = 10_000;

/**
 * Resolves when everything counted for these SIMs has been written to nodes, for work that relies on their records
 * and sums. The caller has locked their live state and written nothing of theirs on a node in this transaction, which
 * pending writes would wait for.
 * @throws if a node is unavailable for too long
 */
export const waitUntilWritten = async (tx: Sql, simIds: readonly number[]): Promise<void> => {
  for (let waited = 0; await haveUnwritten(tx, simIds); waited += pauseMs) {
    if (waited >= maxWaitMs)
      throw new Error('Histories of a batch have not been written to a node of the cluster');
    await sleep(pauseMs);
  }
};
