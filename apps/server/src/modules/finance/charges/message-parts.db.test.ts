import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, ensurePartitions } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';
import { listDailyParts } from '../estimate/outlook.views.ts';
import { listMessageParts } from './cycles.views.ts';

const month = {
  month: '2026-11',
  from: new Date('2026-10-31T16:00:00Z'),
  until: new Date('2026-11-30T16:00:00Z'),
};
const simId = 1;

let database: Database;
let orgId: number;

beforeAll(async () => {
  database = await testDatabase();
  await ensurePartitions(database.pool, month.from, month.until);
  ({ id: orgId } = await insertTestOrganisation(database.pool));
  await database.pool.query(
    `insert into sms_messages (sim_id, org_id, at, content, mobile_originated, status, msisdn, encoding, parts, missing_parts)
     select $1, $2, '2026-11-10T04:00:00Z', '[…]rest', true, 5, '491500000000', 0, parts, missing
     from (values (2, 0), (255, 254)) as m (parts, missing)`,
    [simId, orgId],
  );
});
afterAll(() => database.close());

it('missing parts of messages from SIMs are charged neither in a bill nor in an estimate', async () => {
  const billed = await listMessageParts(database.pool, { simIds: [simId], orgId, month });
  expect(billed).toMatchObject([{ day: '2026-11-10', mt: 0, mo: 3 }]);
  const now = new Date('2026-11-12T04:00:00Z');
  const { 'sms-mo': daily } = await listDailyParts(database.pool, { orgId, now });
  expect(daily.reduce((sum, parts) => sum + parts, 0)).toBe(3);
});
