import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../../platform/db/index.ts';
import { haveUnwritten } from './histories.queries.ts';

const pauseMs = 20;
const waitMost = 10_000;

/**
 * Resolves when nodes have been given all that was counted of these SIMs, for work that relies on their records and sums. The caller
 * has locked their live state and written nothing of them on a node in this transaction: what is on its way would wait for that.
 * @throws when a node is away for too long
 */
export const untilWritten = async (tx: Sql, simIds: readonly number[]): Promise<void> => {
  for (let waited = 0; await haveUnwritten(tx, simIds); waited += pauseMs) {
    if (waited >= waitMost)
      throw new Error('A node of the cluster was not given what was counted of its SIMs');
    await sleep(pauseMs);
  }
};
