import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../platform/access/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import {
  callerFrom,
  outcomeOf,
  personPassword as password,
  testIdentity,
  totpCode,
  wrongPassword,
} from '../../../testing/identity.ts';

let test: Awaited<ReturnType<typeof testIdentity>>;
let person: Awaited<ReturnType<typeof test.makePerson>>;
let networks = 0;

beforeAll(async () => {
  test = await testIdentity();
});

afterAll(() => test.database.close());

beforeEach(async () => {
  networks += 1;
  person = await test.makePerson();
  await test.mails();
  test.clock.advance(3600_000);
});

const as = (action: NonNullable<Actor['action']>): Actor => ({
  ...callerFrom(`198.51.100.${networks}`),
  id: person.userId,
  name: 'Ana Li',
  action,
});

const begin = (given = password) =>
  test.twoFactor.begin({ ...person, password: given, actor: as('two-factor.enabled') });
const confirm = (code: string) =>
  test.twoFactor.confirm({ ...person, code, actor: as('two-factor.enabled') });
const disable = (code: string, given = password) =>
  outcomeOf(test.twoFactor.disable({ ...person, password: given, code, actor: as('two-factor.disabled') }));
const renew = (code: string, given = password) =>
  test.twoFactor.renewRecoveryCodes({
    ...person,
    password: given,
    code,
    actor: as('recovery-codes.renewed'),
  });

const stored = async () =>
  (
    await test.pool.query(
      `select totp_secret, totp_enabled_at, totp_last_step::int as step,
         (select count(*)::int from recovery_codes where user_id = $1 and used_at is null) as codes
       from users where id = $1`,
      [person.userId],
    )
  ).rows[0];

const actions = async () =>
  (
    await test.pool.query('select action, before, after from audit_entries where actor_id = $1 order by at', [
      person.userId,
    ])
  ).rows;

describe('turning on', () => {
  it('requires the password, then a first code, and returns ten recovery codes', async () => {
    expect(await outcomeOf(begin(wrongPassword))).toBe('CB-07-0014');
    const { secret, uri } = await begin();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const parsed = new URL(uri);
    expect(`${parsed.protocol}//${parsed.host}`).toBe('otpauth://totp');
    expect(decodeURIComponent(parsed.pathname)).toBe(`/SimCube:${person.email}`);
    expect(Object.fromEntries(parsed.searchParams)).toEqual({
      issuer: 'SimCube',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
    const before = await stored();
    expect(before).toMatchObject({ totp_enabled_at: null, codes: 0 });
    expect(before.totp_secret.toString('latin1')).not.toContain(secret);
    const now = test.clock.now().getTime();
    expect(await outcomeOf(confirm(totpCode(secret, now + 120_000)))).toBe('CB-07-0010');
    const codes = await confirm(totpCode(secret, now));
    expect(codes).toHaveLength(10);
    expect(await stored()).toMatchObject({ totp_enabled_at: test.clock.now(), codes: 10 });
    expect(await actions()).toEqual([{ action: 'two-factor.enabled', before: null, after: null }]);
    const [mail] = await test.mails();
    expect(mail?.to).toBe(person.email);
    for (const secretText of [secret, ...codes]) expect(mail?.text).not.toContain(secretText);
  });

  it('is rejected when it is on, and its confirmation when it was not begun', async () => {
    expect(await outcomeOf(confirm('123456'))).toBe('CB-07-0025');
    const { code } = await test.enableTwoFactor(person);
    expect(await outcomeOf(begin())).toBe('CB-07-0025');
    expect(await outcomeOf(confirm(code(30_000)))).toBe('CB-07-0025');
  });

  it('accepts the newest secret only', async () => {
    const first = await begin();
    const second = await begin();
    const now = test.clock.now().getTime();
    expect(await outcomeOf(confirm(totpCode(first.secret, now)))).toBe('CB-07-0010');
    expect(await outcomeOf(confirm(totpCode(second.secret, now)))).toBe('done');
  });

  it('happens once for two concurrent confirmations', async () => {
    const { secret } = await begin();
    const code = totpCode(secret, test.clock.now().getTime());
    const ends = await Promise.all([1, 2].map(() => outcomeOf(confirm(code))));
    expect(ends.toSorted((a, b) => a.localeCompare(b))).toEqual(['CB-07-0025', 'done']);
    expect(await stored()).toMatchObject({ codes: 10 });
    expect(await test.mails()).toHaveLength(1);
  });

  it('limits guesses at the first code', async () => {
    await begin();
    const ends = await Promise.all(
      Array.from({ length: 20 }, (_, i) => outcomeOf(confirm(`00000${i % 10}`))),
    );
    expect(ends.filter((end) => end === 'CB-07-0006').length).toBeGreaterThanOrEqual(15);
  });
});

describe('turning off', () => {
  it('requires password and a new code, and deletes everything', async () => {
    const { code } = await test.enableTwoFactor(person);
    await test.mails();
    expect(await disable(code(), wrongPassword)).toBe('CB-07-0014');
    // The code that turned it on is used up.
    expect(await disable(code())).toBe('CB-07-0010');
    expect(await disable(code(30_000))).toBe('done');
    expect(await stored()).toEqual({ totp_secret: null, totp_enabled_at: null, step: null, codes: 0 });
    expect(await disable(code(30_000))).toBe('CB-07-0025');
    expect((await actions()).map(({ action }) => action)).toEqual([
      'two-factor.enabled',
      'two-factor.disabled',
    ]);
    expect(await test.mails()).toHaveLength(1);
  });

  it('accepts a recovery code instead of the app', async () => {
    const { recoveryCodes } = await test.enableTwoFactor(person);
    expect(await disable(recoveryCodes[3] ?? '')).toBe('done');
  });

  it('limits guesses at the code and at the password separately', async () => {
    const { code } = await test.enableTwoFactor(person);
    for (let i = 0; i < 5; i += 1) expect(await disable('000000x')).toBe('CB-07-0010');
    expect(await disable(code(30_000))).toBe('CB-07-0006');
    // The right password in between did not reset the count of guesses at the code.
    expect(await disable('x', wrongPassword)).toBe('CB-07-0014');
    test.clock.advance(60_000);
    expect(await disable(code())).toBe('done');
  });
});

describe('recovery codes', () => {
  it('are renewed with password and code, which voids the old ones', async () => {
    const { code, recoveryCodes } = await test.enableTwoFactor(person);
    expect(await outcomeOf(renew(code(30_000), wrongPassword))).toBe('CB-07-0014');
    const renewed = await renew(code(30_000));
    expect(renewed).toHaveLength(10);
    expect(renewed.filter((one) => recoveryCodes.includes(one))).toEqual([]);
    expect(await disable(recoveryCodes[0] ?? '')).toBe('CB-07-0010');
    expect(await disable(renewed[0] ?? '')).toBe('done');
    expect(await outcomeOf(renew('123456'))).toBe('CB-07-0025');
  });

  it('are renewed once with one code, even by concurrent requests', async () => {
    const { recoveryCodes } = await test.enableTwoFactor(person);
    const ends = await Promise.all([1, 2].map(() => outcomeOf(renew(recoveryCodes[0] ?? ''))));
    expect(ends.toSorted((a, b) => a.localeCompare(b))).toEqual(['CB-07-0010', 'done']);
    expect(await stored()).toMatchObject({ codes: 10 });
  });
});

it('are never right for a person without two-factor', async () => {
  const { rows } = await test.pool.query('select id from users where id = $1', [person.userId]);
  expect(rows).toHaveLength(1);
  expect(await test.secondFactor.verifyCode(undefined, '123456')).toMatchObject({ factor: undefined });
  const user = await test.prove({ email: person.email, password, address: null });
  for (const code of ['123456', '', 'abcde-fghij-klmno']) {
    expect(await test.secondFactor.verifyCode(user, code)).toMatchObject({ factor: undefined });
  }
});

it('whose secret was sealed with a key that is lost is reported after the correct password; recovery codes still work', async () => {
  const { code, recoveryCodes } = await test.enableTwoFactor(person);
  const lost = vaultOf(Buffer.alloc(32, 8)).seal('JBSWY3DPEHPK3PXP');
  await test.pool.query('update users set totp_secret = $2 where id = $1', [person.userId, lost]);
  const signIn = (given: string, typed: string | undefined) =>
    outcomeOf(test.prove({ email: person.email, password: given, code: typed, address: null }));
  expect(await signIn(wrongPassword, code(30_000))).toBe('CB-07-0001');
  expect(await signIn(password, undefined)).toBe('CB-07-0004');
  expect(await signIn(password, code(30_000))).toBe('CB-07-0040');
  expect(await disable(code(30_000))).toBe('CB-07-0040');
  expect(await signIn(password, recoveryCodes[0])).toBe('done');
  expect(await disable(recoveryCodes[1] ?? '')).toBe('done');
  await begin();
  await test.pool.query('update users set totp_secret = $2 where id = $1', [person.userId, lost]);
  expect(await outcomeOf(confirm('123456'))).toBe('CB-07-0040');
});
