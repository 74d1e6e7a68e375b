import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createListener, type Database, type Listener } from '../../platform/db/index.ts';
import { readEnv } from '../../platform/env/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { databaseChecks, durabilityOf } from './database.checks.ts';
import { readDatabaseFacts } from './doctor.views.ts';

let database: Database;
const listeners: Listener[] = [];

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  for (const listener of listeners) await listener.close();
  await database.close();
});

const findingOf = (check: string, settings: NodeJS.ProcessEnv = {}) =>
  databaseChecks
    .find(({ name }) => name === check)
    ?.run({
      env: readEnv({ SIMCUBE_ENV_FILE: '', ...settings }),
      pool: database.pool,
      clock: { now: () => new Date() },
      consumers: [],
      readDisk: async () => ({ free: 1, total: 1 }),
    });

describe('the doctor, about settings of PostgreSQL,', () => {
  it('warns of processes whose pools may need more connections than there are', async () => {
    const log = createLog({ level: 'silent', format: 'json' });
    const { maxConnections } = await readDatabaseFacts(database.pool);
    const pool = Math.ceil(maxConnections / 2) - 4;
    const settings = { SIMCUBE_DB_POOL: String(pool) };
    for (const _ of ['web', 'worker', 'aaa']) {
      const listener = createListener(database.url, log);
      listeners.push(listener);
      await listener.on('x', () => undefined);
      if (listeners.length === 1)
        expect(await findingOf('database connections', settings)).toMatchObject({ state: 'ok' });
    }
    expect(await findingOf('database connections', settings)).toEqual({
      state: 'warn',
      said: `3 processes may open ${3 * (pool + 4)} connections, of ${maxConnections}`,
      mend: `Raise max_connections, or lower SIMCUBE_DB_POOL (${pool} for each process)`,
    });
  });

  it('reads the settings of durability from the server', async () => {
    const { rows } = await database.pool.query('show fsync');
    const { fsync, synchronousCommit } = await readDatabaseFacts(database.pool);
    expect(fsync).toBe(rows[0].fsync === 'on');
    expect(await findingOf('durability')).toMatchObject({
      state: fsync && synchronousCommit ? 'ok' : 'warn',
    });
  });

  it.each([
    [{}, 'ok', 'What is committed is on disk'],
    [{ fsync: false, fullPageWrites: false }, 'warn', 'With fsync and full_page_writes off, a crash'],
    [{ fullPageWrites: false, synchronousCommit: false }, 'warn', 'With full_page_writes off, a crash'],
    [{ synchronousCommit: false }, 'warn', 'With synchronous_commit off, a crash of the database loses'],
  ])('judges %o as %s', (settings, state, said) => {
    const finding = durabilityOf({ fsync: true, fullPageWrites: true, synchronousCommit: true, ...settings });
    expect(finding).toMatchObject({ state, said: expect.stringContaining(said) });
  });
});
