import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { handlerOf } from '../../../platform/jobs/index.ts';
import { firingsOf, makeRule } from '../../../testing/autoflow-rules.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeBundle } from '../../../testing/inventory.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';
import { radiusInventory, type TestSims } from '../../../testing/radius.ts';
import { sendGathered } from '../actions/gather.service.ts';
import { performAction } from '../actions/perform-action.service.ts';
import { autoflowConsumers } from '../autoflow.consumers.ts';
import { removeOldFirings } from './firings.queries.ts';
import { performActionJob } from './perform-action.job.ts';

const clock = new FixedClock('2026-11-20T10:00:00Z');
const at = '2026-11-20T10:05:00.000Z';

let database: Database;
let sims: TestSims;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  sims = await radiusInventory(database, 2);
});

/** Delivers a fact as the relay does. */
const happens = (topic: string, payload: unknown) =>
  inTransaction(database.pool, async (tx) => {
    for (const consumer of autoflowConsumers({ clock })) {
      if (consumer.topics.has(topic))
        await consumer.handle(tx, { topic, orgId: sims.orgId, payload, createdAt: clock.now() });
    }
  });
const paused = (more: object = {}, when = at) =>
  happens('sim.lifecycle-changed', {
    sims: [{ simId: sims.ids[0], iccid: sims.iccid(0), from: 'active', at: when }],
    to: 'paused',
    reason: 'suspend',
    actor: null,
    ...more,
  });
const onPause = (scope: { kind: 'all' } | { kind: 'tags'; tags: string[] } = { kind: 'all' }) =>
  makeRule(
    database.pool,
    { orgId: sims.orgId },
    { trigger: { kind: 'status-change', from: 'active', to: ['paused'] }, scope, armedAt: clock.now() },
  );
const firings = async () =>
  (await firingsOf(database.pool, sims.orgId)).map(({ rule_id, key }) => [rule_id, key]);

describe('a rule on a change', () => {
  it('fires once for it, however often the fact is repeated, and not for changes before it was enabled', async () => {
    const rule = await onPause();
    await onPause({ kind: 'tags', tags: ['meter'] });
    await paused();
    await paused();
    await paused({}, '2026-11-20T09:59:59.999Z');
    await paused({ to: 'expired' });
    expect(await firings()).toEqual([[rule, `active paused ${at}`]]);
  });

  it('fires for a SIM whose bundle of its product type ended with the change', async () => {
    const bundle = await makeBundle(database.pool, { code: `ended-${sims.orgId}` });
    for (const [index, endedAt] of [at, '2026-11-01T00:00:00Z'].entries())
      await database.pool.query(
        `insert into bundle_orders (sim_id, org_id, bundle_id, status, activated_at, expires_at)
         values ($1, $2, $3, 'expired', '2026-10-01', $4)`,
        [sims.ids[index], sims.orgId, bundle, endedAt],
      );
    const [rule] = await Promise.all(
      (['prepaid basic', 'postpaid flow'] as const).map((type) =>
        makeRule(
          database.pool,
          { orgId: sims.orgId },
          {
            trigger: { kind: 'status-change', from: 'any', to: ['expired', 'paused'] },
            scope: { kind: 'product-type', types: [type] },
            armedAt: clock.now(),
          },
        ),
      ),
    );
    await paused({ to: 'expired', reason: 'last-order-ended' });
    await paused({}, '2026-11-20T10:06:00.000Z');
    expect(await firings()).toEqual([[rule, `active expired ${at}`]]);
  });

  it('fires for another device', async () => {
    const rule = await makeRule(
      database.pool,
      { orgId: sims.orgId },
      { trigger: { kind: 'imei-change', to: 'model' }, armedAt: clock.now() },
    );
    const device = { simId: sims.ids[1], iccid: sims.iccid(1), from: '490154203237518', at };
    await happens('aaa.imei-changed', { sims: [{ ...device, to: '490154203299999' }] });
    await happens('aaa.imei-changed', { sims: [{ ...device, to: '356938035643809' }] });
    expect(await firings()).toEqual([[rule, `356938035643809 ${at}`]]);
  });

  it('is a step in the chain that led to it, with at most three steps', async () => {
    const rules = [await onPause(), await onPause()];
    await paused();
    const order = (rule = 0, task = '') =>
      database.pool.query(
        `update autoflow_firing_actions a set task = $2 from autoflow_firings f where f.id = a.firing_id and f.rule_id = $1
           and a.task is null`,
        [rule, task],
      );
    for (const step of [1, 2, 3]) {
      await order(rules[0], `T${step}`);
      await paused({ task: `T${step}` }, `2026-11-20T10:0${5 + step}:00.000Z`);
    }
    const { rows } = await database.pool.query<{ steps: number }>(
      'select cardinality(chain) + 1 as steps from autoflow_firings where rule_id = $1 order by id',
      [rules[1]],
    );
    expect(rows.map(({ steps }) => steps)).toEqual([1, 2, 3]);
  });
});

describe('an action that fails', () => {
  it('is reported once an hour, however many fail, to those who may change rules if the rule has no owner', async () => {
    const { pool } = database;
    const rule = await onPause();
    await pool.query(
      `with person as (
         insert into users (email, first_name, last_name, password_hash)
         values ($2, 'Ana', 'M', '-') returning id)
       insert into memberships (user_id, org_id, role) select id, $1, 'admin' from person`,
      [sims.orgId, `admin-${sims.orgId}@acme.example`],
    );
    const failAt = async (now: string) => {
      await paused({}, now);
      const { rows } = await pool.query<{ id: number }>(
        'select id from autoflow_firings where rule_id = $1 and state = 0',
        [rule],
      );
      const order = { ruleId: rule, version: 1, position: 0, firingIds: rows.map(({ id }) => id) };
      await performAction({ pool, clock: new FixedClock(now) }, order);
    };
    const told = async () => {
      const { rows } = await pool.query<{ address: string; code: string }>(
        `select d.address, n.fields ->> 'code' as code from notifications n join deliveries d on d.notification_id = n.id
         where n.org_id = $1 and n.kind = 'autoflow.failed'`,
        [sims.orgId],
      );
      return rows;
    };
    const news = { address: `admin-${sims.orgId}@acme.example`, code: 'CB-05-0001' };
    await failAt('2026-11-20T10:06:00.000Z');
    await failAt('2026-11-20T10:07:00.000Z');
    expect(await told()).toEqual([news]);
    await failAt('2026-11-20T11:06:00.000Z');
    expect(await told()).toEqual([news, news]);
    const { rows } = await pool.query('select state from autoflow_firings where rule_id = $1', [rule]);
    expect(rows).toEqual([{ state: 2 }, { state: 2 }, { state: 2 }]);
  });
});

describe('a run of several operations', () => {
  const operations = [{ kind: 'suspend-mt-sms' }, { kind: 'add-tag', tag: 'fired' }] as const;
  const fired = async () => {
    const { pool } = database;
    const rule = await makeRule(
      pool,
      { orgId: sims.orgId },
      {
        trigger: { kind: 'status-change', from: 'active', to: ['paused'] },
        actions: [...operations],
        armedAt: clock.now(),
      },
    );
    await paused();
    return rule;
  };
  const worked = async (rule: number) => {
    const { pool } = database;
    const acting = handlerOf(performActionJob, (order) => performAction({ pool, clock }, order));
    while ((await runJobs(database, [acting])) > 0);
    const { rows } = await pool.query(
      `select f.state as run, array_agg(a.code order by a.position) as codes from autoflow_firings f
       join autoflow_firing_actions a on a.firing_id = f.id where f.rule_id = $1 group by f.id`,
      [rule],
    );
    return rows;
  };

  it('ends when the rule was disabled in the meantime', async () => {
    const rule = await fired();
    const off = 'update autoflow_rules set enabled = false, armed_at = null where id = $1';
    await database.pool.query(off, [rule]);
    expect(await worked(rule)).toEqual([{ run: 2, codes: ['CB-05-0014', 'CB-05-0014'] }]);
  });

  it('ends when the SIM was transferred in the meantime', async () => {
    const rule = await fired();
    const other = await insertTestOrganisation(database.pool);
    await database.pool.query('update sims set org_id = $2 where id = $1', [sims.ids[0], other.id]);
    expect(await worked(rule)).toEqual([{ run: 2, codes: ['CB-01-0012', 'CB-01-0012'] }]);
  });
});

describe('an action whose target was deleted', () => {
  it('has failed, and the owner of the rule is notified', async () => {
    const { pool } = database;
    const { rows: groups } = await pool.query<{ id: string }>(
      `insert into notification_targets (org_id, kind, name, addresses, language, created_at)
       values ($1, 'email', 'Desk', '{desk@acme.example}', 'en-US', now()) returning id::text`,
      [sims.orgId],
    );
    const { rows: owners } = await pool.query<{ id: string }>(
      `with person as (
         insert into users (email, first_name, last_name, password_hash)
         values ($2, 'Ana', 'M', '-') returning id)
       insert into memberships (user_id, org_id, role) select id, $1, 'admin' from person returning user_id as id`,
      [sims.orgId, `owner-${sims.orgId}@acme.example`],
    );
    const groupId = groups[0]?.id ?? '';
    const rule = await makeRule(
      pool,
      { orgId: sims.orgId, ownerId: owners[0]?.id ?? '' },
      {
        trigger: { kind: 'status-change', from: 'active', to: ['paused'] },
        actions: [{ kind: 'mail', group_id: groupId, template_id: null }],
        armedAt: clock.now(),
      },
    );
    await paused();
    await pool.query('delete from notification_targets where id = $1', [groupId]);
    const { rows } = await pool.query<{ id: number }>('select id from autoflow_firings where rule_id = $1', [
      rule,
    ]);
    await performAction(
      { pool, clock },
      { ruleId: rule, version: 1, position: 0, firingIds: rows.map(({ id }) => id) },
    );
    const { rows: actions } = await pool.query(
      'select a.state, a.code, f.state as run from autoflow_firing_actions a join autoflow_firings f on f.id = a.firing_id where f.rule_id = $1',
      [rule],
    );
    expect(actions).toEqual([{ state: 2, code: 'CB-09-0017', run: 2 }]);
    const { rows: told } = await pool.query(
      `select d.address, n.kind, n.fields ->> 'code' as code from notifications n join deliveries d on d.notification_id = n.id
       where n.org_id = $1`,
      [sims.orgId],
    );
    expect(told).toEqual([
      { address: `owner-${sims.orgId}@acme.example`, kind: 'autoflow.failed', code: 'CB-09-0017' },
    ]);
  });
});

describe('an expired firing', () => {
  it('is deleted with its actions, and no other is', async () => {
    const { pool } = database;
    await onPause();
    await paused();
    await paused({}, '2026-11-20T10:06:00.000Z');
    const kept = async () => {
      const { rows } = await pool.query(
        `select f.id, a.position from autoflow_firing_actions a full join autoflow_firings f on f.id = a.firing_id
         where f.org_id = $1 or f.id is null order by f.id`,
        [sims.orgId],
      );
      return rows;
    };
    const [first, second] = await kept();
    await pool.query(`update autoflow_firings set kept_until = '2026-11-01' where id = $1`, [first?.id]);
    expect(await removeOldFirings(pool, { now: clock.now(), limit: 10 })).toBe(1);
    expect(await kept()).toEqual([second]);
    expect(await removeOldFirings(pool, { now: clock.now(), limit: 10 })).toBe(0);
  });
});

describe('a rule that gathers firings', () => {
  it('sends them as one message after the first has waited for its interval', async () => {
    const { pool } = database;
    const target = await pool.query<{ id: number }>(
      `insert into notification_targets (org_id, kind, name, addresses, language)
       values ($1, 'email', 'ops', '{ops@acme.example}', 'en-US') returning id`,
      [sims.orgId],
    );
    await makeRule(
      pool,
      { orgId: sims.orgId },
      {
        trigger: { kind: 'status-change', from: 'active', to: ['paused'] },
        actions: [{ kind: 'mail', group_id: String(target.rows[0]?.id), template_id: null }],
        group_minutes: 5,
        armedAt: clock.now(),
      },
    );
    await paused();
    await paused({}, '2026-11-20T10:06:00.000Z');
    const send = async (now: string) => {
      await sendGathered({ pool, clock: new FixedClock(now) });
      const { rows } = await pool.query<{ payload: unknown }>(
        `select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
         where t.identifier = $1 order by j.id`,
        [performActionJob.name],
      );
      for (const { payload } of rows)
        await performAction({ pool, clock }, performActionJob.payload.parse(payload));
      return (await pool.query('select fields from notifications where org_id = $1', [sims.orgId])).rows.map(
        ({ fields }) => [fields.sims, fields.firings.map(({ iccid }: { iccid: string }) => iccid)],
      );
    };
    expect(await send('2026-11-20T10:04:59Z')).toEqual([]);
    const gathered = [2, [sims.iccid(0), sims.iccid(0)]];
    expect(await send('2026-11-20T10:05:00Z')).toEqual([gathered]);
    expect(await send('2026-11-20T10:20:00Z')).toEqual([gathered]);
  });

  it('uses its template, with the SIMs that the organisation still owns', async () => {
    const { pool } = database;
    const words = { subject: '{{rule}}', text: '{{device_name}}', sms: '{{iccid}}: {{sims}}' };
    const { rows: templates } = await pool.query<{ id: number }>(
      `insert into autoflow_templates (org_id, name, texts, updated_at) values ($1, 'Own', $2, $3) returning id`,
      [sims.orgId, JSON.stringify({ 'es-ES': words }), clock.now()],
    );
    const { rows: targets } = await pool.query<{ id: number }>(
      `insert into notification_targets (org_id, kind, name, addresses, language)
       values ($1, 'email', 'ops', '{ops@acme.example}', 'en-US') returning id`,
      [sims.orgId],
    );
    await pool.query(`update sims set device_name = 'Camera ' || id where id = any($1)`, [sims.ids]);
    await makeRule(
      pool,
      { orgId: sims.orgId },
      {
        trigger: { kind: 'status-change', from: 'active', to: ['paused'] },
        actions: [{ kind: 'mail', group_id: String(targets[0]?.id), template_id: String(templates[0]?.id) }],
        armedAt: clock.now(),
      },
    );
    await paused({ sims: sims.ids.map((simId, n) => ({ simId, iccid: sims.iccid(n), from: 'active', at })) });
    const other = await insertTestOrganisation(pool);
    await pool.query('update sims set org_id = $2 where id = $1', [sims.ids[1], other.id]);
    const { rows: orders } = await pool.query<{ payload: unknown }>(
      `select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = $1 order by j.id`,
      [performActionJob.name],
    );
    for (const { payload } of orders)
      await performAction({ pool, clock }, performActionJob.payload.parse(payload));
    const { rows } = await pool.query(
      `select fields -> 'texts' -> 'es-ES' ->> 'text' as text, fields -> 'texts' -> 'es-ES' ->> 'sms' as sms
       from notifications where org_id = $1 order by sms`,
      [sims.orgId],
    );
    expect(rows).toEqual([
      { text: `Camera ${sims.ids[0]}`, sms: `${sims.iccid(0)}: 1` },
      { text: '—', sms: `${sims.iccid(1)}: 1` },
    ]);
  });
});

describe('a SIM whose applicable rules change', () => {
  it('is checked with its next record', async () => {
    const trigger = { kind: 'data-usage', period: 'day', threshold: { unit: 'KB', amount: 1 } } as const;
    await makeRule(database.pool, { orgId: sims.orgId }, { trigger, armedAt: clock.now() });
    const named = { simId: sims.ids[0], iccid: sims.iccid(0) };
    await happens('sim.updated', { sims: [{ ...named, kind: 'tags-changed' }], actor: null, at });
    const { rows } = await database.pool.query(
      'select watch_bytes from sim_live where sim_id = any($1) order by sim_id',
      [sims.ids],
    );
    expect(rows).toEqual([{ watch_bytes: 0 }, { watch_bytes: null }]);
  });
});
