import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { networkJobs } from './networks.jobs.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const run = async (): Promise<void> => {
  const log = createLog({ level: 'silent', format: 'json' });
  for (const { handle } of networkJobs({ pool: database.pool }))
    await handle({}, { signal: new AbortController().signal, log, attempt: 1 });
};

it('networks are updated to the list, and unchanged the second time', async () => {
  await run();
  const networks = async () =>
    (await database.pool.query('select xmin::text, * from networks order by plmn')).rows;
  const before = await networks();
  expect(before.length).toBeGreaterThan(1000);
  await run();
  expect(await networks()).toEqual(before);
});
