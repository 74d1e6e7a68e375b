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
import { runJobs } from '../../../testing/jobs.ts';

const { sim } = endpoints;

let test: TestApp;
let acme: Awaited<ReturnType<typeof makeOrganisation>>;
let branch: Awaited<ReturnType<typeof makeOrganisation>>;
let admin: TestClient;

beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
  branch = await makeOrganisation(test, { code: 'branch' });
  admin = await signedInAs(test, 'admin', acme);
  await test.wiring.org.addMembership(test.database.pool, {
    userId: admin.userId,
    orgId: branch.id,
    role: 'admin',
    oversight: false,
  });
});
afterAll(() => test.close());

const query = async (text: string, values: unknown[] = []) =>
  (await test.database.pool.query(text, values)).rows;

it.each([
  ['is an operator there', `update memberships set role = 'operator' where user_id = $1 and org_id = $2`],
  ['is disabled there', 'update memberships set disabled_at = now() where user_id = $1 and org_id = $2'],
  ['has left it', 'delete from memberships where user_id = $1 and org_id = $2'],
])('a transfer ends when its person %s', async (_, change) => {
  const { iccid, id } = await makeSim(test.database.pool, acme.id);
  const { body } = await admin.call(sim.transfer, {
    body: { target_code: 'branch', selection: { iccids: [iccid] }, preview: false },
  });
  await query(change, [admin.userId, branch.id]);
  await runJobs(test.database, test.wiring.jobs);
  const taskId = Number(body.data?.task?.reference_id.slice(1));
  expect(await query('select code from task_items where task_id = $1', [taskId])).toEqual([
    { code: 'CB-01-0018' },
  ]);
  expect(await query('select org_id from sims where id = $1', [id])).toEqual([{ org_id: acme.id }]);
  await query(`update memberships set role = 'admin', disabled_at = null where user_id = $1`, [admin.userId]);
});
