import { endpoints } from '@simcube/contract';
import type { ResetCycle } from '@simcube/contract/bundle';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { importRecords } from '../../../testing/cdrs.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { expectPoolsVerified, makePool, orderShared } from '../../../testing/pools.ts';
import { enforcePools, evaluatePool } from '../limit/limit.service.ts';
import { rollOverPools } from '../rollover.service.ts';

let test: TestApp;
let org: Awaited<ReturnType<typeof makeOrganisation>>;

beforeAll(async () => {
  test = await testApp();
  org = await makeOrganisation(test, { code: 'acme' });
  await ensurePartitions(
    test.database.pool,
    new Date('2027-03-01T00:00:00Z'),
    new Date('2027-12-01T00:00:00Z'),
  );
});
afterAll(() => test.close());

/** A pool of two SIMs, each with 1,000 octets a cycle: one since the 31st of October, one from noon of the 20th of November. */
const poolOf = async (resetCycle: ResetCycle) => {
  const { database, clock } = test;
  const { pool } = database;
  let client: TestClient;
  const goTo = async (at: string) => {
    clock.set(at);
    await rollOverPools({ pool, now: clock.now(), log: createLog({ level: 'silent', format: 'json' }) });
    client = await signedInAs(test, 'admin', org);
  };
  await goTo('2026-10-31T04:00:00Z');
  const shared = await makePool(pool, org.id, {
    now: clock.now(),
    name: resetCycle,
    bundle: `SHARED-${resetCycle.replaceAll(' ', '-')}`,
    activation_rule: 'pro-rata',
    resetCycle,
  });
  const join = async () => {
    const { id, iccid } = await makeSim(pool, org.id, {});
    await orderShared(pool, shared, [iccid], clock.now());
    await shared.enrol([id], clock.now());
    return iccid;
  };
  const first = await join();
  await goTo('2026-11-20T04:00:00Z');
  const second = await join();
  return {
    goTo,
    first,
    second,
    use: async (iccid: string, bytes: number) => {
      await importRecords(test, [
        { iccid, ended_at: clock.now().toISOString(), up_bytes: bytes, down_bytes: 0 },
      ]);
      await inTransaction(pool, (tx) => evaluatePool(tx, { poolId: shared.id, now: clock.now() }));
      await inTransaction(pool, (tx) => enforcePools(tx, { poolIds: [shared.id], now: clock.now() }));
    },
    /** The cycle, the limit, what was used of it, and how many members are stopped. */
    figures: async () => {
      const params = { poolId: String(shared.id) };
      const { data } = (await client.call(endpoints.pool.detail, { params })).body;
      return [
        data.cycle_started_at,
        data.cycle_ends_at,
        data.limit_bytes,
        data.used_bytes,
        data.stopped_sims,
      ];
    },
  };
};

describe('a pool whose bundle is reset every', () => {
  it.each([
    {
      resetCycle: 'day',
      // The only day of the cycle is the whole of it.
      joined: ['2026-11-19T16:00:00.000Z', '2026-11-20T16:00:00.000Z', 2000],
      next: ['2026-11-20T16:00:00.000Z', '2026-11-21T16:00:00.000Z', 2000],
    },
    {
      resetCycle: 'full month',
      // From the 31st of October to the 29th of November: 10 of 30 days are left.
      joined: ['2026-10-30T16:00:00.000Z', '2026-11-29T16:00:00.000Z', 1333],
      next: ['2026-11-29T16:00:00.000Z', '2026-12-30T16:00:00.000Z', 2000],
    },
    {
      resetCycle: 'full year',
      // 345 of 365 days are left.
      joined: ['2026-10-30T16:00:00.000Z', '2027-10-30T16:00:00.000Z', 1945],
      next: ['2027-10-30T16:00:00.000Z', '2028-10-30T16:00:00.000Z', 2000],
    },
  ] as const)(
    '$resetCycle has cycles of whole days from the day of its setup, stops members within one, and recovers in the next',
    async ({ resetCycle, joined, next }) => {
      const pool = await poolOf(resetCycle);
      expect(await pool.figures()).toEqual([...joined, 0, 0]);
      await pool.use(pool.first, joined[2] - 1);
      await pool.use(pool.second, 1);
      // The first used more than it contributes, the second did not.
      expect(await pool.figures()).toEqual([...joined, joined[2], 1]);
      await pool.goTo(new Date(Date.parse(joined[1]) - 1000).toISOString());
      expect(await pool.figures()).toEqual([...joined, joined[2], 1]);
      await pool.goTo(joined[1]);
      expect(await pool.figures()).toEqual([...next, 0, 0]);
      await pool.use(pool.first, 7);
      expect(await pool.figures()).toEqual([...next, 7, 0]);
      await expectPoolsVerified(test.database.pool, test.clock.now());
    },
  );

  it('24 hours from an activation is refused: its cycles are not whole days', async () => {
    await expect(poolOf('24h day')).rejects.toThrow('a pool requires cycles of whole days');
  });
});
