import { setTimeout as sleep } from 'node:timers/promises';
import { minuteMs } from '@simcube/contract/time';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, readShards, type Shards } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { databaseAt, withClient } from '../../../testing/cluster.ts';
import { testDatabase } from '../../../testing/database.ts';
import { allCounted, countedBytes, radiusInventory, type TestSims } from '../../../testing/radius.ts';
import { sessionUpdate, storeUpdate, testIntake } from '../../../testing/session-updates.ts';
import { sourceOf } from '../../../testing/usage-records.ts';
import { addToPools } from '../../pool/index.ts';
import { addUnwritten, importCdrs, listUnwritten, sessionKeyOf, type Unwritten } from '../../usage/index.ts';
import type { Intake } from './intake.ts';
import { LaneRouter } from './lane-router.ts';
import type { SessionUpdate } from './update.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const startedAt = Date.UTC(2026, 10, 21, 9);

let database: Database;
let intake: Intake;
let shards: Shards | undefined;

beforeAll(async () => {
  database = await testDatabase({ max: 8 });
  shards = await readShards(database.pool, 'written_histories');
});
afterAll(() => database.close());
beforeEach(async () => {
  intake = await testIntake(database, clock);
});
afterEach(() => intake.stop());

const updateOf = (sims: TestSims, index: number, facts: Partial<SessionUpdate>): SessionUpdate =>
  sessionUpdate({ imsi: sims.imsi(index), at: startedAt }, facts);
const storeAll = (sims: TestSims, facts: Partial<SessionUpdate>) =>
  Promise.all(sims.ids.map((_, index) => storeUpdate(intake, updateOf(sims, index, facts))));

/** The nodes that took part in the two-phase commit of each transaction in `work`. */
const participants = async (work: () => Promise<unknown>): Promise<number[][]> => {
  const watcher = new pg.Client({ connectionString: database.url });
  await watcher.connect();
  try {
    // The extension deletes finished transactions when it can take this lock, so the test holds it.
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

const histories = async (simIds: readonly number[]) => {
  const count = (table: string) =>
    `(select count(*)::integer from ${table} where sim_id = any($1)) as ${table}`;
  const { rows } = await database.pool.query<{ cdrs: number; sim_events: number; unwritten: number }>(
    `select ${count('cdrs')}, ${count('sim_events')}, (select count(*)::integer from unwritten_histories) as unwritten`,
    [simIds],
  );
  return rows[0];
};

if (inject('databaseServers').length > 1) {
  describe('a batch of accounting on a cluster', () => {
    it('is committed on the coordinator and then by each node alone, without a second phase', async () => {
      const sims = await radiusInventory(database, 40);
      const nodes = new Set(sims.ids.map((id) => shards?.nodeOf(shards.shardOf(id))));
      expect(nodes.size).toBe(2);
      const steps: Partial<SessionUpdate>[] = [
        { status: 'start' },
        { at: startedAt + minuteMs, up: 10 },
        // In the next hour, which writes the sums of the previous one.
        { at: startedAt + 70 * minuteMs, up: 30 },
        { at: startedAt + 80 * minuteMs, up: 70, status: 'stop' },
      ];
      expect(
        await participants(async () => {
          for (const step of steps) await storeAll(sims, step);
        }),
      ).toEqual([]);
      expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(40 * 70));
      expect(await histories(sims.ids)).toEqual({ cdrs: 120, sim_events: 80, unwritten: 0 });
    });

    it('writes the history of a SIM of another node to that node', async () => {
      const sims = await radiusInventory(database, 40);
      const nodeOf = (index: number) => shards?.nodeOf(shards.shardOf(sims.ids[index] ?? 0));
      const other = sims.ids.findIndex((_, index) => nodeOf(index) !== nodeOf(0));
      const ip = '10.7.0.1';
      await storeUpdate(intake, updateOf(sims, 0, { status: 'start', ip }));
      await storeUpdate(intake, updateOf(sims, other, { status: 'start', ip, at: startedAt + minuteMs }));
      const { rows } = await database.pool.query(
        'select terminate_cause as cause from radius_sessions where sim_id = any($1) order by started_at',
        [sims.ids],
      );
      expect(rows).toEqual([{ cause: 'Superseded' }, { cause: null }]);
      expect(await histories(sims.ids)).toEqual({ cdrs: 0, sim_events: 3, unwritten: 0 });
    });
  });

  describe('a history that is not yet written to its node', () => {
    let sims: TestSims;
    let holder: pg.PoolClient;
    let stored: Promise<unknown>;
    /** As a file names it. */
    const session = { sessionId: 'S1', sessionKey: sessionKeyOf('S1', 'pgw-1'), nas: 'pgw-1' };

    /** The next batch of the SIM is committed, but the node can't note that it was given it. */
    beforeEach(async () => {
      sims = await radiusInventory(database, 1);
      await storeUpdate(intake, updateOf(sims, 0, { ...session, status: 'start' }));
      holder = await database.pool.connect();
      await holder.query('begin');
      await holder.query(
        'insert into written_histories (sim_id, history_id) select $1, max(last_value) + 1 from unwritten_histories_id_seq',
        [sims.ids[0]],
      );
      stored = storeUpdate(intake, updateOf(sims, 0, { ...session, at: startedAt + minuteMs, up: 10 })).catch(
        () => undefined,
      );
      await expect.poll(() => histories(sims.ids)).toEqual({ cdrs: 0, sim_events: 1, unwritten: 1 });
    });
    afterEach(() => holder.release());

    const endProcess = async () => {
      await intake.stop();
      // As old as the leftovers of a process that ended.
      await database.pool.query(
        `update unwritten_histories set recorded_at = recorded_at - interval '1 minute'`,
      );
    };
    const isWhole = async (more: { sim_events?: number } = {}) => {
      await expect.poll(() => histories(sims.ids)).toEqual({ cdrs: 1, sim_events: 1, unwritten: 0, ...more });
      expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(10));
      const { rows } = await database.pool.query(
        `select count(*)::integer as facts from outbox where org_id = $1 and topic = 'usage.recorded'`,
        [sims.orgId],
      );
      expect(rows).toEqual([{ facts: 1 }]);
    };

    it('is written by another process if the one that committed it has ended', async () => {
      await endProcess();
      for (const server of inject('databaseServers').slice(1))
        await withClient(databaseAt(server, new URL(database.url).pathname.slice(1)), (client) =>
          client.query(
            `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'simcube intake histories'`,
          ),
        );
      await holder.query('rollback');
      expect(await histories(sims.ids)).toEqual({ cdrs: 0, sim_events: 1, unwritten: 1 });
      intake = await testIntake(database, clock);
      await isWhole();
    });

    it('is not written twice if the process ended after the write', async () => {
      const other = await database.pool.connect();
      await other.query('begin');
      await other.query('select from unwritten_histories for update');
      await holder.query('rollback');
      await expect.poll(() => histories(sims.ids)).toEqual({ cdrs: 1, sim_events: 1, unwritten: 1 });
      await intake.stop();
      await other.query('rollback');
      other.release();
      await endProcess();
      expect(await histories(sims.ids)).toEqual({ cdrs: 1, sim_events: 1, unwritten: 1 });
      intake = await testIntake(database, clock);
      await isWhole();
    });

    const oneMoreEvent = () => ({
      name: 'one-more-event',
      text: `insert into sim_events (sim_id, org_id, at, kind) values ($1, $2, $3, 'connected')`,
      values: [sims.ids[0], sims.orgId, new Date(startedAt)],
    });
    /** After it was written, another process leaves the same batch, with a change. */
    const leaveAgain = async (change: (unwritten: Unwritten) => Unwritten) => {
      const [first] = await listUnwritten(database.pool, -1);
      if (!first) throw new Error('Nothing is left');
      await holder.query('rollback');
      expect(await stored).toBe('stored');
      await database.pool.query(addUnwritten(sims.ids, change(first)));
      await endProcess();
      intake = await testIntake(database, clock);
    };

    it('is written except for records that already exist', async () => {
      await leaveAgain(({ parts }) => ({
        followUps: [],
        parts: parts.map((part) => ({ ...part, statements: [...part.statements, oneMoreEvent()] })),
      }));
      await isWhole({ sim_events: 2 });
    });

    it('is written by the coordinator if its node has left the cluster', async () => {
      await leaveAgain(({ parts }) => ({
        followUps: [],
        parts: parts.map((part) => ({
          ...part,
          node: 99,
          statements: [oneMoreEvent()],
        })),
      }));
      await isWhole({ sim_events: 2 });
    });

    it('does not block others if the node rejects it permanently', async () => {
      await leaveAgain(({ parts }) => ({
        followUps: [],
        parts: parts.map((part) => ({
          ...part,
          statements: [{ name: 'refused', text: 'select 1 / 0', values: [] }],
        })),
      }));
      const others = await radiusInventory(database, 1);
      expect(await storeUpdate(intake, updateOf(others, 0, { ip: '10.9.9.8', up: 10 }))).toBe('stored');
      expect(await histories(others.ids)).toEqual({ cdrs: 1, sim_events: 1, unwritten: 1 });
      await database.pool.query('delete from unwritten_histories');
      await isWhole();
    });

    it('delays the reply, and a file with the same record waits for it', async () => {
      const { rows } = await database.pool.query<{ iccid: string }>(
        'select iccid from sims where id = $1',
        sims.ids,
      );
      const file = [
        'iccid,session_id,gateway,ended_at,up_bytes,down_bytes,session_up_bytes,session_down_bytes',
        `${rows[0]?.iccid},S1,pgw-1,${new Date(startedAt + minuteMs).toISOString()},10,0,10,0`,
      ].join('\n');
      const imported = importCdrs({
        countForPools: addToPools,
        pool: database.pool,
        clock,
        source: sourceOf(file),
      });
      const either = Promise.race([stored, imported, sleep(500, 'neither')]);
      expect(await either).toBe('neither');
      await holder.query('rollback');
      expect(await stored).toBe('stored');
      expect(await imported).toMatchObject({ accepted: 0, duplicate: 1 });
      await isWhole();
    });
  });
}

describe('records whose SIMs are looked up before they are queued', () => {
  const handed: [string, number, number | undefined][] = [];
  const routerOf = (isFull = false) =>
    new LaneRouter({
      pool: database.pool,
      clock,
      log: createLog({ level: 'silent', format: 'json' }),
      size: 100,
      maxQueue: 5,
      dispatch: ({ update }, simId) => {
        handed.push([update.identity, update.at, simId]);
        return !isFull;
      },
    });
  beforeEach(() => {
    handed.length = 0;
  });
  const done = () => undefined;

  it('arrive in order, by any identifier, without a SIM for an unknown identifier', async () => {
    const sims = await radiusInventory(database, 2);
    const router = routerOf();
    const msisdn = `any:${491_500_000_000 + sims.orgId * 1_000_000}`;
    const names = [
      `imsi:${sims.imsi(0)}`,
      msisdn,
      'imsi:999',
      `any:999 any:${sims.imsi(1)} imsi:${sims.imsi(0)}`,
      `any:998 imsi:${sims.imsi(1)}`,
    ];
    for (const [at, identity] of names.entries())
      expect(router.add({ update: updateOf(sims, 0, { identity, at }), done })).toBe(true);
    expect(router.add({ update: updateOf(sims, 0, { identity: 'imsi:998' }), done })).toBe(false);
    expect(router.waiting).toBe(5);
    await router.settled();
    const [first, second] = sims.ids;
    expect(handed).toEqual([first, first, undefined, second, second].map((id, at) => [names[at], at, id]));
    // Known now, so it is passed on immediately.
    expect(router.add({ update: updateOf(sims, 0, { at: 6 }), done })).toBe(true);
    expect(handed.at(-1)).toEqual([names[0], 6, first]);
    await router.stop();
  });

  it('are refused if the lane is full by then, so that they are retransmitted', async () => {
    const sims = await radiusInventory(database, 1);
    const outcome = new Promise((resolve) => {
      routerOf(true).add({ update: updateOf(sims, 0, {}), done: resolve });
    });
    expect(await outcome).toBe('refused');
  });
});
