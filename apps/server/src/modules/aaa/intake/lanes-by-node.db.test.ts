import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, readShards, type Shards } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { untilWaiting } from '../../../testing/locks.ts';
import { allOf, countedBytes, radiusInventory, type TestSims } from '../../../testing/radius.ts';
import { sessionUpdate, storeUpdate, testIntake } from '../../../testing/session-updates.ts';
import type { Intake } from './intake.ts';
import { Sorter } from './sorter.ts';
import type { SessionUpdate } from './update.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const begin = Date.UTC(2026, 10, 21, 9);
const minuteMs = 60_000;

let database: Database;
let intake: Intake;
let shards: Shards | undefined;

beforeAll(async () => {
  database = await testDatabase({ max: 8 });
  shards = await readShards(database.pool, 'radius_sessions');
});
afterAll(() => database.close());
beforeEach(async () => {
  intake = await testIntake(database, clock);
});
afterEach(() => intake.stop());

const updateOf = (sims: TestSims, index: number, facts: Partial<SessionUpdate>): SessionUpdate =>
  sessionUpdate({ imsi: sims.imsi(index), at: begin }, facts);
const storeAll = (sims: TestSims, facts: Partial<SessionUpdate>) =>
  Promise.all(sims.ids.map((_, index) => storeUpdate(intake, updateOf(sims, index, facts))));

/** The nodes that took part in the two-phase commit of each transaction that `work` made. */
const participants = async (work: () => Promise<unknown>): Promise<number[][]> => {
  const watcher = new pg.Client({ connectionString: database.url });
  await watcher.connect();
  try {
    // The extension forgets what is over when it can have this lock.
    await watcher.query('begin');
    await watcher.query('lock table pg_dist_transaction in share update exclusive mode');
    const prepared = async () =>
      new Map(
        (
          await database.pool.query<{ gid: string; node: number }>(
            'select gid, groupid as node from pg_dist_transaction order by groupid',
          )
        ).rows.map(({ gid, node }) => [gid, node]),
      );
    const before = await prepared();
    await work();
    const transactions = new Map<string, number[]>();
    for (const [gid, node] of await prepared()) {
      if (before.has(gid)) continue;
      // citus_<node that asked>_<process>_<transaction>_<connection>
      const transaction = gid.split('_').slice(1, 4).join('_');
      transactions.set(transaction, [...(transactions.get(transaction) ?? []), node]);
    }
    return [...transactions.values()];
  } finally {
    await watcher.end();
  }
};

if (inject('databaseServers').length > 1) {
  describe('a batch of accounting on a cluster', () => {
    it('is of SIMs of one node, which alone takes part in its commit', async () => {
      const sims = await radiusInventory(database, 40);
      const nodes = new Set(sims.ids.map((id) => shards?.nodeOf(shards.shardOf(id))));
      expect(nodes.size).toBe(2);
      const steps: Partial<SessionUpdate>[] = [
        { status: 'start' },
        { at: begin + minuteMs, up: 10 },
        // The next hour: sums of the one before are written.
        { at: begin + 70 * minuteMs, up: 30 },
        { at: begin + 80 * minuteMs, up: 70, status: 'stop' },
      ];
      for (const step of steps) {
        const taken = await participants(() => storeAll(sims, step));
        expect(taken.length).toBeGreaterThanOrEqual(2);
        expect(taken.filter((some) => some.length !== 1)).toEqual([]);
        expect(new Set(taken.flat())).toEqual(nodes);
      }
      expect(await countedBytes(database, sims.orgId)).toEqual(allOf(40 * 70));
    });

    it('takes a second node in for a session there whose address it gives away, once that is stored', async () => {
      const sims = await radiusInventory(database, 40);
      const nodeOf = (index: number) => shards?.nodeOf(shards.shardOf(sims.ids[index] ?? 0));
      const other = sims.ids.findIndex((_, index) => nodeOf(index) !== nodeOf(0));
      const holder = await database.pool.connect();
      const taken = await participants(async () => {
        await holder.query('begin');
        await holder.query('select from sim_live where sim_id = $1 for update', [sims.ids[0]]);
        const first = storeUpdate(intake, updateOf(sims, 0, { status: 'start', ip: '10.7.0.1' }));
        await untilWaiting(database.pool);
        const second = storeUpdate(
          intake,
          updateOf(sims, other, { status: 'start', ip: '10.7.0.1', at: begin + minuteMs }),
        );
        // Time to overtake, were it not to wait.
        await expect(Promise.race([second, sleep(500)])).resolves.toBeUndefined();
        await holder.query('rollback');
        await Promise.all([first, second]);
      }).finally(() => holder.release());
      expect(taken.map((some) => some.length).toSorted((a, b) => a - b)).toEqual([1, 2]);
      const { rows } = await database.pool.query(
        'select terminate_cause as cause from radius_sessions where sim_id = any($1) order by started_at',
        [sims.ids],
      );
      expect(rows).toEqual([{ cause: 'Superseded' }, { cause: null }]);
    });
  });
}

describe('records whose SIMs are looked up before they are queued', () => {
  const handed: [string, number, number | undefined][] = [];
  const sorterOf = (isFull = false) =>
    new Sorter({
      pool: database.pool,
      clock,
      log: createLog({ level: 'silent', format: 'json' }),
      size: 100,
      maxQueue: 5,
      handOver: ({ update }, simId) => {
        handed.push([update.identity, update.at, simId]);
        return !isFull;
      },
    });
  beforeEach(() => {
    handed.length = 0;
  });
  const done = () => undefined;

  it('come in their order, by whichever number, with nobody for a number that no SIM has', async () => {
    const sims = await radiusInventory(database, 2);
    const sorter = sorterOf();
    const msisdn = `any:${491_500_000_000 + sims.orgId * 1_000_000}`;
    const names = [
      `imsi:${sims.imsi(0)}`,
      msisdn,
      'imsi:999',
      `imsi:${sims.imsi(0)}`,
      `imsi:${sims.imsi(1)}`,
    ];
    for (const [at, identity] of names.entries())
      expect(sorter.add({ update: updateOf(sims, 0, { identity, at }), done })).toBe(true);
    expect(sorter.add({ update: updateOf(sims, 0, { identity: 'imsi:998' }), done })).toBe(false);
    expect(sorter.waiting).toBe(5);
    await sorter.settled();
    const [first, second] = sims.ids;
    expect(handed).toEqual([first, first, undefined, first, second].map((id, at) => [names[at], at, id]));
    // Known now: handed over at once.
    expect(sorter.add({ update: updateOf(sims, 0, { at: 6 }), done })).toBe(true);
    expect(handed.at(-1)).toEqual([names[0], 6, first]);
    await sorter.stop();
  });

  it('are refused when the lane is full by then, so that they are sent again', async () => {
    const sims = await radiusInventory(database, 1);
    const outcome = new Promise((resolve) => {
      sorterOf(true).add({ update: updateOf(sims, 0, {}), done: resolve });
    });
    expect(await outcome).toBe('refused');
  });
});
