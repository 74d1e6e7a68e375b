import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { firingsOf, makeRule } from '../../../testing/autoflow-rules.ts';
import { importRecords } from '../../../testing/cdrs.ts';
import { testDatabase } from '../../../testing/database.ts';
import { radiusInventory, type TestSims } from '../../../testing/radius.ts';
import { autoflowConsumers } from '../autoflow.consumers.ts';
import { evaluateUsage } from '../engine/usage.service.ts';
import { performAction } from './perform-action.service.ts';

const clock = new FixedClock('2026-11-20T10:00:00Z');
const at = '2026-11-20T10:05:00.000Z';

let database: Database;
let sims: TestSims;

beforeAll(async () => {
  database = await testDatabase();
  sims = await radiusInventory(database, 2);
});
afterAll(() => database.close());

const makePerson = async (name: string, role: string): Promise<string> => {
  const { rows } = await database.pool.query<{ id: string }>(
    `with person as (
       insert into users (email, first_name, last_name, password_hash)
       values ($2 || '@acme.example', $2, 'M', '-') returning id)
     insert into memberships (user_id, org_id, role) select id, $1, $3 from person returning user_id as id`,
    [sims.orgId, name, role],
  );
  return rows[0]?.id ?? '';
};

/** A rule that has fired once, and the order of its action. */
const fired = async (ownerId?: string) => {
  const trigger = { kind: 'status-change', from: 'active', to: ['paused'] } as const;
  const owner = ownerId === undefined ? {} : { ownerId };
  const ruleId = await makeRule(
    database.pool,
    { orgId: sims.orgId, ...owner },
    { trigger: { ...trigger, to: [...trigger.to] }, armedAt: clock.now() },
  );
  const topic = 'sim.lifecycle-changed';
  const payload = {
    sims: [{ simId: sims.ids[0], iccid: sims.iccid(0), from: 'active', at }],
    to: 'paused',
    reason: 'suspend',
    actor: null,
  };
  await inTransaction(database.pool, async (tx) => {
    for (const consumer of autoflowConsumers({ clock })) {
      if (consumer.topics.has(topic))
        await consumer.handle(tx, { topic, orgId: sims.orgId, payload, createdAt: clock.now() });
    }
  });
  const { rows } = await database.pool.query<{ id: number }>(
    'select id from autoflow_firings where rule_id = $1',
    [ruleId],
  );
  return { ruleId, version: 1, position: 0, firingIds: rows.map(({ id }) => id) };
};
const perform = (order: Awaited<ReturnType<typeof fired>>) =>
  performAction({ pool: database.pool, clock: new FixedClock(at) }, order);

describe('an action that fails', () => {
  it('because the owner may no longer do it is reported to those who may change that', async () => {
    await makePerson('boss', 'admin');
    const order = await fired(await makePerson('demoted', 'user'));
    await perform(order);
    const { rows } = await database.pool.query(
      `select d.address, n.fields ->> 'code' as code from notifications n join deliveries d on d.notification_id = n.id
       where n.org_id = $1`,
      [sims.orgId],
    );
    expect(rows).toEqual([{ address: 'boss@acme.example', code: 'CB-00-0403' }]);
  });
});

describe('an action of a rule that was deleted with its organisation', () => {
  it('is not carried out, and its job does not fail', async () => {
    const order = await fired();
    await database.pool.query('delete from autoflow_rules where id = $1', [order.ruleId]);
    await perform(order);
    const ofRule = (await firingsOf(database.pool, sims.orgId)).filter((one) => one.rule_id === order.ruleId);
    expect(ofRule).toHaveLength(1);
    const { rows } = await database.pool.query(
      'select state, task from autoflow_firing_actions where firing_id = any($1)',
      [order.firingIds],
    );
    expect(rows).toEqual([{ state: 0, task: null }]);
  });
});

describe('an operation of a rule on the usage of a cycle', () => {
  it('is refused once that cycle is over, and the next operation follows', async () => {
    const { pool } = database;
    const ruleId = await makeRule(
      pool,
      { orgId: sims.orgId, ownerId: await makePerson('planner', 'admin') },
      {
        trigger: { kind: 'data-usage', period: 'cycle', threshold: { unit: 'KB', amount: 1 } },
        actions: [{ kind: 'data-off' }, { kind: 'add-tag', tag: 'over' }],
        armedAt: clock.now(),
      },
    );
    // The cycle of November ends at 16:00 UTC.
    const later = new FixedClock('2026-11-30T17:00:00Z');
    const ends = ['2026-11-30T15:59:00Z', '2026-11-30T16:30:00Z'];
    const records = ends.map((ended_at, index) => ({ iccid: sims.iccid(index), ended_at }));
    await importRecords(
      { database, clock: later },
      records.map((record) => ({ ...record, up_bytes: 2048, down_bytes: 0 })),
    );
    const seen = ends.map((end, index) => [sims.ids[index] ?? 0, Date.parse(end)] as const);
    await evaluateUsage({ pool, clock: later }, { orgId: sims.orgId, seen });
    const { rows: firings } = await pool.query<{ id: number }>(
      'select id from autoflow_firings where rule_id = $1 order by sim_id',
      [ruleId],
    );
    const firingIds = firings.map(({ id }) => id);
    await performAction({ pool, clock: later }, { ruleId, version: 1, position: 0, firingIds });
    const actions = await pool.query(
      `select kind, code, task is not null as ordered from autoflow_firing_actions where firing_id = any($1)
       order by firing_id, position`,
      [firingIds],
    );
    expect(actions.rows).toEqual([
      { kind: 'data-off', code: 'CB-05-0019', ordered: false },
      { kind: 'add-tag', code: null, ordered: false },
      { kind: 'data-off', code: null, ordered: true },
      { kind: 'add-tag', code: null, ordered: false },
    ]);
    const { rows: queued } = await pool.query(
      `select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = 'autoflow.act' and j.payload ->> 'ruleId' = $1 and j.payload ->> 'position' = '1'`,
      [String(ruleId)],
    );
    expect(queued).toEqual([{ payload: { ruleId, version: 1, position: 1, firingIds: [firingIds[0]] } }]);
    const { rows: told } = await pool.query(
      `select fields ->> 'code' as code from notifications where org_id = $1 and fields ->> 'id' = $2`,
      [sims.orgId, String(ruleId)],
    );
    expect(told).toEqual([{ code: 'CB-05-0019' }]);
  });
});
