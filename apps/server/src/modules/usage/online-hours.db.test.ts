import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { fileOf, makeUsageSims, sourceOf } from '../../testing/usage-records.ts';
import { addToPools } from '../pool/index.ts';
import { lockLive, moveSims } from '../sim/transfer/transfer.queries.ts';
import { countOnlineHours, importCdrs, recordUsageHandover } from './index.ts';

const clock = new FixedClock('2026-11-21T10:30:00Z');
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('a SIM was online for an organisation in hours in which it had usage there, not before its transfer', async () => {
  const { pool } = database;
  const [sim, , { orgId: to }] = await makeUsageSims(pool);
  const usage = (id: string, endedAt: string) => ({
    sim,
    id,
    up: 1,
    down: 2,
    mnc: 1,
    radio: 3,
    endedAt: Date.parse(endedAt),
  });
  const importRecords = (records: ReturnType<typeof usage>[]) =>
    importCdrs({ countForPools: addToPools, pool, clock, source: sourceOf(fileOf(records)) });
  await importRecords([usage('a', '2026-11-21T09:10:00Z'), usage('b', '2026-11-21T10:10:00Z')]);
  const transfer = { simIds: [sim.id], at: clock.now() };
  await inTransaction(pool, async (tx) => {
    await lockLive(tx, transfer.simIds);
    await moveSims(tx, { ...transfer, from: sim.orgId, to }, []);
    await recordUsageHandover(tx, transfer);
  });
  const onlineFor = (orgId: number) =>
    countOnlineHours(pool, {
      orgId,
      simIds: [sim.id],
      from: new Date('2026-11-21T00:00:00Z'),
      to: new Date('2026-11-22T00:00:00Z'),
    });
  const hour = (n: number) => ({ at: new Date(Date.UTC(2026, 10, 21, n)), sims: 1 });
  expect(await onlineFor(sim.orgId)).toEqual([hour(9), hour(10)]);
  expect(await onlineFor(to)).toEqual([]);
  clock.set('2026-11-21T11:30:00Z');
  await importRecords([usage('c', '2026-11-21T10:40:00Z')]);
  expect(await onlineFor(to)).toEqual([hour(10)]);
});
