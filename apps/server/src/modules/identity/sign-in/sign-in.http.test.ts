import {
  type Envelope,
  type ErrorCode,
  endpoints,
  errors,
  languages,
  permissionsByRole,
} from '@simcube/contract';
import { phrase } from '@simcube/phrases';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { unknownFields } from '../../../testing/accounts.ts';
import {
  anonymous,
  clientOf,
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
  testPassword,
} from '../../../testing/app.ts';
import { operatorActor } from '../../audit/index.ts';

let test: TestApp;
let org: { id: number; code: string; tenantId: string };
const { signIn, signOut } = endpoints.identity;

beforeAll(async () => {
  test = await testApp();
  org = await makeOrganisation(test, { code: 'northwind' });
});

afterAll(() => test.close());

/** In the order in which they are checked: the error names the first missing one. */
const cases: { missing: string; code: ErrorCode; body: { email?: string; password?: string } }[] = [
  { missing: 'email', code: 'CB-07-0002', body: {} },
  { missing: 'password', code: 'CB-07-0003', body: { email: 'ana@example.test' } },
  { missing: 'agreement', code: 'CB-07-0005', body: { email: 'ana@example.test', password: 'abc12!' } },
];

const bearer = (token: string): TestClient =>
  clientOf(test, { userId: '', orgId: 0, token, headers: { authorization: `Bearer ${token}` } });

const emailOf = async ({ userId }: TestClient): Promise<string> =>
  (await test.database.pool.query('select email from users where id = $1', [userId])).rows[0].email;

const expectFailure = (answer: { http: number; body: Envelope<unknown> }, code: ErrorCode) => {
  expect(answer.http).toBe(errors[code].http);
  expect(answer.body).toMatchObject({ data: null, status: { success: false, code } });
};

describe('signing in', () => {
  it.each(languages.flatMap((language) => cases.map((one) => ({ language, ...one }))))(
    'says in $language that the $missing is missing',
    async ({ language, code, body }) => {
      const answer = await anonymous(test).call(
        signIn,
        { body },
        { headers: { 'accept-language': language } },
      );
      expectFailure(answer, code);
      expect(answer.body.status.message).toBe(phrase(language, `errors.${errors[code].key}`));
    },
  );

  it('returns everything that the browser stores', async () => {
    const operator = await signedInAs(test, 'operator', org);
    const second = await makeOrganisation(test, { code: 'acme-branch', parentCode: org.code });
    await test.wiring.org.addMembership(test.database.pool, {
      userId: operator.userId,
      orgId: second.id,
      role: 'admin',
      oversight: false,
    });
    const email = await emailOf(operator);
    const { http, body } = await anonymous(test).call(signIn, {
      body: { email, password: testPassword, agreement: true },
    });
    expect(http).toBe(200);
    const shared = { logo: null };
    expect(body.data).toEqual({
      token: expect.stringMatching(/^scs_[\w-]{43}$/),
      userId: operator.userId,
      username: 'operator Tester',
      userEmail: email,
      lang: 'en-US',
      loginsCount: 2,
      partnerCode: 'northwind',
      tenantId: org.tenantId,
      rolesInfo: [
        {
          code: 'northwind',
          name: 'northwind Limited',
          role: 'operator',
          tenantId: org.tenantId,
          default: true,
          ...shared,
        },
        {
          code: 'acme-branch',
          name: 'acme-branch Limited',
          role: 'admin',
          tenantId: second.tenantId,
          default: false,
          ...shared,
        },
      ],
      permissionsInfo: permissionsByRole,
      sharedPool: [],
      dayOffset: 8,
    });
  });

  it('succeeds for a person without an organisation', async () => {
    const person = { email: 'alone@example.test', firstName: 'A', lastName: 'B', locale: 'es-ES' };
    await test.wiring.identity.createUser(test.database.pool, { ...person, password: testPassword });
    const body = { email: person.email, password: testPassword, agreement: true };
    const answer = await anonymous(test).call(signIn, { body });
    expect(answer.body.data).toMatchObject({
      partnerCode: null,
      tenantId: null,
      rolesInfo: [],
      lang: 'es-ES',
    });
  });

  it('rejects an invalid request with the fields at fault', async () => {
    const answer = await anonymous(test).call(signIn, {}, { raw: { body: { email: 1, agreement: 'yes' } } });
    expectFailure(answer, 'CB-00-0400');
    expect(answer.body.status.detail?.issues?.map((issue) => issue.path).sort()).toEqual([
      'agreement',
      'email',
    ]);
  });

  it('requires a mailed code after five failures and locks after ten, with the same messages for unknown addresses', async () => {
    const email = await emailOf(await signedInAs(test, 'user', org));
    const attempt = (address: string, code?: string) =>
      anonymous(test).call(signIn, { body: { email: address, password: 'wrong1!', agreement: true, code } });
    for (const address of [email, 'unknown@example.test']) {
      for (let i = 0; i < 5; i += 1) expectFailure(await attempt(address), 'CB-07-0001');
      expectFailure(await attempt(address), 'CB-07-0004');
      for (let i = 0; i < 5; i += 1) expectFailure(await attempt(address, '999999'), 'CB-07-0010');
      const locked = await attempt(address, '999999');
      expectFailure(locked, 'CB-07-0006');
      expect(locked.headers['retry-after']).toBe('60');
    }
  });

  it('reports a disabled only account, but not without the right password', async () => {
    const person = await signedInAs(test, 'user', org);
    const email = await emailOf(person);
    await test.database.pool.query('update memberships set disabled_at = now() where user_id = $1', [
      person.userId,
    ]);
    const attempt = async (password: string) =>
      (await anonymous(test).call(signIn, { body: { email, password, agreement: true } })).body.status.code;
    expect(await attempt('Wrong-2026!')).toBe('CB-07-0001');
    expect(await attempt(testPassword)).toBe('CB-07-0007');
    await test.database.pool.query('update memberships set disabled_at = null where user_id = $1', [
      person.userId,
    ]);
    expect(await attempt(testPassword)).toBe('CB-00-0000');
  });

  it('ignores unrequested fields', async () => {
    const person = await signedInAs(test, 'user', org);
    const email = await emailOf(person);
    const body = { email, password: testPassword, agreement: true };
    const extra = {
      role: 'superadmin',
      userId: 'x',
      loginsCount: 99,
      totpEnabledAt: null,
    };
    const refused = await anonymous(test).call(signIn, {}, { raw: { body: { ...body, ...extra } } });
    expect(unknownFields(refused)).toEqual(Object.keys(extra));
    const { body: answer } = await anonymous(test).call(signIn, { body });
    expect(answer.data).toMatchObject({ userId: person.userId, loginsCount: 2 });
    expect(answer.data.rolesInfo.map(({ role }) => role)).toEqual(['user']);
  });
});

it('is rate-limited twenty times as strictly as other calls', async () => {
  const limited = await testApp({ requestsPerMinute: 60 });
  const attempt = (i: number) =>
    anonymous(limited).call(signIn, {
      body: { email: `person${i}@example.test`, password: 'abc12!', agreement: true },
    });
  for (let i = 0; i < 3; i += 1) expectFailure(await attempt(i), 'CB-07-0001');
  expectFailure(await attempt(3), 'CB-00-0429');
  await limited.close();
});

it('is stopped by the rate limit for a flood of bad tokens', async () => {
  const limited = await testApp({ requestsPerMinute: 5 });
  const guess = () => {
    const token = `scs_${'A'.repeat(43)}`;
    return clientOf(limited, {
      userId: '',
      orgId: 0,
      token,
      headers: { authorization: `Bearer ${token}` },
    }).call(signOut);
  };
  for (let i = 0; i < 5; i += 1) expectFailure(await guess(), 'CB-99-9401');
  expectFailure(await guess(), 'CB-00-0429');
  await limited.close();
});

describe('a session', () => {
  it('missing or expired is 401', async () => {
    expectFailure(await anonymous(test).call(signOut), 'CB-00-0401');
    const person = await signedInAs(test, 'user', org);
    test.clock.advance(12 * 3600_000);
    expectFailure(await person.call(signOut), 'CB-00-0401');
  });

  it('with an unknown or malformed token is 400 CB-99-9401', async () => {
    for (const token of [`scs_${'A'.repeat(43)}`, 'scs_short', "' or 1=1 --", 'x'.repeat(500)]) {
      expectFailure(await bearer(token).call(signOut), 'CB-99-9401');
    }
    for (const authorization of ['Bearer', 'Basic YTpi', `Bearer ${'x'.repeat(501)}`]) {
      expectFailure(await anonymous(test).call(signOut, {}, { headers: { authorization } }), 'CB-99-9401');
    }
  });

  it('ended by its person is no longer valid', async () => {
    const person = await signedInAs(test, 'user', org);
    const answer = await person.call(signOut);
    expect(answer.http).toBe(200);
    expect(answer.body).toMatchObject({ data: null, status: { success: true, code: 'CB-00-0000' } });
    expectFailure(await person.call(signOut), 'CB-00-0401');
  });

  it('ended elsewhere is 200 with result 0502', async () => {
    const person = await signedInAs(test, 'user', org);
    const email = await emailOf(person);
    await test.wiring.identity.setPassword({ email, password: 'newer-1!', actor: operatorActor() });
    await vi.waitFor(async () => {
      const answer = await person.call(endpoints.org.listMine);
      expectFailure(answer, 'CB-00-0502');
      expect(answer.http).toBe(200);
      expect(answer.body.resultCode).toBe('0502');
    });
  });

  it('never shows its token in the database or in an error', async () => {
    const person = await signedInAs(test, 'user', org);
    const { rows } = await test.database.pool.query('select * from user_sessions');
    expect(JSON.stringify(rows)).not.toContain(person.token);
    const answer = await person.call(endpoints.org.listMine, {}, { raw: { query: 'page_no=x' } });
    expectFailure(answer, 'CB-00-0400');
    expect(JSON.stringify(answer.body)).not.toContain(person.token);
  });
});
