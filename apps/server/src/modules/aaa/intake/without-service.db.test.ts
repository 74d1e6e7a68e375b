import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { radiusInventory, type TestSims } from '../../../testing/radius.ts';
import { sessionUpdate, storeUpdate, testIntake } from '../../../testing/session-updates.ts';
import { changeLifecycle } from '../../sim/index.ts';
import type { Intake } from './intake.ts';
import type { SessionUpdate } from './update.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const startedAt = Date.UTC(2026, 10, 21, 9);

let database: Database;
let intake: Intake;

beforeAll(async () => {
  database = await testDatabase({ max: 4 });
  intake = await testIntake(database, clock);
});
afterAll(async () => {
  await intake.stop();
  await database.close();
});

const send = (sims: TestSims, facts: Partial<SessionUpdate>) =>
  storeUpdate(intake, sessionUpdate({ imsi: sims.imsi(0), at: startedAt }, facts));

const move = async (sims: TestSims, to: 'paused' | 'active' | 'expired'): Promise<void> => {
  await inTransaction(database.pool, (tx) =>
    changeLifecycle(tx, { simIds: sims.ids, to, reason: 'suspend', actor: null, at: clock.now() }),
  );
};

const live = (sims: TestSims, assignments: string) =>
  database.pool.query(`update sim_live set ${assignments} where sim_id = any($1)`, [sims.ids]);

/** Reasons in the facts, in order. */
const reportedReasons = async (sims: TestSims): Promise<string[]> => {
  const { rows } = await database.pool.query<{ reason: string }>(
    `select sim ->> 'reason' as reason from outbox, jsonb_array_elements(payload -> 'sims') as sim
     where topic = 'aaa.heard-without-service' and org_id = $1 order by xact, id`,
    [sims.orgId],
  );
  return rows.map(({ reason }) => reason);
};

describe('a session of a SIM that must not be online', () => {
  it.each([
    [10, 'not-activated'],
    [30, 'paused'],
    [40, 'expired'],
    [50, 'terminated'],
  ])('is noted when it begins (lifecycle %i)', async (lifecycle, reason) => {
    const sims = await radiusInventory(database, 1, { lifecycle });
    await send(sims, { status: 'start' });
    expect(await reportedReasons(sims)).toEqual([reason]);
  });

  it('is reported when it begins after the suspension, although the SIM was cached as active', async () => {
    const sims = await radiusInventory(database, 1);
    await send(sims, { status: 'start' });
    await send(sims, { status: 'stop', at: startedAt + 1000 });
    await move(sims, 'paused');
    await send(sims, { status: 'start', sessionKey: 2, at: startedAt + 2000 });
    expect(await reportedReasons(sims)).toEqual(['paused']);
  });

  it('is reported with each Interim after the suspension, and no longer after the SIM was resumed', async () => {
    const sims = await radiusInventory(database, 1);
    await send(sims, { status: 'start' });
    await send(sims, { at: startedAt + 1000, up: 10 });
    expect(await reportedReasons(sims)).toEqual([]);
    await move(sims, 'paused');
    await send(sims, { at: startedAt + 2000, up: 20 });
    await send(sims, { at: startedAt + 3000, up: 20 });
    await send(sims, { at: startedAt + 3000, up: 20 });
    expect(await reportedReasons(sims)).toEqual(['paused', 'paused']);
    await move(sims, 'active');
    await send(sims, { at: startedAt + 4000, up: 30 });
    expect(await reportedReasons(sims)).toHaveLength(2);
  });

  it('is reported when it is created from an Interim, and not when it ends', async () => {
    const sims = await radiusInventory(database, 1, { lifecycle: 30 });
    await send(sims, { at: startedAt + 1000, up: 10 });
    await send(sims, { status: 'stop', at: startedAt + 2000, up: 20 });
    await send(sims, { status: 'stop', sessionKey: 2, at: startedAt + 3000, up: 20 });
    expect(await reportedReasons(sims)).toEqual(['paused']);
  });

  it('is reported while the data of the SIM is stopped, and no longer after its cycle ended', async () => {
    const sims = await radiusInventory(database, 1);
    await live(
      sims,
      `data_state = 2, cycle_started_at = '2026-10-31T16:00Z', cycle_ends_at = '2026-11-30T16:00Z'`,
    );
    await send(sims, { status: 'start' });
    expect(await reportedReasons(sims)).toEqual(['quota-used']);
    const over = await radiusInventory(database, 1);
    await live(
      over,
      `data_state = 2, cycle_started_at = '2026-10-20T16:00Z', cycle_ends_at = '2026-11-20T16:00Z'`,
    );
    await send(over, { status: 'start' });
    expect(await reportedReasons(over)).toEqual([]);
  });

  it('is left to the threshold when it used up the quota itself', async () => {
    const sims = await radiusInventory(database, 1);
    await database.pool.query(
      `with bundle as (
         insert into bundles (code, name, sku, type, quota_bytes, overage_policy, reset_cycle)
         values ('STOP', 'Stop', 'S', 'prepaid basic', 1000, 'stop', 'month') returning id)
       update sims set bundle_id = bundle.id, activated_at = '2026-01-01' from bundle where org_id = $1`,
      [sims.orgId],
    );
    await live(
      sims,
      `limit_bytes = 1000, threshold_bytes = 1000, cycle_started_at = '2026-10-31T16:00Z',
      cycle_ends_at = '2026-11-30T16:00Z'`,
    );
    await send(sims, { at: startedAt + 1000, up: 1001 });
    expect(await reportedReasons(sims)).toEqual([]);
    await send(sims, { at: startedAt + 2000, up: 1002 });
    expect(await reportedReasons(sims)).toEqual(['quota-used']);
  });
});
