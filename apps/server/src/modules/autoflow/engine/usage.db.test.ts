import type { RuleDefinition } from '@simcube/contract/autoflow';
import { dayMs, minuteMs } from '@simcube/contract/time';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { firingsOf, makeRule, type TestRule } from '../../../testing/autoflow-rules.ts';
import { importRecords } from '../../../testing/cdrs.ts';
import { testDatabase } from '../../../testing/database.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { radiusInventory, type TestSims } from '../../../testing/radius.ts';
import { sessionUpdate, storeUpdate, testIntake } from '../../../testing/session-updates.ts';
import type { Intake } from '../../aaa/intake/intake.ts';
import { listSimDays } from '../../cdr/index.ts';
import { autoflowJobs } from '../autoflow.jobs.ts';
import { evaluateUsage, type RecordEnds } from './usage.service.ts';

const begin = Date.parse('2026-11-20T10:00:00Z');
const kb = 1024;

const clock = new FixedClock(new Date(begin));
let database: Database;
let intake: Intake | undefined;
let sims: TestSims;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  clock.set(new Date(begin));
  sims = await radiusInventory(database, 2);
});
afterEach(async () => {
  await intake?.stop();
  intake = undefined;
});

/** Cumulative usage of each SIM's session, in KB. */
const totals = new Map<string, number>();

/** Usage of a SIM that ended this many minutes after the start; the clock follows. */
const use = async (minutes: number, kilobytes: number, index = 0) => {
  intake ??= await testIntake(database, clock);
  const imsi = sims.imsi(index);
  const isLate = minutes < 0;
  const total = (totals.get(imsi) ?? 0) + (isLate ? 0 : kilobytes);
  totals.set(imsi, total);
  const at = begin + minutes * minuteMs;
  clock.set(new Date(Math.max(at, clock.now().getTime())));
  const facts = {
    up: total * kb,
    ...(isLate && { sessionKey: -minutes, sessionId: 'late', up: kilobytes * kb }),
  };
  await storeUpdate(intake, sessionUpdate({ imsi, at }, facts));
};

/** Facts that were recorded but not evaluated yet. */
const takeSeen = async (): Promise<RecordEnds[]> => {
  const { rows } = await database.pool.query<{ payload: { sims: RecordEnds } }>(
    `delete from outbox where topic = 'usage.watch-reached' and org_id = $1 returning payload`,
    [sims.orgId],
  );
  return rows.map(({ payload }) => payload.sims);
};
const judge = (seen: RecordEnds) =>
  evaluateUsage({ pool: database.pool, clock }, { orgId: sims.orgId, seen });
const judged = async () => {
  for (const seen of await takeSeen()) await judge(seen);
};
const useJudged = async (minutes: number, kilobytes: number, index = 0) => {
  await use(minutes, kilobytes, index);
  await judged();
};
const keys = async () =>
  (await firingsOf(database.pool, sims.orgId)).map(({ sim_id, key }) => `${sims.ids.indexOf(sim_id)} ${key}`);

const onData = (
  period: 'cycle' | 'day' | 'month',
  amount: number,
  unit: 'KB' | '%' = 'KB',
): Pick<RuleDefinition, 'trigger'> => ({
  trigger: { kind: 'data-usage', period, threshold: { unit, amount } },
});
const rule = (definition: TestRule, armedAt = clock.now()) =>
  makeRule(database.pool, { orgId: sims.orgId }, { ...definition, armedAt });

describe('a rule on usage', () => {
  it('fires once in each cycle, day and month in which usage reaches it', async () => {
    await rule(onData('cycle', 100));
    await rule(onData('day', 50));
    await rule(onData('month', 120));
    await useJudged(1, 49);
    expect(await keys()).toEqual([]);
    await useJudged(2, 1);
    expect(await keys()).toEqual(['0 2026-11-20']);
    await useJudged(3, 49);
    await useJudged(4, 1);
    expect(await keys()).toEqual(['0 cycle 2026-10-31T16:00:00.000Z', '0 2026-11-20']);
    await useJudged(24 * 60, 60);
    expect((await keys()).toSorted((a, b) => a.localeCompare(b))).toEqual([
      '0 2026-11',
      '0 2026-11-20',
      '0 2026-11-21',
      '0 cycle 2026-10-31T16:00:00.000Z',
    ]);
  });

  it('fires for crossings before intake learned that it was enabled', async () => {
    await use(0, 40);
    await use(0, 60, 1);
    await takeSeen();
    clock.set(new Date(begin + minuteMs));
    await rule(onData('day', 50));
    await use(2, 20);
    // As if intake had not learned of it yet.
    await takeSeen();
    await runJobs(database, autoflowJobs({ pool: database.pool, clock, listSimDays }));
    expect(await keys()).toEqual(['0 2026-11-20']);
  });

  it.each(['accounting', 'a file'])(
    'fires at the end of the record that reached it, not at that of an earlier one: %s',
    async (source) => {
      await rule(onData('day', 50));
      const minutes = [1, 3, 5];
      const ends = minutes.map((minute) => new Date(begin + minute * minuteMs).toISOString());
      if (source === 'accounting') for (const minute of minutes) await use(minute, 30);
      else
        await importRecords(
          { database, clock },
          ends.map((ended_at) => ({ iccid: sims.iccid(0), ended_at, up_bytes: 30 * kb, down_bytes: 0 })),
        );
      await judged();
      const { rows } = await database.pool.query(
        'select happened_at from autoflow_firings where org_id = $1',
        [sims.orgId],
      );
      expect(rows.map(({ happened_at: at }) => at.toISOString())).toEqual([ends[1]]);
    },
  );

  it('checks only records that may reach it', async () => {
    await rule(onData('cycle', 100));
    await useJudged(1, 1);
    for (let minute = 2; minute < 40; minute += 1) await use(minute, 1);
    expect(await takeSeen()).toEqual([]);
    await use(40, 61);
    expect(await takeSeen()).toHaveLength(1);
  });

  it('as a percentage follows the SIM’s limit, and ignores SIMs without one', async () => {
    await database.pool.query(
      'update sim_live set limit_bytes = $2, threshold_bytes = $2 where sim_id = $1',
      [sims.ids[0], 100 * kb],
    );
    await rule(onData('cycle', 80, '%'));
    await useJudged(1, 79);
    await useJudged(1, 500, 1);
    expect(await keys()).toEqual([]);
    await useJudged(2, 1);
    expect(await keys()).toEqual(['0 cycle 2026-10-31T16:00:00.000Z']);
  });

  it('evaluates only records after it was enabled', async () => {
    await useJudged(1, 500);
    await rule(onData('cycle', 100));
    await useJudged(2, 1);
    await useJudged(3, 90, 1);
    await rule(onData('day', 95));
    await intake?.stop();
    intake = undefined;
    await useJudged(4, 5, 1);
    expect(await keys()).toEqual(['1 2026-11-20']);
  });

  it('fires once despite late, repeated and reordered records and facts, and several workers', async () => {
    await rule(onData('day', 50));
    await use(10, 30);
    await use(20, 30);
    const seen = await takeSeen();
    await Promise.all([...seen, ...seen].map(judge));
    await judged();
    expect(await keys()).toEqual(['0 2026-11-20']);
    for (const facts of seen) await judge(facts);
    expect(await keys()).toEqual(['0 2026-11-20']);
  });

  it('fires for yesterday when a late record reaches the threshold', async () => {
    await rule(onData('day', 50), new Date(begin - 2 * dayMs));
    await useJudged(1, 10);
    await useJudged(-24 * 60, 49);
    expect(await keys()).toEqual([]);
    await useJudged(-24 * 60 + 1, 1);
    expect(await keys()).toEqual(['0 2026-11-19']);
  });

  it('applies to SIMs with its tag, its bundle type or in its list', async () => {
    await database.pool.query(`update sims set tags = '{meter}' where id = $1`, [sims.ids[1]]);
    const tagged = await rule({ ...onData('day', 10), scope: { kind: 'tags', tags: ['meter'] } });
    await rule({ ...onData('day', 10), scope: { kind: 'product-type', types: ['test plan'] } });
    const listed = await rule({ ...onData('day', 10), scope: { kind: 'manual', list_id: '1' } });
    const { rows } = await database.pool.query<{ id: string }>(
      'insert into autoflow_lists (rule_id, created_at) values ($1, now()) returning id::text',
      [listed],
    );
    await database.pool.query('insert into autoflow_list_sims (list_id, sim_id) values ($1, $2)', [
      rows[0]?.id,
      sims.ids[0],
    ]);
    await database.pool.query(
      `update autoflow_rule_versions set definition = jsonb_set(definition, '{scope,list_id}', to_jsonb($2::text)), version = 2
       where rule_id = $1`,
      [listed, rows[0]?.id],
    );
    await database.pool.query('update autoflow_rules set version = 2 where id = $1', [listed]);
    await useJudged(1, 20, 0);
    await useJudged(1, 20, 1);
    const fired = (await firingsOf(database.pool, sims.orgId)).map(({ rule_id, sim_id }) => [
      rule_id,
      sims.ids.indexOf(sim_id),
    ]);
    expect(fired).toEqual([
      [tagged, 1],
      [listed, 0],
    ]);
  });

  it('on first use fires only with the first record after the activation', async () => {
    await database.pool.query('update sims set activated_at = $2 where id = any($1)', [
      sims.ids,
      new Date(begin),
    ]);
    await rule({ trigger: { kind: 'first-use', unused_days: null } });
    await useJudged(-5, 10, 1);
    expect(await keys()).toEqual([]);
    await useJudged(1, 1, 0);
    await useJudged(2, 1, 0);
    expect(await keys()).toEqual(['0 activated 2026-11-20T10:00:00.000Z']);
  });

  it('on unusual usage fires on a day with a multiple of the SIM’s usual usage', async () => {
    for (let day = 1; day <= 14; day += 1) {
      await use(-day * 24 * 60, 10);
    }
    await rule({ trigger: { kind: 'unusual-usage', multiple: 3 } });
    await intake?.stop();
    intake = undefined;
    await useJudged(1, 29);
    expect(await keys()).toEqual([]);
    await useJudged(2, 1);
    expect(await keys()).toEqual(['0 2026-11-20']);
    await useJudged(24 * 60, 1, 1);
    expect(await keys()).toEqual(['0 2026-11-20']);
  });

  it('that is disabled or has ended no longer fires', async () => {
    const off = await rule(onData('day', 10));
    await rule({ ...onData('day', 10), active_until: new Date(begin + minuteMs).toISOString() });
    await database.pool.query('update autoflow_rules set enabled = false, armed_at = null where id = $1', [
      off,
    ]);
    await useJudged(2, 50);
    expect(await keys()).toEqual([]);
  });

  it('that has ended does not fire for later records, even if earlier ones are checked again', async () => {
    const until = (minutes: number) => new Date(begin + minutes * minuteMs).toISOString();
    await rule({ ...onData('day', 10), active_until: until(2) });
    const still = await rule({ ...onData('day', 10), active_until: until(4) });
    await use(1, 5);
    await use(3, 20);
    await use(5, 20);
    await judge([[sims.ids[0] ?? 0, begin + minuteMs]]);
    const value = 25 * kb;
    expect(await firingsOf(database.pool, sims.orgId)).toMatchObject([{ rule_id: still, value }]);
  });
});
