import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { inTransaction } from '../../../platform/db/index.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { waitForBlockedStatements } from '../../../testing/locks.ts';
import { lockOrganisation } from '../../org/index.ts';
import { armRules } from '../engine/arming.service.ts';

const { autoflow: calls } = endpoints;

let test: TestApp;
let org: Awaited<ReturnType<typeof makeOrganisation>>;
let admin: TestClient;

beforeAll(async () => {
  test = await testApp();
  org = await makeOrganisation(test, { code: 'acme' });
  admin = await signedInAs(test, 'admin', org);
});
afterAll(() => test.close());
beforeEach(() => test.database.pool.query('delete from autoflow_rules'));

const made = async (name: string, enabled: boolean) => {
  const trigger = { kind: 'data-usage', period: 'day', threshold: { unit: 'MB', amount: 10 } } as const;
  const rest = { active_from: null, active_until: null, group_minutes: null };
  const parts = { scope: { kind: 'all' as const }, actions: [{ kind: 'suspend' as const }] };
  const body = { name, trigger, enabled, ...parts, ...rest };
  return (await admin.call(calls.create, { body })).body.data.id;
};

it.each([
  ['switched off', (ruleId: string) => admin.call(calls.setState, { params: { ruleId, state: 'disabled' } })],
  ['removed', (ruleId: string) => admin.call(calls.remove, { params: { ruleId } })],
])('usage is still watched when the only rule is %s while another is switched on', async (_, end) => {
  const [on, off] = [await made('First', true), await made('Second', false)];
  const { pool } = test.database;
  let ending: Promise<unknown> | undefined;
  await inTransaction(pool, async (tx) => {
    await lockOrganisation(tx, org.id);
    const at = test.clock.now();
    await tx.query('update autoflow_rules set enabled = true, armed_at = $2 where id = $1', [off, at]);
    await armRules(tx, { orgId: org.id, at });
    ending = end(on);
    await waitForBlockedStatements(pool);
  });
  await ending;
  const { rowCount } = await pool.query('select from usage_watches where org_id = $1', [org.id]);
  expect(rowCount).toBe(1);
});
