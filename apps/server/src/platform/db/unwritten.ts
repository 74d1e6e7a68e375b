import { setTimeout as sleep } from 'node:timers/promises';
import { int8Column } from './columns.ts';
import type { Sql } from './pool.ts';
import { HistoriesUnwritten } from './trouble.ts';

const pauseMs = 20;
const maxWaitMs = 10_000;

/**
 * On a cluster, a batch is committed on the coordinator before its records are on their nodes (decision 19). Resolves when
 * everything counted for these SIMs has been written to nodes, for work that relies on their records and sums. The caller has
 * locked their live state, so nothing is added, and written nothing of theirs on a node in this transaction, which pending writes
 * would wait for.
 * @throws if a node is unavailable for too long
 */
export const waitUntilWritten = (tx: Sql, simIds: readonly number[]): Promise<void> =>
  waitWhileUnwritten(() => haveUnwritten(tx, simIds));

export const waitWhileUnwritten = async (isUnwritten: () => Promise<boolean>): Promise<void> => {
  for (let waited = 0; await isUnwritten(); waited += pauseMs) {
    if (waited >= maxWaitMs) throw new HistoriesUnwritten();
    await sleep(pauseMs);
  }
};

/** Whether anything of these SIMs must still be written to nodes. */
export const haveUnwritten = async (sql: Sql, simIds: readonly number[]): Promise<boolean> => {
  const { rows } = await sql.query<{ found: boolean }>(
    `select exists (
       select from unwritten_histories u cross join unnest(u.sim_ids) as given (sim_id)
       join unnest($1::bigint[]) as asked (sim_id) on asked.sim_id = given.sim_id) as found`,
    [int8Column(simIds, (simId) => simId)],
  );
  return rows[0]?.found === true;
};
