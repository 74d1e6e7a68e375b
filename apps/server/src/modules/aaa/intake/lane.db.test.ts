import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, readShards } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { waitForBlockedStatements } from '../../../testing/locks.ts';
import {
  allCounted,
  countedBytes,
  radiusInventory,
  simsOfOneLane,
  type TestSims,
} from '../../../testing/radius.ts';
import { sessionUpdate, storeUpdate, testIntake } from '../../../testing/session-updates.ts';
import type { Intake } from './intake.ts';
import type { Outcome } from './lane.ts';
import type { SessionUpdate } from './update.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const startedAt = Date.UTC(2026, 10, 21, 9);
/** More records than justify a separate batch while another is in flight. */
const following = 120;

let database: Database;
let intake: Intake;
/** Connections with open transactions. */
const others: pg.PoolClient[] = [];

beforeAll(async () => {
  database = await testDatabase({ max: 8 });
});
afterAll(() => database.close());

beforeEach(async () => {
  intake = await testIntake(database, clock);
});
afterEach(async () => {
  for (const client of others.splice(0)) client.release(true);
  await intake.stop();
});

const updateOf = (sims: TestSims, index: number, facts: Partial<SessionUpdate>): SessionUpdate =>
  sessionUpdate({ imsi: sims.imsi(index), at: startedAt }, facts);
const store = (update: SessionUpdate) => storeUpdate(intake, update);

/** Decisions from memory alone are made, and would be answered, within these turns of the event loop. */
const someTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Begins another transaction on its own connection. */
const somebody = async (statement: string, values: unknown[] = []) => {
  const client = await database.pool.connect();
  others.push(client);
  await client.query('begin');
  await client.query(statement, values);
  const end = async (ending: 'commit' | 'rollback') => {
    await client.query(ending);
    others.splice(others.indexOf(client), 1);
    client.release();
  };
  return { commit: () => end('commit'), rollback: () => end('rollback') };
};

const lockOfSim = 'select from sim_live where sim_id = $1 for update';

/** Backend of the connection on which the lane of these SIMs writes. */
const writerPid = async (sims: TestSims): Promise<number> => {
  const shards = await readShards(database.pool, 'radius_sessions');
  const lane = shards ? shards.nodes.indexOf(shards.nodeOf(shards.shardOf(sims.ids[0] ?? 0))) : 0;
  const { rows } = await database.pool.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and application_name = $1',
    [`simcube intake ${lane + 1}`],
  );
  return rows[0]?.pid ?? 0;
};

describe('a record that is retransmitted before the commit of its batch', () => {
  /** Repetitions as gateways send them: as new requests, because their delay differs. */
  const repetitions = (update: SessionUpdate, answered: Outcome[]) =>
    Array.from({ length: following }, () =>
      store(update).then((outcome) => {
        answered.push(outcome);
      }),
    );

  it('is not acknowledged before that commit, although it changes nothing itself', async () => {
    const sims = await radiusInventory(database, 1);
    await store(updateOf(sims, 0, { status: 'start' }));
    const stop = updateOf(sims, 0, { status: 'stop', at: startedAt + 60_000, up: 700 });
    const other = await somebody(lockOfSim, [sims.ids[0]]);
    const first = store(stop);
    await waitForBlockedStatements(database.pool);
    const answered: Outcome[] = [];
    const repeated = repetitions(stop, answered);
    await someTurns();
    expect(answered).toEqual([]);
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(0));
    await other.rollback();
    await Promise.all([first, ...repeated]);
    expect(new Set(answered)).toEqual(new Set(['stored']));
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(700));
  });

  it('is stored when the connection is lost before that commit', async () => {
    const sims = await radiusInventory(database, 1);
    await store(updateOf(sims, 0, { status: 'start' }));
    const stop = updateOf(sims, 0, { status: 'stop', at: startedAt + 60_000, up: 700 });
    const other = await somebody(lockOfSim, [sims.ids[0]]);
    const first = store(stop);
    await waitForBlockedStatements(database.pool);
    const answered: Outcome[] = [];
    const repeated = repetitions(stop, answered);
    await someTurns();
    await database.pool.query('select pg_terminate_backend($1::integer)', [await writerPid(sims)]);
    await waitForBlockedStatements(database.pool);
    await someTurns();
    expect(answered).toEqual([]);
    await other.rollback();
    await Promise.all([first, ...repeated]);
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(700));
  });

  it('is not acknowledged by the commit of another batch when its own batch fails', async () => {
    const sims = await simsOfOneLane(database, await radiusInventory(database, 16), 2);
    // Usage and an end for each SIM, so that their cycles run and all statements are prepared.
    for (const index of [0, 1]) {
      await store(updateOf(sims, index, { sessionKey: 77, status: 'stop', up: 3 }));
      await store(updateOf(sims, index, { status: 'start' }));
    }
    const stop = updateOf(sims, 0, { status: 'stop', at: startedAt + 60_000, up: 700 });
    const other = await somebody(
      'update sim_live set limit_bytes = 9, threshold_bytes = 9 where sim_id = $1',
      [sims.ids[0]],
    );
    const first = store(stop);
    await waitForBlockedStatements(database.pool);
    const answered: Outcome[] = [];
    const repeated = repetitions(stop, answered);
    const unrelated = store(updateOf(sims, 1, { at: startedAt + 60_000, up: 50 }));
    await someTurns();
    // The first batch fails by its version and can't be read again; the second commits.
    const reading = await somebody('lock table sims in access exclusive mode');
    await other.commit();
    const countUnrelated = async () =>
      (await database.pool.query('select from cdrs where sim_id = $1 and up_bytes = 50', [sims.ids[1]]))
        .rowCount;
    await expect.poll(countUnrelated, { interval: 5, timeout: 20_000 }).toBe(1);
    await waitForBlockedStatements(database.pool);
    await someTurns();
    expect(answered).toEqual([]);
    await reading.rollback();
    await Promise.all([first, unrelated, ...repeated]);
    expect(new Set(answered)).toEqual(new Set(['stored']));
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(756));
  });
});

// On a cluster no batch waits like this, because a SIM is looked up before it is queued.
const isOneServer = inject('databaseServers').length === 1;
describe.runIf(isOneServer)('two sessions that exchange their addresses', () => {
  it('count all usage, even if the previous batch failed while they were read', async () => {
    const sims = await simsOfOneLane(database, await radiusInventory(database, 24), 3);
    const start = (index: number, ip: string, facts: Partial<SessionUpdate> = {}) =>
      updateOf(sims, index, { status: 'start', ip, ...facts });
    await store(start(0, '10.4.0.1'));
    await store(start(0, '10.4.0.2', { sessionKey: 77 }));
    await store(start(2, '10.4.0.3'));
    // A batch that repeats a Start of the first SIM, and that a concurrent change of another SIM makes fail.
    const other = await somebody(
      'update sim_live set limit_bytes = 9, threshold_bytes = 9 where sim_id = $1',
      [sims.ids[2]],
    );
    const before = [store(start(0, '10.4.0.1')), store(updateOf(sims, 2, { at: startedAt + 1000, up: 5 }))];
    await waitForBlockedStatements(database.pool);
    // The next batch: an unknown SIM at an address of the first one, and usage of the first one, which is known.
    const reading = await somebody('lock table sims in access exclusive mode');
    const taking = store(start(1, '10.4.0.1', { at: startedAt + 2000 }));
    const using = Array.from({ length: following }, (_, step) =>
      store(updateOf(sims, 0, { sessionKey: 77, at: startedAt + 3000 + step, up: 10 * (step + 1) })),
    );
    await waitForBlockedStatements(database.pool, 2);
    await other.commit();
    const pid = await writerPid(sims);
    const isIdle = async () =>
      (await database.pool.query(`select from pg_stat_activity where pid = $1 and state = 'idle'`, [pid]))
        .rowCount;
    await expect.poll(isIdle, { interval: 5, timeout: 20_000 }).toBe(1);
    await someTurns();
    await reading.commit();
    await Promise.all([...before, taking, ...using]);
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(10 * following + 5));
    const { rows } = await database.pool.query(
      'select ip, terminate_cause as cause from radius_sessions where sim_id = any($1) order by ip, sim_id',
      [sims.ids],
    );
    expect(rows).toEqual([
      { ip: '10.4.0.1', cause: 'Superseded' },
      { ip: '10.4.0.1', cause: null },
      { ip: '10.4.0.2', cause: null },
      { ip: '10.4.0.3', cause: null },
    ]);
  });
});
