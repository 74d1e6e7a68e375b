import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { addUnwritten, holdCounting, removeUnwritten } from './histories.queries.ts';
import { pauseCounting } from './histories.service.ts';

let database: Database;

beforeAll(async () => {
  database = await testDatabase({ max: 4 });
});
afterAll(() => database.close());

describe('work that pauses counting on a cluster', () => {
  it('begins when everything counted is written, and is not overtaken by later batches', async () => {
    const { pool } = database;
    const { rows } = await pool.query<{ id: number }>(addUnwritten([1], { parts: [], followUps: [] }));
    const steps: string[] = [];
    let signalLocked = (): void => undefined;
    const locked = new Promise<void>((resolve) => {
      signalLocked = resolve;
    });
    const paused = inTransaction(pool, async (tx) => {
      // The first statement after the lock has been taken looks for what is unwritten.
      const query: typeof tx.query = ((...values: Parameters<typeof tx.query>) => {
        if (String(values[0]).includes('unwritten_histories')) signalLocked();
        return tx.query(...values);
      }) as typeof tx.query;
      await pauseCounting({ query });
      steps.push('compared');
    });
    await locked;
    const batch = inTransaction(pool, async (tx) => {
      await tx.query(holdCounting);
      steps.push('counted');
    });
    // Finishing a batch that was counted before needs no lock.
    await pool.query(removeUnwritten(rows[0]?.id ?? 0));
    steps.push('written');
    await Promise.all([paused, batch]);
    expect(steps).toEqual(['written', 'compared', 'counted']);
  });

  it('begins when batches that are being counted are committed', async () => {
    const { pool } = database;
    const steps: string[] = [];
    let paused: Promise<void> = Promise.resolve();
    await inTransaction(pool, async (tx) => {
      await tx.query(holdCounting);
      paused = inTransaction(pool, async (other) => {
        await pauseCounting(other);
        steps.push('compared');
      });
      const isWaiting = async () =>
        (
          await tx.query(
            `select from pg_locks where locktype = 'advisory' and not granted
               and database = (select oid from pg_database where datname = current_database())`,
          )
        ).rowCount === 1;
      await expect.poll(isWaiting).toBe(true);
      steps.push('counted');
    });
    await paused;
    expect(steps).toEqual(['counted', 'compared']);
  });
});
