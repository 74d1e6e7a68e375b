import { type Envelope, type ErrorCode, endpoints, errors } from '@simcube/contract';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../platform/log/index.ts';
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
import { runJobs } from '../../../testing/jobs.ts';
import { takeMails } from '../../../testing/mail.ts';

const { identity } = endpoints;
const lines: string[] = [];

let test: TestApp;
let org: { id: number; code: string; tenantId: string };

beforeAll(async () => {
  const destination = { write: (line: string) => lines.push(line) };
  test = await testApp({ log: createLog({ level: 'trace', format: 'json', destination }) });
  org = await makeOrganisation(test, { code: 'northwind' });
});

afterAll(() => test.close());

const expectFailure = (answer: { http: number; body: Envelope<unknown> }, code: ErrorCode) => {
  expect([answer.http, answer.body.status.code]).toEqual([errors[code].http, code]);
};

const profileOf = async (person: TestClient) => (await person.call(identity.getProfile)).body.data;
const codeFor = (secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: test.clock.now().getTime() });

/** Another session of the same person. */
const again = async (person: TestClient, userAgent: string): Promise<TestClient> => {
  const { email } = await profileOf(person);
  const body = { email, password: testPassword, agreement: true };
  const answer = await anonymous(test).call(
    identity.signIn,
    { body },
    { headers: { 'user-agent': userAgent } },
  );
  const { token } = answer.body.data;
  return clientOf(test, {
    ...person,
    token,
    headers: { ...person.headers, authorization: `Bearer ${token}` },
  });
};

describe('the profile', () => {
  it('shows the caller, and only name and language can be changed', async () => {
    const person = await signedInAs(test, 'user', org);
    const before = await profileOf(person);
    expect(before).toMatchObject({
      id: person.userId,
      first_name: 'user',
      language: 'en-US',
      sign_in_count: 1,
      two_factor: { enabled: false, recovery_codes_left: 0 },
      two_factor_required: false,
    });
    const wish = { first_name: ' Ana ', last_name: 'Li', language: 'zh-TW' } as const;
    const forbidden = {
      id: 'x',
      email: 'boss@example.test',
      role: 'superadmin',
      sign_in_count: 99,
      two_factor: { enabled: true },
      disabled_at: null,
      password: 'newer1!',
      password_hash: 'x',
    };
    const refused = await person.call(
      identity.updateProfile,
      {},
      { raw: { body: { ...wish, ...forbidden } } },
    );
    expect(unknownFields(refused)).toEqual(Object.keys(forbidden));
    expect(await profileOf(person)).toEqual(before);
    const { body: answer } = await person.call(identity.updateProfile, { body: wish });
    expect(answer.data).toEqual({ ...before, first_name: 'Ana', last_name: 'Li', language: 'zh-TW' });
    expect(await profileOf(person)).toEqual(answer.data);
    const { rows } = await test.database.pool.query(
      `select org_id::int as org, before, after from audit_entries
       where action = 'profile.updated' and actor_id = $1`,
      [person.userId],
    );
    expect(rows).toEqual([
      {
        org: org.id,
        before: { first_name: 'user', last_name: 'Tester', language: 'en-US' },
        after: { first_name: 'Ana', last_name: 'Li', language: 'zh-TW' },
      },
    ]);
  });

  it('with equal values is not changed, and invalid fields are named', async () => {
    const person = await signedInAs(test, 'user', org);
    const same = { first_name: 'user', last_name: 'Tester', language: 'en-US' } as const;
    expect((await person.call(identity.updateProfile, { body: same })).http).toBe(200);
    const { rows } = await test.database.pool.query(
      `select 1 from audit_entries where action = 'profile.updated' and actor_id = $1`,
      [person.userId],
    );
    expect(rows).toEqual([]);
    const wrong = { first_name: ' ', last_name: 'x'.repeat(31), language: 'fr-FR' };
    const answer = await person.call(identity.updateProfile, {}, { raw: { body: wrong } });
    expectFailure(answer, 'CB-00-0400');
    const paths = answer.body.status.detail?.issues?.map(({ path }) => path);
    expect(paths?.toSorted((a, b) => a.localeCompare(b))).toEqual(['first_name', 'language', 'last_name']);
  });

  it('shows when an organisation requires two-factor', async () => {
    const strict = await makeOrganisation(test, { code: 'strict-one' });
    const person = await signedInAs(test, 'user', strict);
    await test.database.pool.query('update organisations set two_factor_required = true where id = $1', [
      strict.id,
    ]);
    expect(await profileOf(person)).toMatchObject({ two_factor_required: true });
    await test.database.pool.query('update memberships set disabled_at = now() where user_id = $1', [
      person.userId,
    ]);
    expect(await profileOf(person)).toMatchObject({ two_factor_required: false });
  });
});

describe('a person’s own sessions', () => {
  it('are listed with browser and address, the current one first, and ended one by one', async () => {
    const first = await signedInAs(test, 'user', org);
    test.clock.advance(1000);
    const second = await again(first, 'Browser/2.0');
    test.clock.advance(1000);
    const third = await again(first, `Browser/3.0 ${'x'.repeat(500)}`);
    // The current one has the address of the call; it was begun elsewhere, as on a telephone that is carried around.
    await test.database.pool.query(`update user_sessions set address = '198.51.100.7' where user_id = $1`, [
      first.userId,
    ]);
    const { body } = await second.call(identity.listSessions);
    expect(body.total_count).toBe(3);
    expect(body.data.map(({ address }) => address)).toEqual(['127.0.0.1', '198.51.100.7', '198.51.100.7']);
    expect(body.data.map(({ current }) => current)).toEqual([true, false, false]);
    expect(body.data[0]).toMatchObject({ user_agent: 'Browser/2.0', address: '127.0.0.1' });
    expect(body.data[1]?.user_agent).toHaveLength(300);
    const ids = body.data.map(({ id }) => id);
    const paged: string[] = [];
    let cursor: string | null | undefined;
    do {
      const query = { page_size: 1, ...(cursor && { cursor }) };
      const page = (await second.call(identity.listSessions, { query })).body;
      paged.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor);
    expect(paged).toEqual(ids);
    expect(JSON.stringify(body)).not.toMatch(/hash|token/);

    const revoke = (client: TestClient, sessionId: string) =>
      client.call(identity.revokeSession, { params: { sessionId } });
    expect((await revoke(second, ids[1] ?? '')).http).toBe(200);
    expectFailure(await third.call(identity.getProfile), 'CB-00-0502');
    expectFailure(await revoke(second, ids[1] ?? ''), 'CB-00-0404');
    const stranger = await signedInAs(test, 'superadmin', org);
    expectFailure(await revoke(stranger, ids[0] ?? ''), 'CB-00-0404');
    expect((await revoke(second, 'others')).http).toBe(200);
    expectFailure(await first.call(identity.getProfile), 'CB-00-0502');
    expect((await second.call(identity.listSessions)).body.total_count).toBe(1);
    expectFailure(await revoke(second, 'no-id'), 'CB-00-0400');
  });

  it('are as long as the strictest organisation allows, including open ones', async () => {
    const strict = await makeOrganisation(test, { code: 'short-sessions' });
    const person = await signedInAs(test, 'user', org);
    await test.wiring.org.addMembership(test.database.pool, {
      userId: person.userId,
      orgId: strict.id,
      role: 'user',
      oversight: false,
    });
    const demand = async (idle: number, hours: number) => {
      await test.database.pool.query(
        'update organisations set session_idle_hours = $2, session_hours = $3 where id = $1',
        [strict.id, idle, hours],
      );
      // Cached sessions are used for half a minute.
      test.clock.advance(30_000);
    };
    await demand(2, 4);
    test.clock.advance(3600_000);
    expect((await person.call(identity.getProfile)).http).toBe(200);
    await demand(1, 4);
    test.clock.advance(3600_000);
    expectFailure(await person.call(identity.getProfile), 'CB-00-0401');

    const second = await again(await signedInAs(test, 'user', org), 'Browser/1.0');
    await test.wiring.org.addMembership(test.database.pool, {
      userId: second.userId,
      orgId: strict.id,
      role: 'user',
      oversight: false,
    });
    for (let i = 0; i < 7; i += 1) {
      test.clock.advance(1800_000);
      expect((await second.call(identity.getProfile)).http).toBe(200);
    }
    test.clock.advance(1800_000);
    expectFailure(await second.call(identity.getProfile), 'CB-00-0401');
  });
});

describe('two-factor and passwords over the gateway', () => {
  it('turn on, sign in, renew and turn off, without secrets in logs or stored responses', async () => {
    const person = await signedInAs(test, 'user', org);
    const { email } = await profileOf(person);
    const secrets: string[] = [testPassword, person.token ?? ''];
    const key = { headers: { 'idempotency-key': 'key-1' } };
    const begun = await person.call(identity.beginTwoFactor, { body: { password: testPassword } }, key);
    const { secret, uri } = begun.body.data;
    const other = await person.call(identity.beginTwoFactor, { body: { password: testPassword } }, key);
    expect(other.body.data.secret).not.toBe(secret);
    const code = codeFor(other.body.data.secret);
    const confirmed = await person.call(identity.confirmTwoFactor, { body: { code } }, key);
    const codes = confirmed.body.data.recovery_codes;
    secrets.push(secret, uri, other.body.data.secret, ...codes);
    expect(await profileOf(person)).toMatchObject({
      two_factor: { enabled: true, recovery_codes_left: 10 },
    });

    const signIn = (given?: string) =>
      anonymous(test).call(identity.signIn, {
        body: { email, password: testPassword, agreement: true, code: given },
      });
    expectFailure(await signIn(), 'CB-07-0004');
    expectFailure(await signIn(code), 'CB-07-0010');
    expect((await signIn(codes[0])).http).toBe(200);
    expect(await profileOf(person)).toMatchObject({
      two_factor: { enabled: true, recovery_codes_left: 9 },
    });
    const proof = { password: testPassword, code: codes[1] ?? '' };
    const renewed = await person.call(identity.renewRecoveryCodes, { body: proof }, key);
    expect(renewed.body.data.recovery_codes).toHaveLength(10);
    secrets.push(...renewed.body.data.recovery_codes);
    const off = { password: testPassword, code: renewed.body.data.recovery_codes[0] ?? '' };
    expect((await person.call(identity.disableTwoFactor, { body: off }, key)).http).toBe(200);

    await anonymous(test).call(identity.sendPasswordReset, { headers: { email } }, { headers: { email } });
    await runJobs(test.database, test.wiring.identity.jobs);
    const link = (await takeMails(test)).findLast(({ to }) => to === email)?.link;
    const token = new URLSearchParams(link?.hash.slice(1)).get('reset') ?? '';
    secrets.push(token, 'newer-1!');
    const set = await anonymous(test).call(
      identity.resetPassword,
      { body: { token, password: 'newer-1!' } },
      { headers: { email } },
    );
    expect(set.http).toBe(200);
    expectFailure(await person.call(identity.getProfile), 'CB-00-0502');

    const { rows } = await test.database.pool.query('select answer from idempotent_requests');
    const kept = JSON.stringify(rows) + lines.join('');
    expect(lines.length).toBeGreaterThan(0);
    for (const one of secrets) expect(kept).not.toContain(one);
    const { rows: audit } = await test.database.pool.query('select * from audit_entries');
    for (const one of secrets) expect(JSON.stringify(audit)).not.toContain(one);
  });

  it('change the password, with a response although the session ends', async () => {
    const person = await signedInAs(test, 'user', org);
    const change = (body: { oldPassword: string; password: string }) =>
      person.call(identity.changePassword, { body });
    expectFailure(await change({ oldPassword: 'wrong1!', password: 'newer-1!' }), 'CB-07-0014');
    expectFailure(await change({ oldPassword: testPassword, password: testPassword }), 'CB-07-0031');
    const weak = await change({ oldPassword: testPassword, password: 'weak' });
    expectFailure(weak, 'CB-00-0400');
    expect(weak.body.status.detail?.issues?.[0]?.path).toBe('password');
    const answer = await change({ oldPassword: testPassword, password: 'newer-1!' });
    expect(answer.http).toBe(200);
    expect(answer.body.status.code).toBe('CB-00-0000');
    expectFailure(await person.call(identity.signOut), 'CB-00-0502');
  });

  it('give the same response to known and unknown addresses, and name a missing one', async () => {
    const { email } = await profileOf(await signedInAs(test, 'user', org));
    const send = (headers: Record<string, string>) =>
      anonymous(test).call(identity.sendPasswordReset, {}, { headers });
    const [known, unknown] = [await send({ email }), await send({ email: 'nobody@example.test' })];
    expect(known.http).toBe(200);
    const bodyOf = ({ body: { trace_id: _, ...rest } }: typeof known) => rest;
    expect(bodyOf(unknown)).toEqual(bodyOf(known));
    expectFailure(await send({}), 'CB-07-0002');
    const body = { token: 'x'.repeat(43), password: 'newer-1!' };
    expectFailure(await anonymous(test).call(identity.resetPassword, { body }), 'CB-07-0002');
    const guess = await anonymous(test).call(identity.resetPassword, { body }, { headers: { email } });
    expectFailure(guess, 'CB-07-0013');
  });
});
