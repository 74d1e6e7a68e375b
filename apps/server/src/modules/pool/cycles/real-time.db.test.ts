import type { Pool } from '@simcube/contract/pool';
import { dayMs, hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makePool, orderShared } from '../../../testing/pools.ts';
import { radiusInventory } from '../../../testing/radius.ts';
import { connectionNumbers } from '../../sim/index.ts';
import { addToPools } from '../index.ts';
import { readRealTime } from './figures.views.ts';

const month = Date.UTC(2026, 9, 31, 16);
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** A pool with one member, which is online, and its usage at these times. */
const poolWith = async (
  createdAt: number,
  usage: readonly { at: number; up: number }[],
  policy: Pool['policy'] = 'no limit',
) => {
  const { pool } = database;
  const { orgId, ids, iccid } = await radiusInventory(database, 1);
  const shared = await makePool(pool, orgId, { now: new Date(createdAt), quotaBytes: 1_000_000, policy });
  await orderShared(pool, shared, [iccid(0)], new Date(createdAt));
  await shared.enrol(ids, new Date(createdAt));
  const records = usage.map((one) => ({ ...one, simId: ids[0] ?? 0, down: 0 }));
  await inTransaction(pool, (tx) => addToPools(tx, records));
  await pool.query('update sim_live set connection = $2 where sim_id = any($1)', [
    ...[ids, connectionNumbers.online],
  ]);
  return (at: number) => readRealTime(pool, { id: shared.id, policy }, new Date(at));
};

it('a forecast begins with the first whole day of the pool, not with the days before it existed', async () => {
  const createdAt = month + 14 * dayMs + 20 * hourMs;
  const usage = [15, 16, 17].map((day) => ({ at: month + day * dayMs + hourMs, up: 600 }));
  const read = await poolWith(createdAt, [{ at: createdAt + hourMs, up: 50 }, ...usage]);
  expect(await read(createdAt + 2 * hourMs)).toMatchObject({ forecast: null });
  expect(await read(month + 18 * dayMs + hourMs)).toMatchObject({
    used_bytes: 1850,
    forecast: { per_day_bytes: 600 },
  });
});

it('a forecast continues the last four weeks, or the cycle of a pool that may have been stopped before', async () => {
  // From the 11th of the month before, and on the first day of this one.
  const usage = [-20, -10, 0].map((day) => ({ at: month + day * dayMs + hourMs, up: 600 }));
  const after = month + 3 * dayMs + hourMs;
  for (const [policy, perDay] of [
    ['no limit', (3 * 600) / 23],
    ['stop overage SIMs', 600 / 3],
  ] as const) {
    const read = await poolWith(month - 40 * dayMs, usage, policy);
    expect((await read(after))?.forecast?.per_day_bytes).toBe(Math.round(perDay));
    // Two days don't tell how much days vary.
    for (const early of [month + hourMs, after - dayMs])
      expect((await read(early))?.forecast === null).toBe(policy === 'stop overage SIMs');
  }
});

it('the possible excess is known from the first minute of a cycle on, by the records of the last day', async () => {
  const read = await poolWith(month - 10 * dayMs, [
    { at: month - 30 * hourMs, up: 9000 },
    { at: month - 2 * hourMs, up: 100 },
    { at: month - hourMs, up: 300 },
  ]);
  expect(await read(month + 60_000)).toMatchObject({ used_bytes: 0, today_bytes: 0, overshoot_bytes: 200 });
});
