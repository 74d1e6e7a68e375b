import { createClient } from '@simcube/client';
import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { createApiKey } from '../../../testing/signing.ts';

const { readCaller } = endpoints.developer;
let test: TestApp;
let org: Awaited<ReturnType<typeof makeOrganisation>>;
let developer: TestClient;
let url: string;

beforeAll(async () => {
  test = await testApp();
  org = await makeOrganisation(test, { code: 'northwind' });
  developer = await signedInAs(test, 'admin', org);
  url = await test.listen();
});
afterAll(() => test.close());

it('a program with a key of few rights learns whom it acts for, and what it may do', async () => {
  const expires_at = '2027-01-01T00:00:00.000Z';
  const { id, privateKey } = await createApiKey(developer, { expires_at, rights: { sim: ['read'] } });
  const client = createClient({ url, keyId: id, privateKey, now: () => test.clock.now() });
  const { data } = await client.call(readCaller);
  expect(data).toEqual({
    account_id: developer.userId,
    organisation: { tenant_id: org.tenantId, code: 'northwind', name: expect.stringMatching(/.{5}/) },
    role: 'admin',
    permissions: { sim: ['read'] },
    key: { id, name: null, expires_at },
    day_offset: 8,
  });
});

it('the account is the one that calls of a webhook need, with a key and in a session', async () => {
  const { id, privateKey } = await createApiKey(developer);
  const client = createClient({ url, keyId: id, privateKey, now: () => test.clock.now() });
  const { account_id: accountId, ...byKey } = (await client.call(readCaller)).data;
  expect((await client.call(endpoints.webhook.key, { params: { accountId } })).data.id).toBe(accountId);
  const inSession = (await developer.call(readCaller)).body.data;
  expect(inSession).toEqual({ account_id: accountId, ...byKey, key: null });
});
