import type { Trigger } from '@simcube/contract/autoflow';
import { hourMs, minuteMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { firingsOf, makeRule } from '../../../testing/autoflow-rules.ts';
import { testDatabase } from '../../../testing/database.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';
import { radiusInventory, type TestSims } from '../../../testing/radius.ts';
import { listSimDays } from '../../cdr/index.ts';
import { syncNetworks } from '../../sim/index.ts';
import { autoflowConsumers } from '../autoflow.consumers.ts';
import { insertReplay } from '../replay/replay.queries.ts';
import { createTally, replaySpan } from '../replay/replay.rules.ts';
import { runReplay } from '../replay/run.service.ts';

const now = new Date('2028-03-01T10:00:00Z');
const clock = new FixedClock(now);
const armedAt = new Date(now.getTime() - 2 * hourMs);

let database: Database;
let sims: TestSims;

beforeAll(async () => {
  database = await testDatabase();
  await syncNetworks(database.pool);
  await ensurePartitions(database.pool, new Date(now.getTime() - 45 * 24 * hourMs), now);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('truncate autoflow_rules, sms_messages, sim_events cascade');
  sims = await radiusInventory(database, 2);
});

const simId = () => sims.ids[0] ?? 0;
const rule = (trigger: Trigger, more: { armedAt?: Date } = {}) =>
  makeRule(database.pool, { orgId: sims.orgId }, { trigger, armedAt, ...more });

/** Delivers a fact as the relay does. */
const happens = (topic: string, payload: unknown) =>
  inTransaction(database.pool, async (tx) => {
    for (const consumer of autoflowConsumers({ clock })) {
      if (consumer.topics.has(topic))
        await consumer.handle(tx, { topic, orgId: sims.orgId, payload, createdAt: clock.now() });
    }
  });

const ago = (minutes: number): Date => new Date(now.getTime() - minutes * minuteMs);
const message = async (at: Date, { isReceived = true, orgId = sims.orgId } = {}) => {
  await database.pool.query(
    `insert into sms_messages (sim_id, org_id, at, content, mobile_originated, status, msisdn, encoding, parts)
     values ($1, $2, $3, 'T', $4, $5, '34600000000', 0, 1)`,
    [simId(), orgId, at, isReceived, isReceived ? 5 : 0],
  );
  const named = [{ simId: simId(), iccid: sims.iccid(0) }];
  if (isReceived) await happens('sms.received', { sims: named, at: at.toISOString(), messageId: 1 });
  else await happens('sms.changed', { sims: named, acceptedAt: at.toISOString() });
};
const event = async (kind: string, at: Date, facts: object = {}, reportedAt = clock.now()) => {
  await database.pool.query(
    'insert into sim_events (sim_id, at, org_id, kind, facts) values ($1, $2, $3, $4, $5)',
    [simId(), at, sims.orgId, kind, JSON.stringify(facts)],
  );
  const moved = kind === 'network-changed' ? { movedAt: at.toISOString() } : {};
  const changes = [{ iccids: [sims.iccid(0)], status: 'online', kinds: [kind], ...moved }];
  await happens('aaa.session-changed', { at: reportedAt.toISOString(), changes });
};
const keys = async () => (await firingsOf(database.pool, sims.orgId)).map(({ key }) => key);

/** Periods in which a replay of all SIMs finds the trigger. */
const replayed = async (trigger: Trigger): Promise<string[]> => {
  const { rows: people } = await database.pool.query<{ id: string }>(
    `insert into users (email, first_name, last_name, password_hash) values (gen_random_uuid() || '@example.test', 'Ana', 'Ruiz', '')
     returning id`,
  );
  const id = await insertReplay(database.pool, {
    orgId: sims.orgId,
    userId: people[0]?.id ?? '',
    ruleId: null,
    replayed: { version: null, trigger, scope: { kind: 'all' }, sims: null, imeis: null },
    former: null,
    span: replaySpan(now),
    tally: createTally(),
    formerTally: null,
    at: now,
  });
  await runReplay({ pool: database.pool, listSimDays }, { id, signal: new AbortController().signal });
  const { rows } = await database.pool.query<{ named: string }>(
    `select coalesce(measured ->> 'since', measured ->> 'value' || ' → ' || (measured ->> 'threshold')) as named
     from autoflow_replay_firings where replay_id = $1 order by 1`,
    [id],
  );
  return rows.map(({ named }) => named);
};

describe('a rule on messages', () => {
  it.each(['sms-mo', 'sms-mt'] as const)(
    'fires with the one that makes the count of a day: %s',
    async (kind) => {
      await rule({ kind, period: 'day', count: 2 });
      const isReceived = kind === 'sms-mo';
      await message(ago(60), { isReceived });
      expect(await keys()).toEqual([]);
      await message(ago(40), { isReceived: !isReceived });
      await message(ago(30), { isReceived });
      await message(ago(20), { isReceived });
      expect(await keys()).toEqual(['2028-03-01']);
    },
  );

  it('does not fire if the count was reached before it was enabled', async () => {
    await rule({ kind: 'sms-mo', period: 'month', count: 2 });
    await message(ago(180));
    await message(ago(150));
    await message(ago(10));
    expect(await keys()).toEqual([]);
  });

  it('does not fire for a SIM whose count was reached before it got the tag of the rule', async () => {
    const trigger: Trigger = { kind: 'sms-mo', period: 'day', count: 2 };
    const onTag = { trigger, scope: { kind: 'tags' as const, tags: ['meter'] }, armedAt };
    await makeRule(database.pool, { orgId: sims.orgId }, onTag);
    await message(ago(60));
    await message(ago(40));
    await database.pool.query(`update sims set tags = '{meter}' where id = $1`, [simId()]);
    await message(ago(20));
    expect(await keys()).toEqual([]);
  });

  it('fires for a later message that a late one makes the last of its count', async () => {
    await rule({ kind: 'sms-mo', period: 'day', count: 2 });
    await message(ago(20));
    await message(ago(40));
    expect(await keys()).toEqual(['2028-03-01']);
  });

  it('does not count what a SIM sent for another organisation', async () => {
    const former = await insertTestOrganisation(database.pool);
    await rule({ kind: 'sms-mo', period: 'day', count: 2 });
    await message(ago(60), { orgId: former.id });
    await message(ago(30));
    expect(await keys()).toEqual([]);
  });

  it('counts in the SIM’s own cycle', async () => {
    await database.pool.query(
      'update sim_live set cycle_started_at = $2, cycle_ends_at = $3 where sim_id = $1',
      [simId(), ago(45), new Date(now.getTime() + hourMs)],
    );
    await rule({ kind: 'sms-mo', period: 'cycle', count: 2 });
    await message(ago(60));
    await message(ago(30));
    expect(await keys()).toEqual([]);
    await message(ago(5));
    expect(await keys()).toEqual([`cycle ${ago(45).toISOString()}`]);
  });

  it('counts in a cycle that has begun without data', async () => {
    await rule({ kind: 'sms-mt', period: 'cycle', count: 1 });
    await message(ago(30), { isReceived: false });
    // A SIM without a bundle uses months of business days (UTC+8).
    expect(await keys()).toEqual(['cycle 2028-02-29T16:00:00.000Z']);
    expect(await replayed({ kind: 'sms-mt', period: 'cycle', count: 1 })).toEqual([
      '2028-02-29T16:00:00.000Z',
    ]);
  });

  it('counts in the next cycle from its first minute, before the usage counter is reset', async () => {
    await database.pool.query(
      'update sim_live set cycle_started_at = $2, cycle_ends_at = $3 where sim_id = $1',
      [simId(), '2028-01-31T16:00:00Z', '2028-02-29T16:00:00Z'],
    );
    await rule({ kind: 'sms-mo', period: 'cycle', count: 1 }, { armedAt: new Date('2028-02-29T12:00:00Z') });
    await message(new Date('2028-02-29T16:01:00Z'));
    expect(await keys()).toEqual(['cycle 2028-02-29T16:00:00.000Z']);
    await message(new Date('2028-02-29T16:02:00Z'));
    expect(await keys()).toHaveLength(1);
    expect(await replayed({ kind: 'sms-mo', period: 'cycle', count: 1 })).toEqual([
      '2028-02-29T16:00:00.000Z',
    ]);
  });

  it('counts a message in its own cycle, even if that was closed before the check', async () => {
    const [start, end] = ['2028-01-31T16:00:00Z', '2028-02-29T16:00:00Z'];
    await database.pool.query(
      'insert into usage_cycles (sim_id, cycle_started_at, cycle_ends_at, used_bytes) values ($1, $2, $3, 5)',
      [simId(), start, end],
    );
    await database.pool.query(
      'update sim_live set cycle_started_at = $2, cycle_ends_at = $3 where sim_id = $1',
      [simId(), end, '2028-03-31T16:00:00Z'],
    );
    await rule({ kind: 'sms-mo', period: 'cycle', count: 1 }, { armedAt: new Date('2028-02-29T12:00:00Z') });
    await message(new Date('2028-02-29T15:59:00Z'));
    expect(await keys()).toEqual(['cycle 2028-01-31T16:00:00.000Z']);
  });
});

describe('a rule on sessions', () => {
  it('fires once for an hour with the configured number of sessions', async () => {
    await rule({ kind: 'sessions', per_hour: 2 });
    await event('session-started', ago(70));
    await event('session-started', ago(50));
    await event('session-stopped', ago(45));
    expect(await keys()).toEqual([]);
    await event('session-started', ago(40));
    await event('session-started', ago(30));
    expect(await keys()).toEqual(['hour 2028-03-01T09:00:00.000Z']);
  });
});

describe('facts that are evaluated late', () => {
  it('count sessions in the hours in which they were reported', async () => {
    await rule({ kind: 'sessions', per_hour: 2 }, { armedAt: ago(20 * 60) });
    await event('session-started', ago(9 * 60 + 20), {}, ago(9 * 60 + 20));
    await event('session-started', ago(9 * 60 + 10), {}, ago(9 * 60));
    expect(await keys()).toEqual(['hour 2028-03-01T00:00:00.000Z']);
  });
});

describe('a rule on countries', () => {
  it('does not fire for a move from before the SIM got the tag of the rule', async () => {
    const trigger: Trigger = { kind: 'country', change: 'entered', countries: ['FR', 'ES'] };
    const onTag = { trigger, scope: { kind: 'tags' as const, tags: ['meter'] }, armedAt };
    await makeRule(database.pool, { orgId: sims.orgId }, onTag);
    await event('network-changed', ago(60), { from: '262-01', to: '208-01' });
    await database.pool.query(`update sims set tags = '{meter}' where id = $1`, [simId()]);
    await event('network-changed', ago(30), { from: '208-01', to: '214-07' });
    expect(await keys()).toEqual([`FR ES ${ago(30).toISOString()}`]);
  });

  it('fires for each move between countries, not between networks of one country', async () => {
    await rule({ kind: 'country', change: 'entered', countries: ['FR', 'ES'] });
    await rule({ kind: 'country', change: 'left', countries: ['DE'] });
    await event('network-changed', ago(180), { from: '262-01', to: '208-01' });
    await event('network-changed', ago(50), { from: '208-01', to: '208-10' });
    expect(await keys()).toEqual([]);
    await event('network-changed', ago(40), { from: '208-10', to: '262-02' });
    await event('network-changed', ago(30), { from: '262-02', to: '214-07' });
    await event('network-changed', ago(20), { from: '214-07', to: '901-14' });
    const crossing = `DE ES ${ago(30).toISOString()}`;
    expect(await keys()).toEqual([crossing, crossing]);
  });
});

describe('a journey by sea', () => {
  const entered: Trigger = { kind: 'country', change: 'entered', countries: ['FR', 'ES'] };

  it('is a move from the country before it to the country after it, however long it takes', async () => {
    await rule(entered);
    await rule({ kind: 'country', change: 'left', countries: ['DE'] });
    await event('network-changed', ago(9 * 24 * 60), { from: '262-01', to: '901-14' });
    await event('network-changed', ago(9 * 24 * 60 - 5), { from: '901-14', to: '901-12' });
    expect(await keys()).toEqual([]);
    await event('network-changed', ago(20), { from: '901-12', to: '208-01' });
    const crossing = `DE FR ${ago(20).toISOString()}`;
    expect(await keys()).toEqual([crossing, crossing]);
    expect(await replayed(entered)).toEqual(['DE → FR']);
  });

  it('is no move if it ends where it began, or if its start is unknown', async () => {
    await rule(entered);
    await event('network-changed', ago(60), { from: '901-14', to: '214-07' });
    await event('network-changed', ago(50), { from: '214-07', to: '901-14' });
    await event('network-changed', ago(40), { from: '901-14', to: '214-01' });
    expect(await keys()).toEqual([]);
  });
});

describe('a rule on cost', () => {
  const costs = (formerMicros: number, micros: number, currency = 'EUR') =>
    happens('price.costs-risen', {
      sims: [{ simId: simId(), cycleStartedAt: ago(90).toISOString(), currency, formerMicros, micros }],
    });

  it('fires once for a cycle whose cost reaches its threshold, in its currency', async () => {
    await rule({ kind: 'cost', currency: 'EUR', amount_minor: 250 });
    await costs(0, 2_000_000);
    await costs(0, 9_000_000, 'USD');
    expect(await keys()).toEqual([]);
    await costs(2_000_000, 2_600_000);
    await costs(2_000_000, 2_600_000);
    await costs(2_600_000, 3_000_000);
    expect(await firingsOf(database.pool, sims.orgId)).toMatchObject([
      { key: `cycle ${ago(90).toISOString()}`, value: 260 },
    ]);
  });

  it('ends at most three orders that each cost too much from their start, but every one that usage makes too dear', async () => {
    await rule({ kind: 'cost', currency: 'EUR', amount_minor: 250 });
    const rises = async (order: number, formerMicros: number, feesMicros?: number) => {
      const cycleStartedAt = ago(90 - order).toISOString();
      await database.pool.query(
        `insert into sim_events (sim_id, at, org_id, kind, facts, task_id) values ($1, $2, $3, 'bundle-started', '{}', $4)`,
        [simId(), cycleStartedAt, sims.orgId, `T${order}`],
      );
      const cost = { currency: 'EUR', formerMicros, micros: 12_000_000, feesMicros };
      await happens('price.costs-risen', { sims: [{ simId: simId(), cycleStartedAt, ...cost }] });
      // The rule's task ends the order, whereupon the next one starts.
      await database.pool.query('update autoflow_firing_actions set task = $1 where task is null', [
        `T${order + 1}`,
      ]);
    };
    for (const order of [1, 2, 3, 4]) await rises(order, 0, 12_000_000);
    expect(await keys()).toHaveLength(3);
    for (const order of [6, 7, 8, 9]) await rises(order, 2_000_000, 2_000_000);
    expect(await keys()).toHaveLength(7);
    // Of a bundle without fees, the first usage raises the cost from nothing.
    for (const order of [11, 12, 13, 14]) await rises(order, 0, 0);
    expect(await keys()).toHaveLength(11);
    // Facts of the previous version do not name the fees.
    for (const order of [16, 17, 18, 19]) await rises(order, 0);
    expect(await keys()).toHaveLength(14);
  });
});

describe('a replay of counts and moves', () => {
  const since = new Date(replaySpan(now).startsAt);
  const days = fc.array(fc.integer({ min: 0, max: 4 * 24 * 60 }), { minLength: 1, maxLength: 25 });

  it('agrees with the engine for the same messages and sessions', async () => {
    await fc.assert(
      fc.asyncProperty(
        days,
        fc.constantFrom<Trigger>(
          { kind: 'sms-mo', period: 'day', count: 3 },
          { kind: 'sms-mt', period: 'month', count: 4 },
          { kind: 'sessions', per_hour: 2 },
        ),
        async (minutes, trigger) => {
          await database.pool.query('truncate autoflow_rules, sms_messages, sim_events cascade');
          const ruleId = await rule(trigger, { armedAt: since });
          for (const at of minutes.toSorted((a, b) => b - a).map(ago)) {
            clock.set(at);
            if (trigger.kind === 'sessions') await event('session-started', at);
            else await message(at, { isReceived: trigger.kind === 'sms-mo' });
          }
          clock.set(now);
          const { rows } = await database.pool.query<{ since: string }>(
            `select measured ->> 'since' as since from autoflow_firings where rule_id = $1 order by 1`,
            [ruleId],
          );
          expect(await replayed(trigger)).toEqual(rows.map((one) => one.since));
        },
      ),
      { numRuns: 15 },
    );
  });

  it('agrees with the engine for the same moves', async () => {
    const trigger: Trigger = { kind: 'country', change: 'entered', countries: ['ES'] };
    await rule(trigger, { armedAt: since });
    await event('network-changed', ago(300), { from: '262-01', to: '214-07' });
    await event('network-changed', ago(200), { from: '214-07', to: '208-01' });
    await event('network-changed', ago(100), { from: '208-01', to: '214-01' });
    expect(await keys()).toHaveLength(2);
    expect(await replayed(trigger)).toEqual(['DE → ES', 'FR → ES']);
  });
});
