import type { Trigger } from '@simcube/contract/autoflow';
import { hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { firingsOf, makeRule, type TestRule } from '../../../testing/autoflow-rules.ts';
import { testDatabase } from '../../../testing/database.ts';
import { radiusInventory, type TestSims } from '../../../testing/radius.ts';
import { evaluateTimes } from './time.service.ts';

const begin = Date.parse('2026-11-20T10:00:00Z');
const clock = new FixedClock(new Date(begin));
/** This many hours after the start. */
const after = (hours: number) => new Date(begin + hours * hourMs);

let database: Database;
let sims: TestSims;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  clock.set(after(0));
  sims = await radiusInventory(database, 3);
});

const rule = (definition: TestRule, armedAt = clock.now()) =>
  makeRule(database.pool, { orgId: sims.orgId }, { ...definition, armedAt });
const run = () => evaluateTimes({ pool: database.pool, clock }, { orgId: sims.orgId });
/** Runs as often as the job does. */
const runUntil = async (hours: number) => {
  for (let at = clock.now().getTime(); at < after(hours).getTime(); at += 10 * 60_000) {
    clock.set(new Date(at));
    await run();
  }
  clock.set(after(hours));
  await run();
};
const keys = async () =>
  (await firingsOf(database.pool, sims.orgId)).map(({ sim_id, key }) => `${sims.ids.indexOf(sim_id)} ${key}`);

interface Timed {
  trigger: Trigger;
  /** Offset in hours from the instant by which a SIM is found to when the rule is due. */
  lead: number;
  name: string;
  /** Sets the instant by which the SIM is found. */
  set: (index: number, at: Date) => Promise<unknown>;
}

const timed: Record<string, Timed> = {
  'the end of the lifecycle': {
    trigger: { kind: 'lifecycle-expiry', days: 2 },
    lead: -48,
    name: 'expires',
    set: (index, at) =>
      database.pool.query('update sims set expires_at = $2 where id = $1', [sims.ids[index], at]),
  },
  'the end of an unused pre-activation': {
    trigger: { kind: 'first-use', unused_days: 2 },
    lead: -48,
    name: 'unused until',
    set: (index, at) =>
      database.pool.query('update sims set lifecycle = 10, pre_activation_ends_at = $2 where id = $1', [
        sims.ids[index],
        at,
      ]),
  },
  silence: {
    trigger: { kind: 'silent', hours: 3 },
    lead: 3,
    name: 'silent since',
    set: (index, at) =>
      database.pool.query(
        'update sim_live set connection = 3, last_seen_at = $2, last_session_at = $2 where sim_id = $1',
        [sims.ids[index], at],
      ),
  },
};

describe.each(Object.entries(timed))('a rule on %s', (_, { trigger, lead, name, set }) => {
  /** The instant for a rule that is due this many hours after the start. */
  const dueAt = (hours: number) => after(hours - lead);
  const key = (hours: number) => `${name} ${dueAt(hours).toISOString()}`;

  it('fires once when it is due, and not for what was due before it was enabled', async () => {
    await rule({ trigger });
    await set(0, dueAt(1));
    await set(1, dueAt(-0.01));
    await set(2, dueAt(2));
    await runUntil(0.9);
    expect(await keys()).toEqual([]);
    await runUntil(1.1);
    await Promise.all([run(), run()]);
    expect(await keys()).toEqual([`0 ${key(1)}`]);
    await runUntil(2.2);
    expect(await keys()).toEqual([`0 ${key(1)}`, `2 ${key(2)}`]);
  });

  it('fires again when it is due for another instant', async () => {
    await rule({ trigger });
    await set(0, dueAt(1));
    await runUntil(1.1);
    await set(0, dueAt(2));
    await runUntil(2.1);
    expect(await keys()).toEqual([`0 ${key(1)}`, `0 ${key(2)}`]);
  });

  it('catches up once on what became due during downtime', async () => {
    await rule({ trigger });
    await run();
    await set(0, dueAt(5));
    clock.set(after(24));
    await runUntil(25);
    await runUntil(26);
    expect(await keys()).toEqual([`0 ${key(5)}`]);
  });

  it('fires only for SIMs in its scope, until it ends', async () => {
    await rule({ trigger, scope: { kind: 'tags', tags: ['meter'] } });
    await rule({ trigger, active_until: after(1).toISOString() });
    await database.pool.query(`update sims set tags = '{meter}' where id = $1`, [sims.ids[1]]);
    await set(0, dueAt(2));
    await set(1, dueAt(2));
    await runUntil(2.2);
    expect(await keys()).toEqual([`1 ${key(2)}`]);
  });

  it('ignores SIMs that were transferred or terminated', async () => {
    const other = await radiusInventory(database, 0);
    await rule({ trigger });
    for (const index of [0, 1, 2]) await set(index, dueAt(1));
    await database.pool.query('update sims set org_id = $2 where id = $1', [sims.ids[0], other.orgId]);
    await database.pool.query('update sim_live set org_id = $2 where sim_id = $1', [
      sims.ids[0],
      other.orgId,
    ]);
    await database.pool.query('update sims set lifecycle = 50 where id = $1', [sims.ids[1]]);
    await runUntil(1.2);
    expect(await keys()).toEqual([`2 ${key(1)}`]);
  });
});

describe('a rule on silence', () => {
  const { trigger, set } = timed.silence as Timed;

  it('waits after a gap until SIMs have had time to report again', async () => {
    await rule({ trigger });
    await set(0, after(0));
    await set(1, after(0));
    await run();
    clock.set(after(24));
    await run();
    expect(await keys()).toEqual([]);
    await database.pool.query('update sim_live set connection = 1, last_seen_at = $2 where sim_id = $1', [
      sims.ids[0],
      after(24.1),
    ]);
    await runUntil(25);
    expect(await keys()).toEqual([`1 silent since ${after(0).toISOString()}`]);
  });

  it('counts from when the organisation has owned the SIM', async () => {
    await rule({ trigger });
    await set(0, after(-1));
    await set(1, after(-1));
    await database.pool.query('update sims set owned_since = $2 where id = $1', [sims.ids[0], after(-0.5)]);
    await runUntil(2.2);
    expect(await keys()).toEqual([`1 silent since ${after(-1).toISOString()}`]);
  });

  it('counts from the resumption of a SIM, once for each silence', async () => {
    await rule({ trigger });
    for (const index of [0, 1, 2]) await set(index, after(-10));
    await set(2, after(0));
    await database.pool.query('update sims set lifecycle_changed_at = $2 where id = any($1)', [
      sims.ids,
      after(1),
    ]);
    await set(1, after(2));
    await runUntil(3.1);
    expect(await keys()).toEqual([`2 silent since ${after(0).toISOString()}`]);
    await runUntil(4.9);
    expect(await keys()).toEqual([
      `0 silent since ${after(-10).toISOString()}`,
      `2 silent since ${after(0).toISOString()}`,
    ]);
    await runUntil(5.1);
    expect(await keys()).toHaveLength(3);
  });

  it('does not count SIMs in a session, and detects its end with the sweep', async () => {
    await rule({ trigger });
    await set(0, after(-2));
    await database.pool.query('update sim_live set connection = 1 where sim_id = $1', [sims.ids[0]]);
    await runUntil(1.1);
    expect(await keys()).toEqual([]);
    await database.pool.query('update sim_live set connection = 2 where sim_id = $1', [sims.ids[0]]);
    await run();
    expect(await keys()).toEqual([`0 silent since ${after(-2).toISOString()}`]);
  });
});

describe('a rule on an unused pre-activation', () => {
  it('does not fire for a SIM that was seen or has a record', async () => {
    const { trigger, set } = timed['the end of an unused pre-activation'] as Timed;
    await rule({ trigger });
    for (const index of [0, 1, 2]) await set(index, after(49));
    await database.pool.query('update sim_live set last_seen_at = $2 where sim_id = $1', [
      sims.ids[0],
      after(-24),
    ]);
    // As records are counted: with the sum of their day.
    await database.pool.query(
      `with record as (
         insert into cdrs (sim_id, ended_at, dedupe_key, org_id, started_at, up_bytes, down_bytes, source)
         values ($1, $2, 1, $3, $2, 1, 1, 2) returning *)
       insert into usage_daily (sim_id, day_on, plmn, radio, up_bytes, down_bytes, records)
       select sim_id, (ended_at at time zone 'UTC')::date, 0, 0, up_bytes, down_bytes, 1 from record`,
      [sims.ids[1], after(-24), sims.orgId],
    );
    await runUntil(1.1);
    expect(await keys()).toEqual([`2 unused until ${after(49).toISOString()}`]);
  });
});

describe('a run for more SIMs than one transaction takes', () => {
  it('fires for each, even if all are due at the same instant', async () => {
    sims = await radiusInventory(database, 1001);
    await rule({ trigger: { kind: 'lifecycle-expiry', days: 2 } });
    await database.pool.query('update sims set expires_at = $2 where org_id = $1', [sims.orgId, after(49)]);
    clock.set(after(1.1));
    await run();
    expect(await keys()).toHaveLength(1001);
  });
});
