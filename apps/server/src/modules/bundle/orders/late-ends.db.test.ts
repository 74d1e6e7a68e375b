import { minuteMs } from '@simcube/contract/time';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { duringBatch } from '../../../testing/batch-in-progress.ts';
import { bundleOf, testBundles } from '../../../testing/bundles.ts';
import { importRecords } from '../../../testing/cdrs.ts';
import { testDatabase } from '../../../testing/database.ts';
import { endBasicOrders } from './orders.service.ts';

const start = new Date('2026-11-01T00:00:00Z');
const at = (minutes: number) => new Date(start.getTime() + minutes * minuteMs);
const clock = new FixedClock(at(20));
let database: Database;
let org: Awaited<ReturnType<typeof testBundles>>;

beforeAll(async () => {
  database = await testDatabase({ max: 4 });
  org = await testBundles(database, [bundleOf({ code: 'BASE' })]);
});
afterAll(() => database.close());

it('an order that ended in the past leaves the usage since then to what follows, also that of a batch in progress', async () => {
  const { pool } = database;
  const sim = await org.sim('active');
  await org.order([sim], 'BASE', start);
  const use = (minutes: number, bytes: number) =>
    importRecords({ database, clock }, [
      { iccid: sim.iccid, ended_at: at(minutes).toISOString(), up_bytes: bytes, down_bytes: 0 },
    ]);
  await use(5, 60);
  await use(15, 40);
  await duringBatch(pool, { simId: sim.id, since: at(15) }, (tx) =>
    endBasicOrders(tx, {
      ends: [{ simId: sim.id, at: at(10) }],
      now: at(20),
      cause: { reason: 'order-ended' },
    }),
  );
  const { rows } = await pool.query('select used_bytes from usage_cycles where sim_id = $1', [sim.id]);
  expect(rows).toEqual([{ used_bytes: 60 }]);
});
