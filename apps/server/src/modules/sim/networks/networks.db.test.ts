import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { syncNetworks } from './networks.queries.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('networks are updated to the list, and unchanged the second time', async () => {
  await syncNetworks(database.pool);
  const networks = async () =>
    (await database.pool.query('select xmin::text, * from networks order by plmn')).rows;
  const before = await networks();
  expect(before.length).toBeGreaterThan(1000);
  await syncNetworks(database.pool);
  expect(await networks()).toEqual(before);
});
