import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callerFrom, outcomeOf, personPassword, testIdentity } from '../../../testing/identity.ts';
import { type Attempts, attemptsOf } from '../../../testing/sign-in.ts';
import { passwordCost } from '../passwords/passwords.hasher.ts';

let test: Awaited<ReturnType<typeof testIdentity>>;
let who: Attempts;

beforeAll(async () => {
  test = await testIdentity({ cost: passwordCost });
});

afterAll(() => test.database.close());

beforeEach(async () => {
  who = await attemptsOf(test);
});

describe('signing in', () => {
  it('counts sign-ins and returns the person, whatever the case of the address', async () => {
    const { userId, email } = who.person;
    expect(await who.signIn()).toMatchObject({ userId, username: 'Ana Li', lang: 'zh-CN', loginsCount: 1 });
    expect(await who.signIn({ email: ` ${email.toUpperCase()} ` })).toMatchObject({
      userEmail: email,
      loginsCount: 2,
    });
  });

  it('names missing fields, in order, and verifies nothing', async () => {
    expect(await who.attempt({ email: ' ', password: '', agreement: false })).toBe('CB-07-0002');
    expect(await who.attempt({ password: '', agreement: false })).toBe('CB-07-0003');
    expect(await who.attempt({ agreement: false })).toBe('CB-07-0005');
    expect(test.verified).toEqual([]);
  });

  it('reports a disabled account only after the right password', async () => {
    await test.pool.query('update users set disabled_at = now() where id = $1', [who.person.userId]);
    expect(await who.attemptWithWrongPassword()).toBe('CB-07-0001');
    expect(await who.attempt()).toBe('CB-07-0007');
  });

  it('replaces a hash of an older cost', async () => {
    const old = await hash(personPassword, { memoryCost: 8192, timeCost: 1 });
    await test.pool.query('update users set password_hash = $2 where id = $1', [who.person.userId, old]);
    await who.signIn();
    const { rows } = await test.pool.query('select password_hash from users where id = $1', [
      who.person.userId,
    ]);
    expect(rows[0].password_hash).toMatch(/m=19456,t=2/);
    expect(await who.attempt()).toBe('done');
  });

  it('is in the audit trail, with session and address', async () => {
    await who.signIn();
    const { rows } = await test.pool.query(
      `select actor_name, subject_kind, host(address) as address from audit_entries
       where action = 'session.began' and actor_id = $1`,
      [who.person.userId],
    );
    expect(rows).toEqual([{ actor_name: 'Ana Li', subject_kind: 'session', address: who.address }]);
  });

  it('begins no session when the password was changed after it was verified', async () => {
    const user = await test.prove({ email: who.person.email, password: personPassword, address: null });
    const actor = { ...callerFrom('192.0.2.7'), action: 'password.changed' } as const;
    await test.passwords.change({ ...who.person, oldPassword: personPassword, password: 'newer1!', actor });
    expect(await outcomeOf(test.signIn.completeSignIn({ user, actor, userAgent: undefined }))).toBe(
      'CB-07-0001',
    );
    const { rows } = await test.pool.query('select 1 from user_sessions where user_id = $1', [
      who.person.userId,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('an open invitation', () => {
  const invite = async (email: string, passwordHash: string | null = null) => {
    const { rows } = await test.pool.query(
      `insert into organisations (code, name, country) values ($1, $1 || ' Limited', 'DE') returning id`,
      [`org-${randomUUID().slice(0, 8)}`],
    );
    await test.pool.query(
      `insert into invitations (org_id, email, locale, role, token_hash, expires_at, password_hash)
       values ($1, $2, 'en-US', 'user', $3, $4, $5)`,
      [rows[0].id, email, Buffer.from(email), new Date(test.clock.now().getTime() + 1000), passwordHash],
    );
  };

  it('must be accepted first by a person without memberships, unless it has expired', async () => {
    await invite(who.person.email);
    expect(await who.attemptWithWrongPassword()).toBe('CB-07-0001');
    expect(await who.attempt()).toBe('CB-07-0009');
    test.memberships.set(who.person.userId, [
      { code: 'a', name: 'A', role: 'user', tenantId: 't', default: true, logo: null },
    ]);
    expect(await who.attempt()).toBe('done');
    test.memberships.clear();
    test.clock.advance(1000);
    expect(await who.attempt()).toBe('done');
  });

  it('with a first password is disclosed only to those who know it', async () => {
    const email = `invited-${who.person.email}`;
    await invite(email, await test.passwords.hash('first1!'));
    expect(await who.attemptWithWrongPassword({ email })).toBe('CB-07-0001');
    expect(await who.attempt({ email, password: 'first1!' })).toBe('CB-07-0009');
  });

  it('shows who has set its first password nothing of whether the address is known', async () => {
    const first = await test.passwords.hash('first1!');
    const seen = [];
    for (const email of [who.person.email, `unknown-${who.person.email}`]) {
      await invite(email, first);
      test.verified.length = 0;
      seen.push([await who.attempt({ email, password: 'first1!' }), test.verified.length]);
    }
    expect(seen).toEqual([
      ['CB-07-0009', 2],
      ['CB-07-0009', 2],
    ]);
  });
});
