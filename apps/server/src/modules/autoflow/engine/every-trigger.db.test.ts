import {
  type RuleAction,
  ruleActionKinds,
  type Scope,
  type Trigger,
  type TriggerKind,
  triggerKinds,
} from '@simcube/contract/autoflow';
import { dayMs, hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { firingsOf, makeRule } from '../../../testing/autoflow-rules.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import { importRecords } from '../../../testing/cdrs.ts';
import { testDatabase } from '../../../testing/database.ts';
import { radiusInventory, type TestSims } from '../../../testing/radius.ts';
import { createBundle } from '../../bundle/index.ts';
import { syncNetworks } from '../../sim/index.ts';
import { autoflowConsumers } from '../autoflow.consumers.ts';
import { evaluateTimes } from './time.service.ts';
import { evaluateUsage, type RecordEnds } from './usage.service.ts';

const begin = Date.parse('2026-11-20T10:00:00Z');
const armedAt = new Date(begin);
/** When everything happens and is evaluated. */
const then = new Date(begin + 90 * 60_000);
const at = then.toISOString();
const clock = new FixedClock(armedAt);

let database: Database;
let sims: TestSims;
/** Every scope contains the first SIM; the second only belongs to the organisation. */
const both = [0, 1] as const;

beforeAll(async () => {
  database = await testDatabase();
  await syncNetworks(database.pool);
  await ensurePartitions(database.pool, new Date(begin - 20 * dayMs), new Date(begin + dayMs));
  await createBundle(database.pool, bundleOf({ code: 'ANY' }));
});
afterAll(() => database.close());
beforeEach(async () => {
  clock.set(armedAt);
  sims = await radiusInventory(database, 2);
  await database.pool.query(
    `update sims set tags = '{meter}', bundle_id = (select id from bundles where code = 'ANY') where id = $1`,
    [sims.ids[0]],
  );
});

const query = (text: string, values: unknown[]) => database.pool.query(text, values);
const idOf = (index: number): number => sims.ids[index] ?? 0;
const named = (index: number) => ({ simId: idOf(index), iccid: sims.iccid(index) });
const happens = (topic: string, payload: unknown) =>
  inTransaction(database.pool, async (tx) => {
    for (const consumer of autoflowConsumers({ clock })) {
      if (consumer.topics.has(topic))
        await consumer.handle(tx, { topic, orgId: sims.orgId, payload, createdAt: clock.now() });
    }
  });

const record = (index: number, endedAt: number, bytes: number) => ({
  iccid: sims.iccid(index),
  ended_at: new Date(endedAt).toISOString(),
  up_bytes: bytes,
  down_bytes: 0,
});
const use = async () => {
  await importRecords(
    { database, clock },
    both.map((index) => record(index, then.getTime(), 40_000)),
  );
  const { rows } = await query(
    `delete from outbox where topic = 'usage.watch-reached' and org_id = $1 returning payload`,
    [sims.orgId],
  );
  for (const { payload } of rows as { payload: { sims: RecordEnds } }[])
    await evaluateUsage({ pool: database.pool, clock }, { orgId: sims.orgId, seen: payload.sims });
};
const passTime = () => evaluateTimes({ pool: database.pool, clock }, { orgId: sims.orgId });
const write = async (isReceived: boolean) => {
  for (const index of both) {
    await query(
      `insert into sms_messages (sim_id, org_id, at, content, mobile_originated, status, msisdn, encoding, parts)
       values ($1, $2, $3, 'T', $4, $5, '34600000000', 0, 1)`,
      [idOf(index), sims.orgId, then, isReceived, isReceived ? 5 : 0],
    );
    if (isReceived) await happens('sms.received', { sims: [named(index)], at, messageId: 1 });
  }
  if (!isReceived) await happens('sms.changed', { sims: both.map(named), acceptedAt: at });
};
const hear = async (kind: string, facts: object = {}) => {
  for (const index of both) {
    await query('insert into sim_events (sim_id, at, org_id, kind, facts) values ($1, $2, $3, $4, $5)', [
      ...[idOf(index), then, sims.orgId, kind, JSON.stringify(facts)],
    ]);
  }
  const iccids = both.map((index) => sims.iccid(index));
  await happens('aaa.session-changed', { at, changes: [{ iccids, status: 'online', kinds: [kind] }] });
};

interface Case {
  trigger: Trigger;
  /** The state before the rules exist. */
  before?: () => Promise<unknown>;
  happen: () => Promise<unknown>;
}

const cases: Record<TriggerKind, Case> = {
  'status-change': {
    trigger: { kind: 'status-change', from: 'any', to: ['paused'] },
    happen: () =>
      happens('sim.lifecycle-changed', {
        sims: both.map((index) => ({ ...named(index), from: 'active', at })),
        to: 'paused',
        reason: 'suspend',
        actor: null,
      }),
  },
  'data-usage': {
    trigger: { kind: 'data-usage', period: 'month', threshold: { unit: 'KB', amount: 10 } },
    happen: use,
  },
  'sms-mt': { trigger: { kind: 'sms-mt', period: 'day', count: 1 }, happen: () => write(false) },
  'sms-mo': { trigger: { kind: 'sms-mo', period: 'month', count: 1 }, happen: () => write(true) },
  'imei-change': {
    trigger: { kind: 'imei-change', to: 'any' },
    happen: () => {
      const change = { from: '490154203237518', to: '356938035643809', at };
      return happens('aaa.imei-changed', { sims: both.map((index) => ({ ...named(index), ...change })) });
    },
  },
  'first-use': {
    trigger: { kind: 'first-use', unused_days: null },
    before: () => query('update sims set activated_at = $2 where id = any($1)', [sims.ids, armedAt]),
    happen: use,
  },
  'lifecycle-expiry': {
    trigger: { kind: 'lifecycle-expiry', days: 2 },
    before: () =>
      query('update sims set expires_at = $2 where id = any($1)', [
        sims.ids,
        new Date(begin + 2 * dayMs + hourMs),
      ]),
    happen: passTime,
  },
  silent: {
    trigger: { kind: 'silent', hours: 1 },
    before: () =>
      query(
        'update sim_live set connection = 3, last_seen_at = $2, last_session_at = $2 where sim_id = any($1)',
        [sims.ids, new Date(begin + 60_000)],
      ),
    happen: async () => {
      // Silence only counts for SIMs that could have reported, so the runs must have no gap.
      for (let minutes = 0; minutes <= 90; minutes += 5) {
        clock.set(new Date(begin + minutes * 60_000));
        await passTime();
      }
    },
  },
  country: {
    trigger: { kind: 'country', change: 'entered', countries: ['ES'] },
    happen: () => hear('network-changed', { from: '262-01', to: '214-07' }),
  },
  sessions: { trigger: { kind: 'sessions', per_hour: 1 }, happen: () => hear('session-started') },
  cost: {
    trigger: { kind: 'cost', currency: 'EUR', amount_minor: 250 },
    happen: () =>
      happens('price.costs-risen', {
        sims: both.map((index) => ({
          simId: idOf(index),
          cycleStartedAt: armedAt.toISOString(),
          currency: 'EUR',
          formerMicros: 0,
          micros: 2_500_000,
        })),
      }),
  },
  'unusual-usage': {
    trigger: { kind: 'unusual-usage', multiple: 3 },
    before: () =>
      importRecords(
        { database, clock },
        both.flatMap((index) =>
          Array.from({ length: 14 }, (_, day) => record(index, begin - (day + 1) * dayMs, 1000)),
        ),
      ),
    happen: use,
  },
};

const everyAction: RuleAction[] = ruleActionKinds.map((kind): RuleAction => {
  switch (kind) {
    case 'mail':
    case 'sms':
      return { kind, group_id: '1', template_id: null };
    case 'api':
      return { kind, group_id: '1' };
    case 'slow':
      return { kind, kbps: 128 };
    case 'add-tag':
      return { kind, tag: 'fired' };
    default:
      return { kind };
  }
});

/** Creates a rule for each scope, each with all actions. @returns their scopes by id */
const makeRules = async (trigger: Trigger): Promise<Map<number, Scope['kind']>> => {
  const make = async (scope: Scope) =>
    [
      await makeRule(database.pool, { orgId: sims.orgId }, { trigger, scope, actions: everyAction, armedAt }),
      scope.kind,
    ] as const;
  const all = await make({ kind: 'all' });
  const { rows } = await query(
    'insert into autoflow_lists (rule_id, created_at) values ($1, now()) returning id::text',
    [all[0]],
  );
  const [{ id: list_id }] = rows as [{ id: string }];
  await query('insert into autoflow_list_sims (list_id, sim_id) values ($1, $2)', [list_id, idOf(0)]);
  return new Map([
    all,
    await make({ kind: 'tags', tags: ['meter', 'other'] }),
    await make({ kind: 'product-type', types: [bundleOf({ code: 'ANY' }).type] }),
    await make({ kind: 'uploaded', list_id }),
    await make({ kind: 'manual', list_id }),
  ]);
};

describe('every trigger', () => {
  it.each(triggerKinds)(
    'fires rules of every scope for their SIMs alone, once, with every action: %s',
    async (kind) => {
      const { trigger, before, happen } = cases[kind];
      await before?.();
      const scopes = await makeRules(trigger);
      clock.set(then);
      await happen();
      if (kind !== 'silent') await happen();
      const fired = (await firingsOf(database.pool, sims.orgId)).map(({ rule_id, sim_id }) => [
        scopes.get(rule_id),
        sims.ids.indexOf(sim_id),
      ]);
      expect(fired).toEqual([
        ['all', 0],
        ['all', 1],
        ['tags', 0],
        ['product-type', 0],
        ['uploaded', 0],
        ['manual', 0],
      ]);
      const { rows: actions } = await query(
        `select a.kind, count(*) from autoflow_firing_actions a join autoflow_firings f on f.id = a.firing_id
       where f.org_id = $1 group by 1 order by 1`,
        [sims.orgId],
      );
      expect(actions).toEqual([...ruleActionKinds].sort().map((one) => ({ kind: one, count: fired.length })));
    },
  );
});
