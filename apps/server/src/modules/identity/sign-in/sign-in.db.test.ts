import { hash } from '@node-rs/argon2';
import type { ErrorCode } from '@simcube/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { Failure } from '../../../platform/http/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { identityJobs } from '../identity.jobs.ts';
import { createHasher } from '../passwords/passwords.hasher.ts';
import { createSessions } from '../sessions/sessions.service.ts';
import { createIdentity, EmailTaken, PasswordRefused } from './sign-in.service.ts';

const clock = new FixedClock('2026-05-01T08:00:00Z');
const password = 'right1!';
let database: Database;
let people = 0;
let email: string;
/** What was verified: the stored hash, or undefined for an address that nobody has. */
const verified: (string | undefined)[] = [];

const start = () => {
  const hasher = createHasher();
  const sessions = createSessions({ pool: database.pool, clock });
  const recording: typeof hasher = {
    ...hasher,
    verify: (stored, given) => {
      verified.push(stored);
      return hasher.verify(stored, given);
    },
  };
  const service = createIdentity({
    pool: database.pool,
    clock,
    hasher: recording,
    sessions,
    memberships: async () => [],
  });
  return { sessions, service };
};

let identity: ReturnType<typeof start>;

const createPerson = () => {
  people += 1;
  email = `person${people}@example.com`;
  const person = { email, firstName: 'Ana', lastName: 'Li', locale: 'zh-CN', password };
  return identity.service.createUser(database.pool, person);
};

beforeAll(async () => {
  database = await testDatabase();
  identity = start();
});

afterAll(() => database.close());

beforeEach(() => {
  verified.length = 0;
});

const signIn = (given: { email?: string; password?: string; agreement?: boolean } = {}) =>
  identity.service.signIn({ email, password, agreement: true, address: undefined, ...given });

/** The code that the attempt ends in. */
const codeOf = (attempt: Promise<unknown>): Promise<ErrorCode | 'signed in'> =>
  attempt.then(
    () => 'signed in',
    (error: unknown) => {
      if (error instanceof Failure) return error.code;
      throw error;
    },
  );

describe('signing in', () => {
  it('counts the sign-ins and tells the person, in whatever case the address is typed', async () => {
    const userId = await createPerson();
    expect(await signIn()).toMatchObject({ userId, username: 'Ana Li', lang: 'zh-CN', loginsCount: 1 });
    expect(await signIn({ email: ` ${email.toUpperCase()} ` })).toMatchObject({
      userEmail: email,
      loginsCount: 2,
    });
  });

  it('checks a password just the same when nobody has the address', async () => {
    await createPerson();
    expect(await codeOf(signIn({ password: 'wrong1!' }))).toBe('CB-07-0001');
    expect(await codeOf(signIn({ email: 'nobody@example.com' }))).toBe('CB-07-0001');
    expect(verified).toEqual([expect.stringMatching(/^\$argon2id/), undefined]);
  });

  it('tells a disabled person so only after the right password', async () => {
    const userId = await createPerson();
    await database.pool.query('update users set disabled_at = now() where id = $1', [userId]);
    expect(await codeOf(signIn({ password: 'wrong1!' }))).toBe('CB-07-0001');
    expect(await codeOf(signIn())).toBe('CB-07-0007');
  });

  it('brings a hash of an older cost up to date', async () => {
    const userId = await createPerson();
    const old = await hash(password, { memoryCost: 8192, timeCost: 1 });
    await database.pool.query('update users set password_hash = $2 where id = $1', [userId, old]);
    await signIn();
    const { rows } = await database.pool.query('select password_hash from users where id = $1', [userId]);
    expect(rows[0].password_hash).toMatch(/m=19456,t=2/);
    expect(await codeOf(signIn())).toBe('signed in');
  });
});

describe('locking', () => {
  it('comes with the fifth failure, whether or not the address exists, and grows', async () => {
    await createPerson();
    for (const address of [email, `no-${email}`]) {
      const wrong = () => codeOf(signIn({ email: address, password: 'wrong1!' }));
      for (let i = 0; i < 5; i += 1) expect(await wrong()).toBe('CB-07-0001');
      expect(await wrong()).toBe('CB-07-0006');
      clock.advance(60_000 - 1);
      expect(await wrong()).toBe('CB-07-0006');
      clock.advance(1);
      expect(await wrong()).toBe('CB-07-0001');
      clock.advance(60_000);
      expect(await wrong()).toBe('CB-07-0006');
      clock.advance(60_000);
      expect(await wrong()).toBe('CB-07-0001');
    }
  });

  it('keeps the right password out too, without looking at it, until it ends; success forgets the failures', async () => {
    await createPerson();
    for (let i = 0; i < 5; i += 1) await codeOf(signIn({ password: 'wrong1!' }));
    verified.length = 0;
    expect(await codeOf(signIn())).toBe('CB-07-0006');
    expect(verified).toEqual([]);
    clock.advance(60_000);
    expect(await codeOf(signIn())).toBe('signed in');
    for (let i = 0; i < 4; i += 1) expect(await codeOf(signIn({ password: 'wrong1!' }))).toBe('CB-07-0001');
    expect(await codeOf(signIn())).toBe('signed in');
  });

  it('lets no more than five guesses in, however many come at once', async () => {
    await createPerson();
    const codes = await Promise.all(
      Array.from({ length: 30 }, () => codeOf(signIn({ password: 'wrong1!' }))),
    );
    expect(codes.filter((code) => code === 'CB-07-0001')).toHaveLength(5);
    expect(codes.filter((code) => code === 'CB-07-0006')).toHaveLength(25);
    expect(verified).toHaveLength(5);
  });
});

describe('a new password', () => {
  it('ends the other sessions, keeps the one named, and lifts a lock', async () => {
    await createPerson();
    const [kept, other] = [await signIn(), await signIn()];
    for (let i = 0; i < 5; i += 1) await codeOf(signIn({ password: 'wrong1!' }));
    const session = await identity.sessions.authenticate(kept.token);
    if (session.kind !== 'ok') throw new Error('not signed in');
    const { sessionId } = session.principal;
    expect(await identity.service.setPassword({ email, password: 'newer1!', keptSessionId: sessionId })).toBe(
      true,
    );
    expect(await identity.sessions.authenticate(kept.token)).toMatchObject({ kind: 'ok' });
    expect(await identity.sessions.authenticate(other.token)).toEqual({ kind: 'ended' });
    expect(await codeOf(signIn())).toBe('CB-07-0001');
    expect(await codeOf(signIn({ password: 'newer1!' }))).toBe('signed in');
  });

  it('must satisfy the rule, and somebody must have the address', async () => {
    const wanted = { email: 'nobody@example.com', keptSessionId: null };
    await expect(identity.service.setPassword({ ...wanted, password: 'short' })).rejects.toThrow(
      PasswordRefused,
    );
    expect(await identity.service.setPassword({ ...wanted, password })).toBe(false);
  });
});

it('an address is one person, whatever its case', async () => {
  await createPerson();
  const again = { email: email.toUpperCase(), firstName: 'A', lastName: 'B', locale: 'en-US', password };
  await expect(identity.service.createUser(database.pool, again)).rejects.toThrow(EmailTaken);
});

it('the purge forgets old failures and sessions long over, and nothing else', async () => {
  await createPerson();
  const early = await signIn();
  await codeOf(signIn({ email: 'forgotten@example.com' }));
  clock.advance(91 * 24 * 3600_000);
  const recent = await signIn();
  await codeOf(signIn({ email: 'remembered@example.com' }));
  const [job] = identityJobs({ pool: database.pool, clock });
  const context = {
    signal: new AbortController().signal,
    log: createLog({ level: 'silent', format: 'json' }),
  };
  await job?.handle({}, context);
  expect(await identity.sessions.check(early.token)).toEqual({ kind: 'unknown' });
  expect(await identity.sessions.check(recent.token)).toMatchObject({ kind: 'ok' });
  const { rows } = await database.pool.query('select last_failed_at from sign_in_failures');
  expect(rows).toEqual([{ last_failed_at: clock.now() }]);
});
