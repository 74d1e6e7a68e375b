import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectFailure } from '../../../testing/accounts.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';

const { createGroup, createSmsGroup, createApiTarget } = endpoints.notify;
const { listGroups } = endpoints.schedule;
const { listTargets } = endpoints.autoflow;
const url = 'https://hooks.example.test/simcube';

let test: TestApp;
let org: Awaited<ReturnType<typeof makeOrganisation>>;
let admin: TestClient;

beforeAll(async () => {
  test = await testApp();
  org = await makeOrganisation(test, { code: 'own' });
  admin = await signedInAs(test, 'admin', org);
  for (const [name, count] of [
    ['Night shift', 3],
    ['desk', 1],
  ] as const) {
    const emails = Array.from({ length: count }, (_, index) => `${index}@private.test`);
    await admin.call(createGroup, { body: { name, emails } });
  }
  await admin.call(createSmsGroup, { body: { name: 'On call', phones: ['4915112345678'] } });
  await admin.call(createApiTarget, { body: { name: 'Fleet', url } });
  const elsewhere = await makeOrganisation(test, { code: 'elsewhere' });
  const stranger = await signedInAs(test, 'admin', elsewhere);
  await stranger.call(createGroup, { body: { name: 'Foreign', emails: ['a@b.test'] } });
});
afterAll(() => test.close());

const withChanges = async (changes: object): Promise<TestClient> => {
  const person = await signedInAs(test, 'operator', org);
  await test.database.pool.query('update memberships set permission_changes = $2 where user_id = $1', [
    person.userId,
    changes,
  ]);
  return person;
};

describe('the address groups for reports of scheduled SMS', () => {
  it('are listed by name, without addresses, to people who may set up schedules', async () => {
    const { body } = await (await signedInAs(test, 'operator', org)).call(listGroups);
    expect(body.data.map(({ name, addresses }) => [name, addresses])).toEqual([
      ['desk', 1],
      ['Night shift', 3],
    ]);
    expect(JSON.stringify(body)).not.toContain('private.test');
  });

  it('are not listed to people who may only read schedules', async () => {
    expectFailure(await (await signedInAs(test, 'user', org)).call(listGroups), 'CB-00-0403');
  });
});

describe('the targets of rules', () => {
  const targetsFor = (apiUrl: string | null) => [
    { id: expect.any(String), kind: 'api', name: 'Fleet', addresses: 1, url: apiUrl },
    { id: expect.any(String), kind: 'email', name: 'desk', addresses: 1, url: null },
    { id: expect.any(String), kind: 'email', name: 'Night shift', addresses: 3, url: null },
    { id: expect.any(String), kind: 'sms', name: 'On call', addresses: 1, url: null },
  ];

  it('are listed without addresses and URLs to people who may write rules', async () => {
    const { body } = await (await withChanges({ 'autoflow-cube': ['write'] })).call(listTargets);
    expect(body.data).toEqual(targetsFor(null));
    expect(JSON.stringify(body)).not.toMatch(/private\.test|hooks\.example|49151/);
  });

  it('have the URL for people who may also read targets', async () => {
    expect((await admin.call(listTargets)).body.data).toEqual(targetsFor(url));
  });

  it('are not listed to people who may only read rules', async () => {
    expectFailure(await (await withChanges({ 'autoflow-cube': ['read'] })).call(listTargets), 'CB-05-0001');
  });
});
