import { hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makePool, orderShared, type TestPool } from '../../../testing/pools.ts';
import { radiusInventory } from '../../../testing/radius.ts';
import { findCycle, listChargedCycles } from '../cycles/cycle.views.ts';
import { listTerms, readLineChart, readRealTime } from '../cycles/figures.views.ts';
import { addToPools } from '../index.ts';
import { findPools, listPoolLines } from '../pool.views.ts';
import { reconcilePools, rollOverPools } from '../rollover.service.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const now = clock.now();
const month = new Date('2026-10-31T16:00:00Z');
const highest = Number.MAX_SAFE_INTEGER;
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** A pool with two members that contribute this much each. */
const poolOf = async (quotaBytes: number): Promise<{ shared: TestPool; orgId: number; simId: number }> => {
  const { orgId, ids, iccid } = await radiusInventory(database, 2);
  const shared = await makePool(database.pool, orgId, {
    now: new Date(month.getTime() - hourMs),
    quotaBytes,
  });
  await orderShared(database.pool, shared, [iccid(0), iccid(1)], month);
  await shared.enrol(ids, month);
  return { shared, orgId, simId: ids[0] ?? 0 };
};
const count = (simId: number, up: number) =>
  inTransaction(database.pool, (tx) => addToPools(tx, [{ simId, at: now.getTime(), up, down: 0 }]));

it('a limit beyond the exact numbers is the highest of them, wherever it is read', async () => {
  const { shared, orgId, simId } = await poolOf(6e15);
  const { id } = shared;
  await count(simId, 1000);
  const { pool } = database;
  const cycle = await findCycle(pool, id, now);
  if (!cycle) throw new Error('There is a cycle');
  expect(await findPools(pool, { orgId, ids: [id], now })).toMatchObject([
    { limit_bytes: highest, used_bytes: 1000, over: false },
  ]);
  expect(await listPoolLines(pool, now)).toMatchObject([{ limit_bytes: highest }]);
  expect(await listTerms(pool, id, cycle.startedAt)).toMatchObject([{ sims: 2, bytes: highest }]);
  expect((await readLineChart(pool, id, cycle, now)).days.at(-1)).toMatchObject({ limit_bytes: highest });
  expect(await readRealTime(pool, { id, policy: 'no limit' }, now)).toMatchObject({
    left_bytes: highest - 1000,
  });
  const empty = await makePool(pool, (await radiusInventory(database, 0)).orgId, { now });
  expect(await empty.raise(1, now)).toEqual({ before: 0, after: 1 });
  const cycles = { orgId, from: cycle.startedAt, until: cycle.endsAt };
  expect((await listChargedCycles(pool, cycles)).at(-1)).toMatchObject({ limit: highest });
  await expect(shared.raise(1, now)).rejects.toThrow('too large');
  expect(await shared.raise(-4e15, now)).toEqual({ before: highest, after: 8e15 });
});

it('a pool that can’t be evaluated keeps no other from being evaluated, and is logged', async () => {
  const [broken, next] = [await poolOf(1000), await poolOf(1000)];
  await count(broken.simId, 1);
  await count(next.simId, 3000);
  await database.pool.query('update pool_counters set used_bytes = $2 where pool_id = $1', [
    broken.shared.id,
    '9200000000000000000',
  ]);
  const lines: string[] = [];
  const log = createLog({
    level: 'error',
    format: 'json',
    destination: { write: (line) => lines.push(line) },
  });
  await reconcilePools({ ...database, now, log });
  const [found] = await findPools(database.pool, { orgId: next.orgId, ids: [next.shared.id], now });
  expect(found).toMatchObject({ over: true });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { poolId: broken.shared.id, msg: 'a pool could not be evaluated' },
  ]);
  const nextMonth = new Date('2026-11-30T16:00:00Z');
  await database.pool.query('update pool_cycles set over_at = $2 where pool_id = $1 and started_at = $3', [
    ...[broken.shared.id, now, month],
  ]);
  await rollOverPools({ ...database, now: nextMonth, log });
  const { rows } = await database.pool.query(
    'select pool_id as id from pool_cycles where launched_at is not null and started_at = $1 and pool_id = any($2)',
    [nextMonth, [broken.shared.id, next.shared.id]],
  );
  expect(rows).toEqual([{ id: next.shared.id }]);
});
