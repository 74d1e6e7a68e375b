import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import {
  addUnwritten,
  clearStaleWrittenMarks,
  countUnwritten,
  type StoredUnwritten,
} from '../../usage/index.ts';
import { NodeHistories } from './histories.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase({ max: 4 });
});
afterAll(() => database.close());

const clock = new FixedClock('2026-11-21T12:00:00Z');
const startHistories = () =>
  new NodeHistories({
    pool: database.pool,
    url: database.url,
    clock,
    log: createLog({ level: 'silent', format: 'json' }),
    // A single server has everything.
    shards: () => ({ nodes: [1], shardOf: () => 0, nodeOf: () => 1, addressOf: () => undefined }),
    makePartitions: async () => undefined,
  });

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
    const histories = startHistories();
    await expect.poll(() => countUnwritten(database.pool, 0), { timeout: 20_000 }).toBe(101);
    await histories.stop();
    expect((await database.pool.query(`select to_regclass('given') as given`)).rows).toEqual([
      { given: 'given' },
    ]);
  });
});

describe('a history that two processes write', () => {
  const historyOf = async (text: string): Promise<StoredUnwritten> => {
    const statements = [{ name: text, text, values: [] }];
    const unwritten = { parts: [{ node: 1, simId: 1, statements }], followUps: [] };
    const { rows } = await database.pool.query<{ id: number }>(addUnwritten([1], unwritten));
    return { id: rows[0]?.id ?? 0, ...unwritten };
  };
  const marks = async () =>
    (await database.pool.query('select history_id as id from written_histories order by 1')).rows.map(
      ({ id }) => id,
    );

  beforeAll(async () => {
    await database.pool.query('truncate unwritten_histories');
    await database.pool.query('create table counted (n integer)');
  });

  it('is written once, even if one of them only begins when the other has gone on', async () => {
    const [first, second] = [startHistories(), startHistories()];
    const history = await historyOf('insert into counted values (1)');
    await first.write(history);
    await first.write(await historyOf('insert into counted values (2)'));
    await second.write(history, { isOrphaned: true });
    expect((await database.pool.query('select n from counted order by n')).rows).toEqual([
      { n: 1 },
      { n: 2 },
    ]);
    // A process that had checked just before is stopped by the note, which is kept for a while.
    await second.write(history);
    expect((await database.pool.query('select n from counted order by n')).rows).toEqual([
      { n: 1 },
      { n: 2 },
    ]);
    await Promise.all([first.stop(), second.stop()]);
  });

  it('leaves notes that are removed later', async () => {
    const histories = startHistories();
    const old = await historyOf('insert into counted values (3)');
    await histories.write(old);
    clock.set('2026-11-21T12:11:00Z');
    const recent = await historyOf('insert into counted values (4)');
    await histories.write(recent);
    expect(await marks()).not.toContain(old.id);
    expect(await marks()).toContain(recent.id);
    await database.pool.query(
      `update written_histories set written_at = now() - interval '11 minutes' where history_id < $1`,
      [recent.id],
    );
    await clearStaleWrittenMarks(database.pool, 600);
    expect(await marks()).toEqual([recent.id]);
    await histories.stop();
  });
});
