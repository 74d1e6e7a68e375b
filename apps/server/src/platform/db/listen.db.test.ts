import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { createLog } from '../log/index.ts';
import { createListener, type Database } from './index.ts';

const log = createLog({ level: 'silent', format: 'json' });
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('a second listener of a channel misses nothing after it was added', async () => {
  // Its connection exists already.
  await database.pool.query('select 1');
  const listener = createListener(database.url, log);
  const payloads: string[] = [];
  const first = listener.on('bell', () => undefined);
  await listener.on('bell', (payload) => payloads.push(payload));
  await database.pool.query(`notify bell, 'rung'`);
  await expect.poll(() => payloads).toEqual(['rung']);
  await first;
  await listener.close();
});

test('a listener that is closed while it connects leaves no connection', async () => {
  const listener = createListener(database.url, log, ['closed']);
  const listening = listener.on('bell', () => undefined);
  await listener.close();
  await listening;
  await expect
    .poll(
      async () =>
        (
          await database.pool.query(
            `select from pg_stat_activity where datname = current_database() and application_name = 'simcube listen closed'`,
          )
        ).rowCount,
    )
    .toBe(0);
});
