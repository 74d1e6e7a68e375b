import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { createApiKey, readSigning, type Signing, sendCall, type TestKey } from '../../../testing/signing.ts';

/** A rule's operations on SIMs are done in the name of the person who saved it, who needs the permission for them. */

const { autoflow: calls } = endpoints;

let test: TestApp;
let signing: Signing;
let org: Awaited<ReturnType<typeof makeOrganisation>>;
let admin: TestClient;
let groupId: string;

beforeAll(async () => {
  test = await testApp();
  signing = await readSigning();
  org = await makeOrganisation(test, { code: 'acme' });
  admin = await signedInAs(test, 'admin', org);
  const body = { name: 'Desk', emails: ['desk@example.test'] };
  groupId = (await admin.call(endpoints.notify.createGroup, { body })).body.data.id;
});
afterAll(() => test.close());
beforeEach(() => test.database.pool.query('delete from autoflow_rules'));

const suspend = { kind: 'suspend' as const };
const bodyOf = (name: string, actions: object[] = [suspend]) => ({
  name,
  trigger: { kind: 'silent' as const, hours: 5 },
  scope: { kind: 'all' as const },
  actions: actions as [typeof suspend],
  active_from: null,
  active_until: null,
  group_minutes: null,
});
const mail = () => [{ kind: 'mail', group_id: groupId }];

/** Saves and switches rules; returns the codes. */
const byPerson = async (client: TestClient, suspending: { id: string; version: number }) => [
  (await client.call(calls.create, { body: bodyOf('Mine') })).body.status.code,
  (await client.call(calls.create, { body: bodyOf('Words', mail()) })).body.status.code,
  (
    await client.call(calls.update, {
      body: { ...bodyOf('Theirs'), ruleId: suspending.id, version: suspending.version },
    })
  ).body.status.code,
  (await client.call(calls.setState, { params: { ruleId: suspending.id, state: 'disabled' } })).body.status
    .code,
  (await client.call(calls.setState, { params: { ruleId: suspending.id, state: 'enabled' } })).body.status
    .code,
];

it('a person without the permission to suspend can’t save or enable a rule that suspends', async () => {
  const person = await signedInAs(test, 'user', org);
  await test.database.pool.query(
    `update memberships set permission_changes = '{"autoflow-cube": ["all"]}' where user_id = $1`,
    [person.userId],
  );
  const rule = (await admin.call(calls.create, { body: bodyOf('Of the admin') })).body.data;
  const codes = ['CB-00-0403', 'CB-00-0000', 'CB-00-0403', 'CB-00-0000', 'CB-00-0403'];
  expect(await byPerson(person, rule)).toEqual(codes);
});

it('a key with fewer permissions than its account can’t save a rule that exceeds them', async () => {
  const rights = { 'autoflow-cube': ['all' as const] };
  const create = (key: TestKey, name: string, actions?: object[]) => {
    const request = {
      method: calls.create.method,
      url: calls.create.path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(name, actions)),
    };
    const created = Math.floor(test.clock.now().getTime() / 1000);
    return sendCall(test, request, signing.signed(request, key, { created }));
  };
  const narrow = await createApiKey(admin, { rights });
  const wide = await createApiKey(admin, { rights: { ...rights, sim: ['operate'] } });
  expect((await create(narrow, 'Suspends')).code).toBe('CB-00-0403');
  expect((await create(narrow, 'Writes', mail())).code).toBe('CB-00-0000');
  expect((await create(wide, 'Suspends')).code).toBe('CB-00-0000');
});
