import { minuteMs } from '@simcube/contract/time';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { radiusInventory, type TestSims } from '../../../testing/radius.ts';
import { sessionUpdate, storeUpdate, testIntake } from '../../../testing/session-updates.ts';
import { sourceOf } from '../../../testing/usage-records.ts';
import { addToPools } from '../../pool/index.ts';
import {
  changeWatch,
  findWatch,
  importCdrs,
  listWatchedSims,
  setSimWatches,
  watchAnyUsage,
} from '../../usage/index.ts';
import type { Intake } from './intake.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const startedAt = Date.parse('2026-11-21T10:00:00Z');

let database: Database;
let intake: Intake;
let sims: TestSims;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await intake.stop();
  await database.close();
});
beforeEach(async () => {
  await intake?.stop();
  sims = await radiusInventory(database, 1);
  await inTransaction(database.pool, (tx) => changeWatch(tx, { orgId: sims.orgId, isWatching: true }));
  intake = await testIntake(database, clock);
});

const use = (minutes: number, up: number) =>
  storeUpdate(intake, sessionUpdate({ imsi: sims.imsi(0), at: startedAt + minutes * minuteMs }, { up }));

/** SIM and minute of the records to be checked, since the last call. */
const lookedAt = async () => {
  const { rows } = await database.pool.query<{ payload: { sims: [number, number][] } }>(
    `delete from outbox where topic = 'usage.watch-reached' and org_id = $1 returning payload`,
    [sims.orgId],
  );
  return rows.flatMap(({ payload }) =>
    payload.sims.map(([simId, at]) => [simId, (at - startedAt) / minuteMs]),
  );
};

const arm = async (watch: number | null) => {
  const version = (await findWatch(database.pool, sims.orgId)) ?? 0;
  const [from] = await listWatchedSims(database.pool, { orgId: sims.orgId, simIds: sims.ids });
  if (from) await setSimWatches(database.pool, { sims: [{ simId: from.simId, watch, from }], version });
};

describe('records of a SIM whose usage is watched', () => {
  it('are checked until the usage that matters is computed, and then from that usage on', async () => {
    const [simId] = sims.ids;
    await use(1, 10);
    await use(2, 20);
    expect(await lookedAt()).toEqual([
      [simId, 1],
      [simId, 2],
    ]);
    await arm(50);
    await use(3, 49);
    expect(await lookedAt()).toEqual([]);
    await use(4, 50);
    expect(await lookedAt()).toEqual([[simId, 4]]);
    await arm(null);
    await use(5, 900);
    expect(await lookedAt()).toEqual([]);
  });

  it('are checked again when its rules or its limit have changed, whatever intake has cached', async () => {
    const [simId = 0] = sims.ids;
    await use(1, 10);
    await arm(500);
    await use(2, 20);
    await lookedAt();
    await watchAnyUsage(database.pool, [simId]);
    await use(3, 30);
    expect(await lookedAt()).toEqual([[simId, 3]]);
  });

  it('are checked again when the cycle or limit of the computation has changed', async () => {
    const [simId = 0] = sims.ids;
    const { orgId } = sims;
    await use(1, 10);
    await lookedAt();
    const [from] = await listWatchedSims(database.pool, { orgId, simIds: sims.ids });
    if (!from) throw new Error('The SIM is not there');
    const version = (await findWatch(database.pool, orgId)) ?? 0;
    const changed = { ...from, cycleEndsAt: startedAt };
    await setSimWatches(database.pool, { sims: [{ simId, watch: 900, from: changed }], version });
    await use(2, 20);
    expect(await lookedAt()).toEqual([[simId, 2]]);
  });

  it('are checked by day when they arrive in a file', async () => {
    await arm(null);
    const lines = [
      '2026-11-19T23:00:00Z',
      '2026-11-21T09:00:00Z',
      '2026-11-21T09:30:00Z',
      '2026-09-01T00:00:00Z',
    ];
    const rows = lines.map((at) => `${sims.iccid(0)},${at},5,0`);
    const source = sourceOf(['iccid,ended_at,up_bytes,down_bytes', ...rows].join('\n'));
    await importCdrs({ countForPools: addToPools, pool: database.pool, clock, source });
    const days = (await lookedAt()).map(([, minutes = 0]) =>
      new Date(startedAt + minutes * minuteMs).toISOString(),
    );
    expect(days.sort()).toEqual(['2026-11-19T00:00:00.000Z', '2026-11-21T00:00:00.000Z']);
  });
});
