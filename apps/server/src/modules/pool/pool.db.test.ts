import { hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { expectPoolsVerified, makePool, orderShared } from '../../testing/pools.ts';
import { radiusInventory, type TestSims } from '../../testing/radius.ts';
import { sessionUpdate, storeUpdate, testIntake } from '../../testing/session-updates.ts';
import { fileOf, sourceOf, type UsageRecord } from '../../testing/usage-records.ts';
import type { Intake } from '../aaa/intake/intake.ts';
import type { SessionUpdate } from '../aaa/intake/update.ts';
import { operatorActor } from '../audit/index.ts';
import { importCdrs, type UsageDifference, verifyUsage } from '../usage/index.ts';
import { repairUsage } from '../usage/verify/repair.service.ts';
import { findCycle, sumShards, sumTerms } from './cycles/cycle.views.ts';
import { addToPools, pooledUsage } from './index.ts';
import { enforcePools, evaluatePool } from './limit/limit.service.ts';
import { exitSims, syncMemberships } from './membership/membership.service.ts';
import { changeLimit, setPool } from './pool.service.ts';
import { rollOverPools } from './rollover.service.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const month = Date.UTC(2026, 9, 31, 16);
const log = createLog({ level: 'silent', format: 'json' });

let database: Database;
/** Two processes, whose connections have different shards. */
let intakes: Intake[];

beforeAll(async () => {
  database = await testDatabase({ max: 8 });
  intakes = [await testIntake(database, clock), await testIntake(database, clock)];
});
afterAll(async () => {
  await Promise.all(intakes.map((intake) => intake.stop()));
  await database.close();
});

/** A pool of active SIMs that have been members since the start of the previous month. */
const poolOf = async (count: number, quotaBytes = 1_000_000) => {
  const { pool } = database;
  const sims = await radiusInventory(database, count);
  const since = new Date(month - 20 * 24 * hourMs);
  const shared = await makePool(pool, sims.orgId, { now: since, quotaBytes });
  await orderShared(
    pool,
    shared,
    sims.ids.map((_, index) => sims.iccid(index)),
    since,
  );
  await shared.enrol(sims.ids, since);
  return { sims, shared };
};
const send = (by: number, sims: TestSims, index: number, facts: Partial<SessionUpdate>) => {
  const intake = intakes[by % intakes.length] as Intake;
  return storeUpdate(intake, sessionUpdate({ imsi: sims.imsi(index), at: month }, facts));
};
const verified = () => expectPoolsVerified(database.pool, clock.now());
const used = (poolId: number, at: number) => sumShards(database.pool, poolId, new Date(at));
const judge = async (poolId: number) => {
  await inTransaction(database.pool, (tx) => evaluatePool(tx, { poolId, now: clock.now() }));
  await inTransaction(database.pool, (tx) => enforcePools(tx, { poolIds: [poolId], now: clock.now() }));
};
const stopped = async (sims: TestSims) =>
  (
    await database.pool.query<{ id: number }>(
      'select sim_id as id from sim_live where sim_id = any($1) and pool_stopped_until > $2 order by 1',
      [sims.ids, clock.now()],
    )
  ).rows.map(({ id }) => sims.ids.indexOf(id));

describe('the counter of a pool', () => {
  it('equals the sum of its members’ CDRs, with two processes, doubled, late and reordered records', async () => {
    const { sims, shared } = await poolOf(20);
    const updates = sims.ids.flatMap((_, index) =>
      Array.from({ length: 12 }, (_, step) => ({
        index,
        facts: {
          sessionKey: 1000 * sims.orgId + step,
          sessionId: `S${step}`,
          // Some in the previous month, some in the current one.
          at: month - 3 * hourMs + ((index + step) % 7) * hourMs,
          up: 10 * step + index,
          down: 7,
        },
      })),
    );
    const place = ({ index, facts }: (typeof updates)[number]) => (index * 31 + facts.up * 17) % 13;
    const twice = [...updates, ...updates].toSorted((a, b) => place(a) - place(b));
    await Promise.all(twice.map(({ index, facts }, by) => send(by, sims, index, facts)));
    const bytes = updates.reduce((sum, { facts }) => sum + facts.up + facts.down, 0);
    const before = await used(shared.id, month - 31 * 24 * hourMs);
    expect(before).toBeGreaterThan(0);
    expect(before + (await used(shared.id, month))).toBe(bytes);
    await verified();
  });

  it('counts what a SIM used before it was known to be a member, once', async () => {
    const { sims, shared } = await poolOf(1);
    const { pool } = database;
    const at = new Date(month + hourMs);
    await inTransaction(pool, (tx) =>
      exitSims(tx, { simIds: sims.ids, reason: 'ordered', now: new Date(month) }),
    );
    await send(0, sims, 0, { at: month + 2 * hourMs, up: 100, down: 0 });
    expect(await used(shared.id, month)).toBe(0);
    await shared.enrol(sims.ids, at);
    expect(await used(shared.id, month)).toBe(100);
    await send(1, sims, 0, { at: month + 3 * hourMs, up: 150, down: 0 });
    // It was not a member then.
    await send(0, sims, 0, { sessionKey: 5, at: month + hourMs / 2, up: 9, down: 0 });
    expect(await used(shared.id, month)).toBe(150);
    await verified();
  });

  it('counts files as it counts packets', async () => {
    const { sims, shared } = await poolOf(3);
    const records = sims.ids.flatMap((id, index) =>
      [month - hourMs, month + hourMs, month + hourMs].map((at, n): UsageRecord => {
        const sim = { id, orgId: sims.orgId, iccid: sims.iccid(index), imsi: sims.imsi(index), msisdn: '' };
        return { sim, id: `${index}-${n}`, endedAt: at + n, up: 100, down: index, mnc: 2, radio: 3 };
      }),
    );
    await importCdrs({
      pool: database.pool,
      clock,
      countForPools: addToPools,
      source: sourceOf(fileOf(records)),
    });
    expect(await used(shared.id, month)).toBe(606);
    await verified();
  });
});

describe('a member', () => {
  it.each([
    ['standard', 1000, 1000],
    ['pro-rata', 32, 1000],
  ] as const)(
    'that became active on the last day of a cycle contributes to it, also when that is learned of in the next: %s',
    async (rule, then, afterwards) => {
      const { pool } = database;
      const sims = await radiusInventory(database, 1);
      const made = new Date(month - 20 * 24 * hourMs);
      const settings = { quotaBytes: 1000, opt_in: 'automatic', activation_rule: rule } as const;
      const shared = await makePool(pool, sims.orgId, { now: made, ...settings });
      await orderShared(pool, shared, [sims.iccid(0)], new Date(month - hourMs));
      for (const simId of sims.ids)
        await inTransaction(pool, (tx) =>
          syncMemberships(tx, { simIds: [simId], now: new Date(month + hourMs) }),
        );
      const limits = [month - 1, month, month + 31 * 24 * hourMs].map(async (at) => {
        const cycle = await findCycle(pool, shared.id, new Date(at));
        return sumTerms(pool, shared.id, cycle?.startedAt ?? new Date(0));
      });
      // October has 31 days, of which one was left.
      expect(await Promise.all(limits)).toEqual([then, afterwards, afterwards]);
    },
  );

  it('is no SIM that was activated before its pool enrolled automatically, whatever it orders later', async () => {
    const { pool } = database;
    const sims = await radiusInventory(database, 2);
    const made = new Date(month - 20 * 24 * hourMs);
    const shared = await makePool(pool, sims.orgId, { now: made });
    const iccids = [sims.iccid(0), sims.iccid(1)];
    const by = (at: number) => ({ actor: operatorActor(), at: new Date(at) });
    await orderShared(pool, shared, iccids.slice(0, 1), new Date(month - 5 * 24 * hourMs));
    await send(0, sims, 0, { at: month - hourMs, up: 700, down: 0 });
    await inTransaction(pool, (tx) =>
      setPool(tx, { ...shared.spec, opt_in: 'automatic' }, by(month + hourMs)),
    );
    await orderShared(pool, shared, iccids.slice(1), new Date(month + 2 * hourMs));
    // As after a top-up of each.
    for (const simId of sims.ids)
      await inTransaction(pool, (tx) =>
        syncMemberships(tx, { simIds: [simId], now: new Date(month + 3 * hourMs) }),
      );
    const { rows } = await pool.query('select sim_id as id from pool_members where pool_id = $1', [
      shared.id,
    ]);
    expect(rows.map(({ id }) => id)).toEqual(sims.ids.slice(1));
    expect(await used(shared.id, month - 31 * 24 * hourMs)).toBe(0);
    await verified();
  });

  it.each([
    ['whose order ended', `update bundle_orders set status = 'expired', expires_at = $2 where sim_id = $1`],
    ['that was terminated', `update sims set lifecycle = 50, lifecycle_changed_at = $2 where id = $1`],
  ])(
    '%s at the end of a cycle contributes nothing to the next, also when that is learned of in it',
    async (_, end) => {
      const { sims, shared } = await poolOf(3, 1000);
      const { pool } = database;
      const [gone = 0, later = 0] = sims.ids;
      await pool.query(end, [gone, new Date(month - hourMs)]);
      // A record shows that this one was used beyond the turn.
      await send(0, sims, 1, { at: month + hourMs / 2, up: 40, down: 0 });
      await pool.query(end, [later, new Date(month - hourMs)]);
      const now = new Date(month + hourMs);
      await inTransaction(pool, async (tx) => {
        for (const simId of [gone, later]) await syncMemberships(tx, { simIds: [simId], now });
      });
      expect(await sumTerms(pool, shared.id, new Date(month - 1))).toBe(3000);
      expect(await sumTerms(pool, shared.id, new Date(month))).toBe(2000);
      const next = await findCycle(pool, shared.id, new Date(month + 31 * 24 * hourMs));
      expect(await sumTerms(pool, shared.id, next?.startedAt ?? now)).toBe(1000);
      await verified();
    },
  );
});

describe('a pool that is used up', () => {
  it('stops members above their own contribution, across shards that do not see each other', async () => {
    const { sims, shared } = await poolOf(4, 1000);
    await judge(shared.id);
    const at = month + hourMs;
    await Promise.all(
      sims.ids.map((_, index) => send(index, sims, index, { at, up: 900 + 200 * (index % 2) })),
    );
    await judge(shared.id);
    expect(await stopped(sims)).toEqual([1, 3]);
    await shared.raise(10_000, clock.now());
    await judge(shared.id);
    expect(await stopped(sims)).toEqual([]);
    await verified();
  });

  it('triggers the evaluation when its limit is reached, whichever shard counts the last octet', async () => {
    const { sims, shared } = await poolOf(2, 1000);
    const facts = async () =>
      (
        await database.pool.query<{ facts: number }>(
          `select count(*)::int as facts from outbox where topic = 'pool.usage-crossed' and org_id = $1`,
          [sims.orgId],
        )
      ).rows[0]?.facts ?? 0;
    let up = 0;
    for (; up < 1100; up += 50) {
      for (const index of [0, 1]) {
        const before = await facts();
        await send(index, sims, index, { at: month + hourMs + up, up });
        if ((await facts()) > before) await judge(shared.id);
      }
    }
    const { rows } = await database.pool.query(
      `select kind from pool_events where pool_id = $1 and kind = 'pool overage'`,
      [shared.id],
    );
    expect(rows).toHaveLength(1);
    expect(await stopped(sims)).toEqual([0, 1]);
    // Far fewer than records: only crossings trigger it.
    expect(await facts()).toBeLessThan(30);
  });

  it('records the limit before and after it was lowered, and stops members above what is left', async () => {
    const { sims, shared } = await poolOf(2, 1000);
    await send(0, sims, 0, { at: month + hourMs, up: 1200 });
    await send(1, sims, 1, { at: month + hourMs, up: 300 });
    await judge(shared.id);
    expect(await stopped(sims)).toEqual([]);
    expect(await shared.raise(-600, clock.now())).toEqual({ before: 2000, after: 1400 });
    await judge(shared.id);
    expect(await stopped(sims)).toEqual([0]);
    const { rows } = await database.pool.query(
      `select kind, limit_before_bytes as before, limit_after_bytes as after, used_bytes as used, facts from pool_events
       where pool_id = $1 and kind in ('pool limit increase', 'pool limit decrease', 'pool overage') order by id`,
      [shared.id],
    );
    expect(rows).toMatchObject([
      { kind: 'pool limit decrease', before: 2000, after: 1400, used: 1500, facts: { bytes: -600 } },
      { kind: 'pool overage', before: 1400, after: 1400, used: 1500 },
    ]);
    await expect(shared.raise(-1401, clock.now())).rejects.toThrow("can't be lowered by 1401");
    await verified();
  });

  it('records its limit after it was raised, even if more had been deducted than there was', async () => {
    const { sims, shared } = await poolOf(2, 1000);
    const { pool } = database;
    const lowered = { ...shared.spec, bytes: -1500, everyCycle: true };
    const by = { actor: operatorActor(), at: new Date(month - hourMs) };
    await inTransaction(pool, (tx) => changeLimit(tx, lowered, by));
    await inTransaction(pool, (tx) => exitSims(tx, { simIds: sims.ids, reason: 'ordered', now: by.at }));
    // In the next cycle, 1500 were deducted, and no SIM contributes.
    expect(await shared.raise(1000, clock.now())).toEqual({ before: 0, after: 0 });
    expect(await shared.raise(800, clock.now())).toEqual({ before: 0, after: 300 });
    const { rows } = await pool.query(
      `select limit_before_bytes as before, limit_after_bytes as after from pool_events
       where pool_id = $1 and kind = 'pool limit increase' order by id`,
      [shared.id],
    );
    expect(rows).toEqual([
      { before: 0, after: 0 },
      { before: 0, after: 300 },
    ]);
  });

  it('recovers at the start of the next cycle, and records it', async () => {
    const { sims, shared } = await poolOf(1, 1000);
    await send(0, sims, 0, { at: month + hourMs, up: 2000 });
    await judge(shared.id);
    expect(await stopped(sims)).toEqual([0]);
    const now = new Date('2026-12-01T00:00:00Z');
    await rollOverPools({ ...database, now, log });
    await rollOverPools({ ...database, now, log });
    const { rows } = await database.pool.query<{ kind: string }>(
      `select kind from pool_events where pool_id = $1 and at = '2026-11-30T16:00:00Z' order by id`,
      [shared.id],
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['overage recovery', 'new pool launch']);
    const { rows: facts } = await database.pool.query<{ kind: string }>(
      `select payload->>'kind' as kind from outbox
       where topic = 'pool.event-recorded' and (payload->>'poolId')::bigint = $1 and org_id = $2 order by id`,
      [shared.id, sims.orgId],
    );
    const entered = await database.pool.query('select kind from pool_events where pool_id = $1 order by id', [
      shared.id,
    ]);
    expect(facts).toEqual(entered.rows);
  });
});

describe('usage verify', () => {
  const differing = async (work: typeof verifyUsage | typeof repairUsage) => {
    const found: UsageDifference[] = [];
    const { sims, pools, ...report } = await work({
      pool: database.pool,
      pooledUsage,
      now: clock.now(),
      actor: operatorActor(),
      onDifference: (difference) => found.push(difference),
    });
    expect(pools).toBeGreaterThan(0);
    return { ...report, found: found.map(({ pool, cycle, what }) => [pool, cycle, what]) };
  };

  it('finds where a pool differs from its CDRs, corrects it, and evaluates the limit again', async () => {
    const { sims, shared } = await poolOf(3, 1000);
    await judge(shared.id);
    for (const index of [0, 1, 2])
      await send(index, sims, index, { at: month + hourMs, up: 900 + 200 * index });
    for (const statement of [
      'update pool_counters set used_bytes = 0, wake_bytes = 1000 where pool_id = $1',
      'update pool_usage_hourly set records = records + 1, up_bytes = 0 where pool_id = $1',
      `delete from pool_usage where pool_id = $1 and used_bytes > 1200`,
    ])
      await database.pool.query(statement, [shared.id]);
    const found = ['counters', 'hours', 'members'].map((what) => ['Trucks', '2026-11-01', what]);
    expect(await differing(verifyUsage)).toEqual({ differing: 1, found });
    expect(await differing(repairUsage)).toEqual({ differing: 1, found, repaired: 1, left: 0 });
    expect(await differing(verifyUsage)).toEqual({ differing: 0, found: [] });
    await verified();
    const { rows } = await database.pool.query(
      `select a.subject_id, a.before ->> 'counters_bytes' as before, a.after ->> 'counters_bytes' as after, e.kind
       from audit_entries a join pool_events e on e.pool_id = a.subject_id::bigint and e.kind = 'pool overage'
       where a.action = 'usage.repaired'`,
    );
    expect(rows).toEqual([
      { subject_id: String(shared.id), before: '0', after: '3300', kind: 'pool overage' },
    ]);
    await judge(shared.id);
    expect(await stopped(sims)).toEqual([1, 2]);
  });

  it('loses and repeats nothing that is counted during the repair', async () => {
    const { sims, shared } = await poolOf(4, 1e9);
    for (let round = 1; round <= 5; round += 1) {
      await database.pool.query(
        'update pool_usage set used_bytes = used_bytes + 7 where pool_id = $1 and sim_id = $2',
        [shared.id, sims.ids[round % 4]],
      );
      const sent = sims.ids.map((_, index) =>
        send(round + index, sims, index, { at: month + round * 60_000, up: 100 * round }),
      );
      await Promise.all([differing(repairUsage), ...sent]);
    }
    await differing(repairUsage);
    await verified();
    expect(await used(shared.id, month)).toBe(2000);
  });
});

it('a pool that no job evaluated for several cycles records the start of each, and its recovery', async () => {
  const { sims, shared } = await poolOf(1, 1000);
  await send(0, sims, 0, { at: month + hourMs, up: 2000 });
  await judge(shared.id);
  await rollOverPools({ ...database, now: new Date('2027-01-05T00:00:00Z'), log });
  const { rows } = await database.pool.query<{ kind: string; at: Date }>(
    `select kind, at from pool_events where pool_id = $1 and at >= '2026-11-30T16:00:00Z' order by id`,
    [shared.id],
  );
  expect(rows.map(({ kind, at }) => [kind, at.toISOString()])).toEqual([
    ['overage recovery', '2026-11-30T16:00:00.000Z'],
    ['new pool launch', '2026-11-30T16:00:00.000Z'],
    ['new pool launch', '2026-12-31T16:00:00.000Z'],
  ]);
});
