import { hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makePool, orderShared } from '../../../testing/pools.ts';
import { radiusInventory, type TestSims } from '../../../testing/radius.ts';
import { sessionUpdate, storeUpdate, testIntake } from '../../../testing/session-updates.ts';
import { fileOf, sourceOf } from '../../../testing/usage-records.ts';
import type { Intake } from '../../aaa/intake/intake.ts';
import { importCdrs, usageThresholdCrossed } from '../../usage/index.ts';
import { restateLiveUsage } from '../../usage/live-usage.service.ts';
import { addToPools } from '../index.ts';
import { exitSims } from '../membership/membership.service.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const month = Date.UTC(2026, 9, 31, 16);
const quota = 1000;

let database: Database;
let intake: Intake;

beforeAll(async () => {
  database = await testDatabase();
  intake = await testIntake(database, clock);
});
afterAll(async () => {
  await intake.stop();
  await database.close();
});

/** A SIM with an order of a pool's bundle since the previous month, and its pool. */
const shared = async ({ isMember = true } = {}) => {
  const sims = await radiusInventory(database, 1);
  const since = new Date(month - 20 * 24 * hourMs);
  const pool = await makePool(database.pool, sims.orgId, {
    now: since,
    quotaBytes: quota,
    policy: 'no limit',
  });
  await orderShared(database.pool, pool, [sims.iccid(0)], since);
  if (isMember) await pool.enrol(sims.ids, since);
  return { sims, pool };
};

let sessions = 0;
const use = (sims: TestSims, bytes: number, hour: number) => {
  sessions += 1;
  const facts = { sessionKey: 100 * sims.orgId + sessions, sessionId: `S${sessions}`, up: bytes };
  return storeUpdate(intake, sessionUpdate({ imsi: sims.imsi(0), at: month + hour * hourMs }, facts));
};

const shown = async ({ ids: [simId] }: TestSims) => {
  const { rows } = await database.pool.query(
    `select used_bytes, over_limit,
       (select count(*)::int from sim_events where sim_id = $1 and kind = 'quota-reached') as events,
       (select count(*)::int from outbox where topic = $2 and (payload ->> 'simId')::bigint = $1) as facts
     from sim_live where sim_id = $1`,
    [simId, usageThresholdCrossed.topic],
  );
  return rows[0];
};

describe('a member of a shared pool that uses more than its own contribution', () => {
  it('is not over its limit by packets, in the next cycle either', async () => {
    const { sims } = await shared();
    await use(sims, 1500, -24);
    await use(sims, 400, 1);
    await use(sims, 700, 2);
    expect(await shown(sims)).toEqual({ used_bytes: 1100, over_limit: false, events: 0, facts: 0 });
  });

  it('is not over its limit by files and repairs', async () => {
    const { sims } = await shared();
    const [id = 0] = sims.ids;
    const sim = { id, orgId: sims.orgId, iccid: sims.iccid(0), imsi: sims.imsi(0), msisdn: '' };
    const record = { sim, id: 'R', endedAt: month + hourMs, up: 1200, down: 0, mnc: 2, radio: 3 };
    const source = sourceOf(fileOf([record]));
    await importCdrs({ pool: database.pool, clock, countForPools: addToPools, source });
    expect(await shown(sims)).toEqual({ used_bytes: 1200, over_limit: false, events: 0, facts: 0 });
    await inTransaction(database.pool, (tx) => restateLiveUsage(tx, new Map([[id, 1300]]), clock.now()));
    expect(await shown(sims)).toEqual({ used_bytes: 1300, over_limit: false, events: 0, facts: 0 });
  });

  it('is no longer over its limit if it was before it joined', async () => {
    const { sims, pool } = await shared({ isMember: false });
    await use(sims, 1500, 1);
    expect(await shown(sims)).toEqual({ used_bytes: 1500, over_limit: true, events: 1, facts: 1 });
    await pool.enrol(sims.ids, new Date(month + 2 * hourMs));
    await use(sims, 100, 3);
    expect(await shown(sims)).toEqual({ used_bytes: 1600, over_limit: false, events: 1, facts: 1 });
  });

  it('has its own limit again when it leaves, for what it uses from then on', async () => {
    const { sims } = await shared();
    await use(sims, 1500, 1);
    const now = new Date(month + 2 * hourMs);
    await inTransaction(database.pool, (tx) => exitSims(tx, { simIds: sims.ids, reason: 'ordered', now }));
    await use(sims, 999, 3);
    expect(await shown(sims)).toMatchObject({ used_bytes: 2499, over_limit: false, events: 0 });
    await use(sims, 1, 4);
    expect(await shown(sims)).toEqual({ used_bytes: 2500, over_limit: true, events: 1, facts: 1 });
  });

  it('has no limit when it leaves because its bundle ended', async () => {
    const { sims } = await shared();
    await use(sims, 1500, 1);
    const { pool } = database;
    await pool.query('update sim_live set limit_bytes = null where sim_id = any($1)', [sims.ids]);
    const now = new Date(month + 2 * hourMs);
    await inTransaction(pool, (tx) => exitSims(tx, { simIds: sims.ids, reason: 'bundle-ended', now }));
    const { rows } = await pool.query('select threshold_bytes from sim_live where sim_id = any($1)', [
      sims.ids,
    ]);
    expect(rows).toEqual([{ threshold_bytes: null }]);
  });
});
