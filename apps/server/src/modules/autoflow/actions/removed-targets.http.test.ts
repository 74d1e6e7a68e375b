import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';

const { autoflow: calls, notify } = endpoints;

let test: TestApp;
let org: Awaited<ReturnType<typeof makeOrganisation>>;
let admin: TestClient;

beforeAll(async () => {
  test = await testApp();
  org = await makeOrganisation(test, { code: 'acme' });
  admin = await signedInAs(test, 'admin', org);
});
afterAll(() => test.close());

it('an action whose notification had not reached its target has failed when the target is removed', async () => {
  const { pool } = test.database;
  const groupOf = async (name: string) =>
    (await admin.call(notify.createGroup, { body: { name, emails: ['desk@example.test'] } })).body.data.id;
  const [removed, kept] = [await groupOf('Removed'), await groupOf('Kept')];
  const body = {
    name: 'Silent cameras',
    trigger: { kind: 'silent' as const, hours: 5 },
    scope: { kind: 'all' as const },
    actions: [{ kind: 'mail' as const, group_id: kept, template_id: null }] as [never],
    active_from: null,
    active_until: null,
    group_minutes: null,
  };
  const rule = (await admin.call(calls.create, { body })).body.data;
  const sim = await makeSim(pool, org.id, {});
  /** A run with one notification; 0 waiting, 1 delivered, 2 given up. */
  const fire = async (target: string, key: string, state: 0 | 1 | 2) => {
    const at = test.clock.now();
    await pool.query(
      `with told as (
         insert into notifications (org_id, kind, fields, created_at) values ($1, 'autoflow.fired', '{}', $5) returning id),
       going as (
         insert into deliveries (notification_id, org_id, target_id, channel, lane, address, language, state, due_at, created_at)
         select id, $1, $6, 'email', 0, 'desk@example.test', 'en-US', $7::smallint, case when $7::smallint = 0 then $5::timestamptz end, $5 from told),
       firing as (
         insert into autoflow_firings (org_id, rule_id, version, sim_id, key, happened_at, fired_at, measured, state, kept_until)
         values ($1, $2, 1, $3, $4, $5, $5, '{"value":6,"threshold":5,"unit":"hours","since":null}', 1, '2027-12-01')
         returning id)
       insert into autoflow_firing_actions (firing_id, position, kind, state, ended_at, notification_id)
       select firing.id, 0, 'mail', 1, $5, told.id from firing, told`,
      [org.id, rule.id, sim.id, key, at, target, state],
    );
  };
  await fire(removed, 'waiting', 0);
  await fire(removed, 'delivered', 1);
  await fire(removed, 'given up', 2);
  await fire(kept, 'elsewhere', 0);
  const runs = async () =>
    (await admin.call(calls.listRuns, { params: { ruleId: rule.id }, query: {} })).body.data.map(
      ({ state, actions: [action] }) => [state, action?.code],
    );
  const failures = async () => (await admin.call(calls.summary, {})).body.data.failed;
  expect(await runs()).toEqual([
    ['waiting', null],
    ['failed', null],
    ['done', null],
    ['waiting', null],
  ]);
  expect(await failures()).toBe(1);
  expect((await admin.call(notify.removeTarget, { params: { groupId: removed } })).http).toBe(200);
  expect(await runs()).toEqual([
    ['waiting', null],
    ['failed', 'CB-09-0017'],
    ['done', null],
    ['failed', 'CB-09-0017'],
  ]);
  expect(await failures()).toBe(2);
});
