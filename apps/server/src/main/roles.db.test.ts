import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../platform/db/index.ts';
import { readEnv } from '../platform/env/index.ts';
import { createLog } from '../platform/log/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { testDatabase } from '../testing/database.ts';
import { openContext } from './context.ts';
import { createReadiness } from './readiness.ts';
import { prepareRoles } from './roles.ts';

let database: Database;
let dataDir: string;

beforeAll(async () => {
  database = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'simcube-roles-'));
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

test('what has started before a part that can’t start is stopped', async () => {
  const env = readEnv({
    SIMCUBE_ENV_FILE: '',
    SIMCUBE_DEMO: '0',
    SIMCUBE_ROLES: 'worker',
    SIMCUBE_DATA_DIR: dataDir,
    SIMCUBE_SECRET_KEY: '07'.repeat(32),
    DATABASE_URL: database.url,
  });
  const log = createLog({ level: 'silent', format: 'json' });
  const { signal } = new AbortController();
  const context = await openContext({ env, log, metrics: createMetrics(), opener: 'server', signal });
  const { listener } = context;
  const failing: typeof listener = {
    ...listener,
    on: async (channel, onNotify) => {
      // The worker of the jobs has started, and holds its lock on a connection.
      if (channel === 'deliveries') throw new Error('the connection was lost');
      await listener.on(channel, onNotify);
    },
  };
  const undo = [context.close];
  const roles = await prepareRoles({ ...context, listener: failing }, { readiness: createReadiness(), undo });
  await expect(roles.start()).rejects.toThrow('the connection was lost');
  // Waits for connections that are in use.
  for (const step of undo.reverse()) await step();
  const { rows } = await database.pool.query(
    `select from pg_stat_activity where datname = current_database() and application_name like 'simcube%' and pid <> pg_backend_pid()
       and application_name <> 'simcube test'`,
  );
  expect(rows).toEqual([]);
});
