import { limits } from '@simcube/contract';
import { afterEach, expect, it, vi } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { handlerOf } from '../../../platform/jobs/index.ts';
import { makeBill } from '../../../testing/bills.ts';
import { testDatabase } from '../../../testing/database.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';
import { billNumber } from '../bill.rules.ts';
import { checkInBackground, checkJob, createCheckRequests } from './request-check.service.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
let database: Database;
afterEach(() => database.close());

const setUp = async (max: number, count: number) => {
  database = await testDatabase({ max });
  const { pool } = database;
  const operator = await insertTestOrganisation(pool);
  const { id: orgId } = await insertTestOrganisation(pool, { parentId: operator.id });
  const bills = [];
  for (let serial = 1; serial <= count; serial += 1) {
    const month = `2026-0${serial}`;
    const id = await makeBill(pool, { orgId, serial, month });
    bills.push({ id, number: billNumber({ month, serial }), status: 'published' as const });
  }
  return { bills, requestCheck: createCheckRequests({ pool, clock }) };
};

// Otherwise as many checks as the pool has connections would wait for each other, and the idle transaction of a long
// one would be ended by the database.
it('a bill is computed again on one connection, with no other, idle transaction open around it', async () => {
  const { bills, requestCheck } = await setUp(1, 1);
  const [bill] = bills;
  if (!bill) throw new Error('No bill was made');
  expect(await requestCheck(bill)).toMatchObject({ check: { lines: 3 }, checking: null });
  // Nothing excludes the next check.
  expect(await requestCheck(bill)).toMatchObject({ check: { lines: 3 }, checking: null });
});

it('a few bills are computed again at once; the next one is computed in the background', async () => {
  const few = limits.bills.concurrentChecks;
  const { bills, requestCheck } = await setUp(few + 3, few + 1);
  const { pool } = database;
  const lock = await pool.connect();
  await lock.query('begin; lock table organisations in access exclusive mode');
  const runs = async () => (await pool.query('select 1 from bill_check_runs')).rowCount;
  const first = bills.slice(0, few).map((bill) => requestCheck(bill));
  await vi.waitFor(async () => expect(await runs()).toBe(few), 10_000);
  const [last] = bills.slice(few);
  if (!last || !bills[0]) throw new Error('Too few bills were made');
  expect(await requestCheck(last)).toEqual({
    check: null,
    checking: { started_at: clock.now().toISOString(), sims: 0, sims_done: 0 },
  });
  // Each bill is computed by one at a time.
  await expect(requestCheck(bills[0])).rejects.toMatchObject({ code: 'CB-06-0002' });
  await lock.query('rollback');
  lock.release();
  for (const { check } of await Promise.all(first)) expect(check).toMatchObject({ lines: 3 });
  await runJobs(database, [handlerOf(checkJob, (bill) => checkInBackground({ pool, clock }, bill))]);
  const { rows } = await pool.query('select bill_id from bill_checks order by bill_id');
  expect(rows.map(({ bill_id }) => bill_id)).toEqual(bills.map(({ id }) => id));
  expect(await runs()).toBe(0);
});

it('a result belongs to the version that was requested: one replaced before the computation has none', async () => {
  const { bills, requestCheck } = await setUp(2, 1);
  const { pool } = database;
  const [bill] = bills;
  if (!bill) throw new Error('No bill was made');
  const { rows } = await pool.query<{ org_id: number }>(
    "update bills set status = 'obsolete' where id = $1 returning org_id",
    [bill.id],
  );
  await makeBill(pool, { orgId: rows[0]?.org_id as number, serial: 1, month: '2026-01', version: 2 });
  await expect(requestCheck(bill)).rejects.toMatchObject({ code: 'CB-06-0003' });
  await checkInBackground({ pool, clock }, { billId: bill.id, number: bill.number });
  expect((await pool.query('select bill_id from bill_checks')).rows).toEqual([]);
});
