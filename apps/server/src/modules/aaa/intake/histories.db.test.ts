import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { addUnwritten, countUnwritten } from '../../usage/index.ts';
import { NodeHistories } from './histories.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase({ max: 4 });
});
afterAll(() => database.close());

/** Leaves a batch as of a process that ended a minute ago. */
const addUnwrittenHistory = async (text: string): Promise<void> => {
  const statements = [{ name: text, text, values: [] }];
  const parts = [{ node: 1, simId: 1, statements }];
  await database.pool.query(addUnwritten([1], { parts, followUps: [] }));
  await database.pool.query(`update unwritten_histories set recorded_at = now() - interval '1 minute'`);
};

describe('histories left by an ended process', () => {
  it('are written, however many earlier ones can’t be', async () => {
    for (let n = 0; n < 101; n += 1) await addUnwrittenHistory('select 1 / 0');
    await addUnwrittenHistory('create table given ()');
    const histories = new NodeHistories({
      pool: database.pool,
      url: database.url,
      clock: new FixedClock('2026-11-21T12:00:00Z'),
      log: createLog({ level: 'silent', format: 'json' }),
      // A single server has everything.
      shards: () => ({ nodes: [1], shardOf: () => 0, nodeOf: () => 1, addressOf: () => undefined }),
      makePartitions: async () => undefined,
    });
    await expect.poll(() => countUnwritten(database.pool, 0), { timeout: 20_000 }).toBe(101);
    await histories.stop();
    expect((await database.pool.query(`select to_regclass('given') as given`)).rows).toEqual([
      { given: 'given' },
    ]);
  });
});
