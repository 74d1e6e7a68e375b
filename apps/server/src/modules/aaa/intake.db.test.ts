import { dayMs, hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { liveEventsOf } from '../../platform/outbox/index.ts';
import { testDatabase } from '../../testing/database.ts';
import {
  allCounted,
  countedBytes,
  radiusInventory,
  simsOfOneLane,
  type TestSims,
} from '../../testing/radius.ts';
import { sessionUpdate, storeUpdate, testIntake } from '../../testing/session-updates.ts';
import type { Intake } from './intake/intake.ts';
import type { Outcome } from './intake/lane.ts';
import type { SessionUpdate } from './intake/update.ts';
import { sweepConnections } from './sessions/sweep.service.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const startedAt = Date.UTC(2026, 10, 21, 9);

let database: Database;
const intakes: Intake[] = [];

beforeAll(async () => {
  database = await testDatabase({ max: 12 });
  for (let n = 0; n < 2; n += 1) {
    intakes.push(await testIntake(database, clock, { maxBatch: 50 }));
  }
});
afterAll(async () => {
  await Promise.all(intakes.map((intake) => intake.stop()));
  await database.close();
});

const updateOf = (sims: TestSims, index: number, facts: Partial<SessionUpdate>): SessionUpdate =>
  sessionUpdate({ imsi: sims.imsi(index), at: startedAt }, facts);

const store = (intake: Intake | undefined, update: SessionUpdate): Promise<Outcome> =>
  intake ? storeUpdate(intake, update) : Promise.reject(new Error('There is no such intake'));

/** With its own seeded generator, so that failures can be reproduced. */
const shuffled = <T>(items: readonly T[], seed: number): T[] => {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  return items
    .map((item) => ({ item, place: next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
};

const live = async (sims: TestSims, index = 0) =>
  (await database.pool.query('select * from sim_live where sim_id = $1', [sims.ids[index]])).rows[0];

describe('two processes with the same sessions at the same time', () => {
  it.each([1, 2, 3, 4])('count every record once (order %i)', async (seed) => {
    const sims = await radiusInventory(database, 20);
    const updates = sims.ids.flatMap((_, index) => [
      updateOf(sims, index, { status: 'start' }),
      ...Array.from({ length: 8 }, (__, step) =>
        updateOf(sims, index, {
          // Over three hours: an hour that one process left open is closed by the process that counts in the next
          // one.
          at: startedAt + (step + 1) * 20 * 60_000,
          up: (step + 1) * 100,
          down: (step + 1) * 1000,
        }),
      ),
      updateOf(sims, index, { status: 'stop', at: startedAt + 180 * 60_000, up: 900, down: 9000 }),
    ]);
    const outcomes = await Promise.all([
      ...shuffled(updates, seed).map((update) => store(intakes[0], update)),
      ...shuffled(updates, seed + 100).map((update) => store(intakes[1], update)),
    ]);
    expect(new Set(outcomes)).toEqual(new Set(['stored']));
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(20 * 9900));
    const { rows } = await database.pool.query(
      `select count(*)::integer as sessions, count(stopped_at)::integer as stopped from radius_sessions
       where org_id = $1`,
      [sims.orgId],
    );
    expect(rows).toEqual([{ sessions: 20, stopped: 20 }]);
  });

  it('see what the other one, or another transaction, wrote meanwhile', async () => {
    const sims = await radiusInventory(database, 1);
    await store(intakes[0], updateOf(sims, 0, { status: 'start' }));
    await store(intakes[1], updateOf(sims, 0, { at: startedAt + 60_000, up: 100 }));
    await store(intakes[0], updateOf(sims, 0, { at: startedAt + 120_000, up: 150 }));
    await database.pool.query(
      'update sim_live set limit_bytes = 200, threshold_bytes = 200 where org_id = $1',
      [sims.orgId],
    );
    await store(intakes[1], updateOf(sims, 0, { at: startedAt + 180_000, up: 250 }));
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(250));
    expect(await live(sims)).toMatchObject({ over_limit: true, threshold_bytes: null });
  });
});

it('the open hour is counted for its SIM immediately, and written to the rollups when the next one begins', async () => {
  const sims = await radiusInventory(database, 1);
  const hours = async (table: string) =>
    (
      await database.pool.query(
        `select extract(hour from hour_at at time zone 'UTC')::integer as hour, up_bytes as up, records
         from ${table} where sim_id = $1 order by 1`,
        [sims.ids[0]],
      )
    ).rows;
  const minutes = [1, 2, 59, 61];
  for (const [index, minute] of minutes.entries()) {
    await store(
      intakes[index % 2],
      updateOf(sims, 0, { at: startedAt + minute * 60_000, up: 10 * (index + 1) }),
    );
    if (minute === 59) expect(await hours('usage_hourly')).toEqual([]);
    if (minute === 59) expect(await hours('sim_usage_hourly')).toEqual([{ hour: 9, up: 30, records: 3 }]);
  }
  expect(await hours('usage_hourly')).toEqual([{ hour: 9, up: 30, records: 3 }]);
  expect(await hours('sim_usage_hourly')).toEqual([
    { hour: 9, up: 30, records: 3 },
    { hour: 10, up: 10, records: 1 },
  ]);
  // Late usage for a past hour is added to that hour.
  await store(intakes[0], updateOf(sims, 0, { sessionKey: 77, at: startedAt + 30 * 60_000, up: 5 }));
  expect(await hours('usage_hourly')).toEqual([{ hour: 9, up: 35, records: 4 }]);
  expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(45));
});

it('a batch reports the cycle usage of each SIM, and the total of each hour', async () => {
  const sims = await radiusInventory(database, 2);
  const hour = Math.floor(startedAt / hourMs);
  await store(intakes[0], updateOf(sims, 0, { at: startedAt, up: 10 }));
  await store(intakes[1], updateOf(sims, 0, { at: startedAt + hourMs, up: 30 }));
  await Promise.all([
    store(intakes[0], updateOf(sims, 1, { sessionKey: 5, at: startedAt, up: 100, down: 1 })),
    store(intakes[0], updateOf(sims, 1, { sessionKey: 6, at: startedAt + hourMs, up: 1000 })),
  ]);
  const { rows } = await database.pool.query<{ payload: { sims: [string, number, number][] } }>(
    `select payload from outbox where topic = 'usage.recorded' and org_id = $1 order by id`,
    [sims.orgId],
  );
  const live = rows.flatMap(({ payload }) => liveEventsOf('usage.recorded', payload));
  const usageEvents = live.flatMap(({ name, data }) => (name === 'sim.usage' ? [data] : []));
  const [first, second] = sims.ids.map((_, index) => sims.iccid(index));
  const lastOf = (iccid: string | undefined) =>
    usageEvents.flatMap(({ sims: updated }) => updated.filter((sim) => sim.iccid === iccid)).at(-1)?.used;
  expect([lastOf(first), lastOf(second)]).toEqual([30, 1101]);
  const byHour = new Map<number, number>();
  for (const { at, bytes } of usageEvents.flatMap(({ hours }) => hours ?? [])) {
    const of = Date.parse(at) / hourMs;
    byHour.set(of, (byHour.get(of) ?? 0) + bytes);
  }
  expect([...byHour].sort(([a], [b]) => a - b)).toEqual([
    [hour, 111],
    [hour + 1, 1020],
  ]);
});

describe('a threshold', () => {
  it('is passed once, and reported once, by the bundle’s policy', async () => {
    const sims = await radiusInventory(database, 1);
    await database.pool.query(
      `with bundle as (
         insert into bundles (code, name, sku, type, quota_bytes, overage_policy, reset_cycle, slow_kbps)
         values ('SLOW', 'Slow', 'S', 'prepaid basic', 1000, 'billing and slow down', 'month', 256) returning id)
       update sims set bundle_id = bundle.id, activated_at = now() from bundle where org_id = $1`,
      [sims.orgId],
    );
    await database.pool.query(
      `update sim_live set limit_bytes = 1000, threshold_bytes = 1000, cycle_started_at = '2026-10-31T16:00:00Z',
         cycle_ends_at = '2026-11-30T16:00:00Z' where org_id = $1`,
      [sims.orgId],
    );
    for (const [index, up] of [900, 1100, 1500].entries()) {
      await store(intakes[index % 2], updateOf(sims, 0, { at: startedAt + index * 1000, up }));
    }
    expect(await live(sims)).toMatchObject({
      used_bytes: 1500,
      over_limit: true,
      data_state: 1,
      rate_kbps: 256,
    });
    const { rows } = await database.pool.query(
      `select payload from outbox where topic = 'usage.threshold-crossed' and org_id = $1`,
      [sims.orgId],
    );
    expect(rows).toMatchObject([
      { payload: { usedBytes: 1100, thresholdBytes: 1000, dataState: 1, rateKbps: 256 } },
    ]);
  });
});

describe('a record that the database rejects', () => {
  it('is isolated, and the others of its batch are stored', async () => {
    const sims = await radiusInventory(database, 9);
    const outcomes = await Promise.all(
      sims.ids.map((_, index) =>
        // Not an address; it is the database that rejects it.
        store(
          intakes[0],
          updateOf(sims, index, { at: startedAt, up: 10, ip: index === 4 ? 'nonsense' : `10.3.0.${index}` }),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(1);
    expect(outcomes[4]).toBe('refused');
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(80));
  });
});

describe('a month without partitions', () => {
  it('gets them with its first record', async () => {
    const sims = await radiusInventory(database, 1);
    const { rows } = await database.pool.query<{ name: string }>(
      `select relname as name from pg_class where relname ~ '_2026_11$' and relkind = 'r'`,
    );
    for (const { name } of rows) await database.pool.query(`drop table ${name}`);
    expect(await store(intakes[0], updateOf(sims, 0, { up: 12 }))).toBe('stored');
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(12));
  });
});

describe('a full queue', () => {
  it('accepts no more, so that nothing is acknowledged that is not stored', async () => {
    const sims = await radiusInventory(database, 1);
    // Each lane has its share: one on a single server, one for each worker of a cluster.
    const lanes = Math.max(1, inject('databaseServers').length - 1);
    const small = await testIntake(database, clock, { maxQueue: 3 * lanes });
    const done: Outcome[] = [];
    const taken = [1, 2, 3, 4, 5].map((up) =>
      small.add({
        update: updateOf(sims, 0, { at: startedAt + up, up }),
        done: (outcome) => done.push(outcome),
      }),
    );
    expect(taken).toEqual([true, true, true, false, false]);
    await small.settled();
    expect(done).toEqual(['stored', 'stored', 'stored']);
    await small.stop();
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(3));
  });
});

describe('a reassigned address', () => {
  it('ends the previous session, even one that is not written yet', async () => {
    const count = 50;
    const sims = await simsOfOneLane(database, await radiusInventory(database, 12 * count), 4 * count);
    const start = (index: number, ip: string, at: number) =>
      store(intakes[0], updateOf(sims, index, { status: 'start', ip, at }));
    const address = (index: number) => `10.9.0.${index % count}`;
    // Batches of fifty: the second is read and decided while the first is being written, because two more wait behind
    // it.
    await Promise.all(
      sims.ids.map((_, index) =>
        start(index, index < 2 * count ? address(index) : `10.10.0.${index}`, startedAt + index),
      ),
    );
    const { rows } = await database.pool.query<{ sim_id: number; terminate_cause: string | null }>(
      `select sim_id, terminate_cause from radius_sessions
       where org_id = $1 and stopped_at is not null order by sim_id`,
      [sims.orgId],
    );
    expect(rows).toEqual(
      sims.ids.slice(0, count).map((sim_id) => ({ sim_id, terminate_cause: 'Superseded' })),
    );
  });
});

describe('a session whose address was taken', () => {
  it.each([0, 1])(
    'goes on with a later report, in process %i, once nobody holds the address',
    async (process) => {
      const sims = await simsOfOneLane(database, await radiusInventory(database, 12), 2);
      const facts = { ip: `10.12.0.${process}`, apn: 'iot' };
      const start = (index: number, at: number) =>
        store(intakes[0], updateOf(sims, index, { status: 'start', ...facts, at: startedAt + at }));
      const session = async () =>
        (
          await database.pool.query(
            `select terminate_cause as cause, up_bytes as up from radius_sessions where sim_id = $1`,
            [sims.ids[0]],
          )
        ).rows;
      // Without the address, which the session has.
      const report = (at: number, up: number) =>
        store(intakes[process], updateOf(sims, 0, { at: startedAt + at, up }));
      await start(0, 0);
      await start(1, 60_000);
      await report(120_000, 10);
      await report(180_000, 20);
      expect(await session()).toEqual([{ cause: 'Superseded', up: 20 }]);
      expect(await live(sims)).toMatchObject({ connection: 3 });
      await store(intakes[0], updateOf(sims, 1, { status: 'stop', at: startedAt + 200_000 }));
      await report(240_000, 30);
      expect(await session()).toEqual([{ cause: null, up: 30 }]);
      expect(await live(sims)).toMatchObject({ connection: 1, used_bytes: 30 });
    },
  );
});

describe('an address of a session whose id is used again', () => {
  it('ends what another SIM left open there', async () => {
    const sims = await simsOfOneLane(database, await radiusInventory(database, 12), 2);
    const ip = '10.11.0.1';
    const start = (index: number, at: number) =>
      store(intakes[0], updateOf(sims, index, { status: 'start', ip, at: startedAt + at }));
    await start(0, 0);
    await store(intakes[0], updateOf(sims, 0, { status: 'stop', at: startedAt + 60_000 }));
    await start(1, 120_000);
    await start(0, 180_000);
    const { rows } = await database.pool.query(
      'select stopped_at is null as open, terminate_cause as cause from radius_sessions where sim_id = any($1) order by sim_id',
      [sims.ids],
    );
    expect(rows).toEqual([
      { open: true, cause: null },
      { open: false, cause: 'Superseded' },
    ]);
  });
});

describe('the connection of a SIM', () => {
  it('becomes offline without updates, and online with the next one', async () => {
    const sims = await radiusInventory(database, 1);
    await store(intakes[0], updateOf(sims, 0, { status: 'start' }));
    const after = (ms: number) => sweepConnections(database.pool, new Date(startedAt + ms));
    const steps = [
      [599_000, 1],
      [601_000, 2],
      [dayMs + 1000, 3],
      [30 * dayMs + 1000, 0],
    ] as const;
    for (const [ms, connection] of steps) {
      await after(ms);
      expect(await live(sims), `after ${ms} ms`).toMatchObject({ connection });
    }
    await store(intakes[0], updateOf(sims, 0, { at: startedAt + 1000, up: 1 }));
    expect(await live(sims)).toMatchObject({ connection: 1, used_bytes: 1 });
  });

  it('is updated for all SIMs without updates, however many', async () => {
    const sims = await radiusInventory(database, 5001);
    await database.pool.query('update sim_live set connection = 1, last_seen_at = $2 where org_id = $1', [
      sims.orgId,
      new Date(startedAt),
    ]);
    await sweepConnections(database.pool, new Date(startedAt + 2 * hourMs));
    const { rows } = await database.pool.query(
      'select connection, count(*)::int as sims from sim_live where org_id = $1 group by 1',
      [sims.orgId],
    );
    expect(rows).toEqual([{ connection: 2, sims: 5001 }]);
  });
});
