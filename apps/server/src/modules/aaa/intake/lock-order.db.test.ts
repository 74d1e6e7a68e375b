import { afterAll, beforeAll, expect, test } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { waitForBlockedStatements } from '../../../testing/locks.ts';
import { radiusInventory } from '../../../testing/radius.ts';
import { sessionUpdate, storeUpdate, testIntake } from '../../../testing/session-updates.ts';
import { changeLifecycle } from '../../sim/index.ts';

let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('an operation on a SIM that comes online with another device does not deadlock with its records', async () => {
  const intake = await testIntake(database, new FixedClock('2026-11-21T12:00:00Z'));
  const sims = await radiusInventory(database, 1);
  const [simId = 0] = sims.ids;
  const at = Date.UTC(2026, 10, 21, 9);
  const update = sessionUpdate({ imsi: sims.imsi(0), at }, { status: 'start', imei: '356938035643809' });
  const { stored, paused } = await inTransaction(database.pool, async (tx) => {
    // The operation is the one that the database would abort.
    await tx.query(`set local deadlock_timeout = '20ms'`);
    await tx.query('select from sims where id = $1 for no key update', [simId]);
    const stored = storeUpdate(intake, update);
    await waitForBlockedStatements(database.pool);
    const paused = await changeLifecycle(tx, {
      simIds: [simId],
      to: 'paused',
      reason: 'suspend',
      actor: null,
      at: new Date(at),
    });
    return { stored, paused };
  });
  expect(paused).toHaveLength(1);
  expect(await stored).toBe('stored');
  await intake.stop();
});
