import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../../platform/db/index.ts';
import { haveUnwritten } from './histories.queries.ts';

const pauseMs = 20;
const waitMost = 10_000;

/**
 * Resolves when nodes have been given all that was counted of these SIMs, for those who go by their records and sums. Their live
 * state is locked, and nothing of theirs was written on a node in this transaction: what waits would wait for it.
 * @throws when a node is away for too long
 */
export const untilWritten = async (tx: Sql, simIds: readonly number[]): Promise<void> => {
  for (let waited = 0; await haveUnwritten(tx, simIds); waited += pauseMs) {
    if (waited >= waitMost)
      throw new Error('A node of the cluster was not given what was counted of its SIMs');
    await sleep(pauseMs);
  }
};
