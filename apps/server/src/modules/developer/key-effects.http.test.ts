import { endpoints, headers as names } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import {
  createApiKey,
  readSigning,
  type Signing,
  sendCall,
  type TestKey,
  type UnsignedCall,
} from '../../testing/signing.ts';

/** The effects of calls by API keys. */

let test: TestApp;
let developer: TestClient;
let signing: Signing;
let key: TestKey;

beforeAll(async () => {
  test = await testApp();
  signing = await readSigning();
  developer = await signedInAs(test, 'admin', await makeOrganisation(test, { code: 'northwind' }));
  key = await createApiKey(developer);
});
afterAll(() => test.close());

const created = () => Math.floor(test.clock.now().getTime() / 1000);
const call = (request: UnsignedCall, by = key) =>
  sendCall(test, request, signing.signed(request, by, { created: created() }));

it('is limited to its own organisation, even if the person is an admin of another', async () => {
  const { getEnterprise, updateEnterprise } = endpoints.org;
  const southwind = await makeOrganisation(test, { code: 'southwind' });
  await test.wiring.org.addMembership(test.database.pool, {
    userId: developer.userId,
    orgId: southwind.id,
    role: 'admin',
    oversight: false,
  });
  const edit = { code: 'southwind', country: 'FR' };
  const headers = { 'content-type': 'application/json' };
  const byKey = [
    await call({ method: 'GET', url: getEnterprise.path.replace('{orgCode}', 'southwind') }),
    await call({
      method: updateEnterprise.method,
      url: updateEnterprise.path,
      headers,
      body: JSON.stringify(edit),
    }),
  ];
  expect(byKey.map(({ code }) => code)).toEqual(['CB-07-0029', 'CB-07-0029']);
  expect((await developer.call(updateEnterprise, { body: edit })).body.status.code).toBe('CB-00-0000');
});

describe('an Idempotency-Key', () => {
  const { createGroup, listGroups } = endpoints.notify;
  const group = (name: string) => ({ name, emails: ['ops@example.test'] });
  const keyed = { [names.idempotencyKey]: 'nightly-1' };
  const makeBy = (by: TestKey, name: string) =>
    call(
      {
        method: createGroup.method,
        url: createGroup.path,
        headers: { 'content-type': 'application/json', ...keyed },
        body: JSON.stringify(group(name)),
      },
      by,
    );

  it('of a person, and of each of the keys, is a separate one', async () => {
    const other = await createApiKey(developer);
    const byPerson = await developer.call(createGroup, { body: group('By hand') }, { headers: keyed });
    const byKey = await makeBy(key, 'By key');
    const byOther = await makeBy(other, 'By another');
    expect([byPerson.body.status.code, byKey.code, byOther.code]).toEqual(Array(3).fill('CB-00-0000'));
    const again = await makeBy(key, 'By key');
    expect([again.data, again.headers[names.idempotencyReplayed]]).toEqual([byKey.data, 'true']);
    expect((await makeBy(key, 'By hand')).code).toBe('CB-00-0422');
    const made = (await developer.call(listGroups)).body.data.map(({ name }) => name);
    expect(made.sort()).toEqual(['By another', 'By hand', 'By key']);
  });
});
