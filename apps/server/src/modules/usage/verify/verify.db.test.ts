import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import {
  clearUsage,
  fileOf,
  makeUsageSims,
  someRecords,
  sourceOf,
  storedUsage,
} from '../../../testing/usage-records.ts';
import { operatorActor } from '../../audit/index.ts';
import { addToPools, pooledUsage } from '../../pool/index.ts';
import { importCdrs } from '../index.ts';
import { repairUsage } from './repair.service.ts';
import type { UsageDifference } from './verify.queries.ts';
import { verifyUsage } from './verify.service.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const database = await testDatabase();
const sims = await makeUsageSims(database.pool);
const [first] = sims;
afterAll(() => database.close());

beforeEach(async () => {
  await clearUsage(database.pool);
  const source = sourceOf(fileOf(someRecords(sims, 300, clock.now())));
  await importCdrs({ countForPools: addToPools, pool: database.pool, clock, source });
});

const verify = async () => {
  const differences: UsageDifference[] = [];
  const onDifference = (difference: UsageDifference) => differences.push(difference);
  const report = await verifyUsage({ pool: database.pool, pooledUsage, now: clock.now(), onDifference });
  return { ...report, differences };
};
const spoil = (statement: string) => database.pool.query(statement, [first.id]);

describe('the comparison of CDRs, rollups and counters', () => {
  it('finds nothing when all agree', async () => {
    expect(await verify()).toEqual({ sims: 3, pools: 0, differing: 0, differences: [] });
  });

  it('finds a counter that lacks usage, in the current cycle or a closed one', async () => {
    for (const table of ['sim_live', 'usage_cycles']) {
      await spoil(`update ${table} set used_bytes = used_bytes + 5 where sim_id = $1`);
      const { differing, differences } = await verify();
      expect([differing, differences.map(({ iccid, what }) => [iccid, what])]).toEqual([
        1,
        [[first.iccid, 'counters']],
      ]);
    }
  });

  it('compares the counters of a SIM whose first cycles are older than its records', async () => {
    await spoil(
      `insert into usage_cycles values ($1, '2025-01-01T00:00Z', '2025-02-01T00:00Z', 99),
         ($1, '2025-11-15T00:00Z', '2025-12-15T00:00Z', 77)`,
    );
    expect((await verify()).differing).toBe(0);
    await spoil('update sim_live set used_bytes = used_bytes - 5 where sim_id = $1');
    expect((await verify()).differences).toMatchObject([{ iccid: first.iccid, what: 'counters' }]);
  });

  it.each([
    ['usage_hourly', 'hours'],
    ['usage_daily', 'days'],
  ])('finds rows of %s that are wrong, missing or too many', async (table, what) => {
    const found = async () =>
      (await verify()).differences.map((difference) => [difference.iccid, difference.what]);
    await spoil(`update ${table} set up_bytes = up_bytes + 1 where sim_id = $1`);
    expect(await found()).toEqual([[first.iccid, what]]);
    await spoil(`delete from ${table} where sim_id = $1`);
    expect(await found()).toEqual([[first.iccid, what]]);
  });

  it('finds records that are counted nowhere', async () => {
    await spoil(
      `insert into cdrs (sim_id, ended_at, dedupe_key, started_at, org_id, up_bytes, down_bytes, source)
       select sim_id, ended_at, dedupe_key + 1, started_at, org_id, 7, 0, 1 from cdrs where sim_id = $1 limit 1`,
    );
    const found = (await verify()).differences;
    expect(found.filter(({ iccid }) => iccid).map(({ what }) => what)).toEqual(['counters', 'days', 'hours']);
    expect(found.filter(({ organisation }) => organisation === 'acme').map(({ what }) => what)).toEqual([
      'days',
      'hours',
    ]);
  });

  it.each([
    ['org_usage_hourly', 'hours'],
    ['org_usage_daily', 'days'],
  ])('finds rows of %s that are wrong or missing', async (table, what) => {
    // One for each month: the records are from three.
    const found = async () =>
      (await verify()).differences.map(({ organisation, month, what: found }) => [
        organisation,
        month,
        found,
      ]);
    const months = ['2026-09', '2026-10', '2026-11'].map((month) => ['acme', month, what]);
    for (const statement of [
      `update ${table} set down_bytes = down_bytes - 1 where org_id = $1`,
      `delete from ${table} where org_id = $1`,
    ]) {
      await database.pool.query(statement, [first.orgId]);
      expect(await found()).toEqual(months);
    }
  });
});

describe('the repair', () => {
  const repair = async () => {
    const { pool } = database;
    const options = {
      pool,
      pooledUsage,
      now: clock.now(),
      onDifference: () => undefined,
      actor: operatorActor(),
    };
    return repairUsage(options);
  };
  const audited = async () =>
    (
      await database.pool.query(
        `select subject_kind, subject_id, before, after from audit_entries where action = 'usage.repaired' order by at, number`,
      )
    ).rows;

  beforeEach(() => database.pool.query('truncate audit_entries, audit_heads'));

  it('changes nothing, and records nothing, where nothing differs', async () => {
    const before = await storedUsage(database.pool);
    expect(await repair()).toEqual({ sims: 3, pools: 0, differing: 0, repaired: 0, left: 0 });
    expect(await storedUsage(database.pool)).toEqual(before);
    expect(await audited()).toEqual([]);
  });

  it.each([
    ['the running cycle', 'update sim_live set used_bytes = used_bytes - 5 where sim_id = $1'],
    ['closed cycles', 'update usage_cycles set used_bytes = used_bytes + 7 where sim_id = $1'],
    ['hours', 'delete from usage_hourly where sim_id = $1'],
    ['days', 'update usage_daily set up_bytes = 2 * up_bytes, records = records - 1 where sim_id = $1'],
  ])('corrects %s of a SIM by its records', async (_, statement) => {
    const right = await storedUsage(database.pool);
    await spoil(statement);
    expect(await repair()).toEqual({ sims: 3, pools: 0, differing: 1, repaired: 1, left: 0 });
    expect(await storedUsage(database.pool)).toEqual(right);
    expect(await audited()).toMatchObject([{ subject_kind: 'sim', subject_id: first.iccid }]);
  });

  it.each(['org_usage_hourly', 'org_usage_daily'])('makes %s what the records say', async (table) => {
    const right = await storedUsage(database.pool);
    await database.pool.query(`update ${table} set up_bytes = up_bytes + 3 where org_id = $1`, [first.orgId]);
    await database.pool.query(`delete from ${table} where org_id <> $1`, [first.orgId]);
    expect(await repair()).toEqual({ sims: 3, pools: 0, differing: 2, repaired: 2, left: 0 });
    expect(await storedUsage(database.pool)).toEqual(right);
    const entries = (await audited()).map(({ subject_id: id, after }) => `${id} ${after.month}`);
    expect(entries.toSorted()).toEqual(
      ['acme', 'other'].flatMap((code) =>
        ['2026-09', '2026-10', '2026-11'].map((month) => `${code} ${month}`),
      ),
    );
  });

  it('evaluates a SIM by its actual usage: quota, threshold and event', async () => {
    const { rows } = await database.pool.query('select used_bytes as used from sim_live where sim_id = $1', [
      first.id,
    ]);
    const limit = rows[0].used - 1;
    await spoil(
      `update sim_live set used_bytes = 0, limit_bytes = ${limit}, threshold_bytes = ${limit} where sim_id = $1`,
    );
    await repair();
    const live = await database.pool.query(
      'select used_bytes as used, over_limit as over from sim_live where sim_id = $1',
      [first.id],
    );
    expect(live.rows).toEqual([{ used: limit + 1, over: true }]);
    const facts = await database.pool.query(
      `select payload ->> 'iccid' as iccid from outbox where topic = 'usage.threshold-crossed'`,
    );
    expect(facts.rows).toEqual([{ iccid: first.iccid }]);
    await spoil(
      'update sim_live set limit_bytes = null, threshold_bytes = null, over_limit = false where sim_id = $1',
    );
  });

  it('neither loses nor repeats records of a concurrent import', async () => {
    for (let round = 0; round < 5; round += 1) {
      await spoil('update sim_live set used_bytes = used_bytes + 11 where sim_id = $1');
      await spoil('update usage_hourly set up_bytes = up_bytes + 1 where sim_id = $1');
      await database.pool.query('update org_usage_hourly set up_bytes = up_bytes + 1');
      const records = someRecords(sims, 200, clock.now()).map((record) => ({
        ...record,
        id: `${round} ${record.id}`,
      }));
      const imported = importCdrs({
        countForPools: addToPools,
        pool: database.pool,
        clock,
        source: sourceOf(fileOf(records)),
      });
      const [, { accepted }] = await Promise.all([repair(), imported]);
      expect(accepted).toBe(200);
      // Usage counted on a wrong counter is repaired by the next run at the latest.
      await repair();
      expect((await verify()).differences).toEqual([]);
    }
  });
});
