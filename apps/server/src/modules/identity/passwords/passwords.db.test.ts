import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Actor } from '../../../platform/access/index.ts';
import {
  callerFrom,
  outcomeOf,
  personPassword,
  testIdentity,
  wrongPassword,
} from '../../../testing/identity.ts';
import { EmailTaken } from '../people/people.service.ts';
import { PasswordRefused } from './passwords.service.ts';

let test: Awaited<ReturnType<typeof testIdentity>>;
let person: Awaited<ReturnType<typeof test.makePerson>>;
let networks = 0;
let actor: Actor;

beforeAll(async () => {
  test = await testIdentity();
});

afterAll(() => test.database.close());

beforeEach(async () => {
  networks += 1;
  actor = { ...callerFrom(`198.51.100.${networks}`), action: 'password.reset', traceId: 'trace-1' };
  person = await test.makePerson();
  await test.mails();
  test.verified.length = 0;
});

const newPassword = 'newer1!';

const signIn = (password = personPassword, address = `192.0.2.${networks}`) =>
  test.signIn.signIn({
    email: person.email,
    password,
    agreement: true,
    actor: callerFrom(address),
    userAgent: undefined,
  });

const ask = (email = person.email) => test.resets.request({ email, actor });

/** The token of the newest link. */
const mailedToken = async (): Promise<string> => {
  const link = (await test.mails()).findLast(({ to }) => to === person.email)?.link;
  expect(link?.pathname).toBe('/zh-CN/login');
  // The fragment reaches no server and no log.
  expect(link?.search).toBe('');
  const values = new URLSearchParams(link?.hash.slice(1));
  expect(values.get('email')).toBe(person.email);
  return values.get('reset') ?? '';
};

const requested = async (): Promise<string> => {
  await ask();
  return mailedToken();
};

const reset = (token: string, given: { email?: string; password?: string; actor?: Actor } = {}) =>
  outcomeOf(test.resets.reset({ email: person.email, token, password: newPassword, actor, ...given }));

const entriesOf = async (action: string) =>
  (
    await test.pool.query(
      `select actor_id, actor_name, host(address) as address, trace_id, before, after from audit_entries
       where action = $1 and subject_id = $2`,
      [action, person.userId],
    )
  ).rows;

describe('a forgotten password', () => {
  it('is no failed attempt while too many passwords wait to be hashed', async () => {
    const cost = { memoryCost: 65_536, timeCost: 12, parallelism: 1 };
    const slow = await testIdentity({ cost, hasherLimits: { running: 1, waiting: 0 } });
    try {
      const { email } = await slow.makePerson();
      await slow.resets.request({ email, actor });
      const link = (await slow.mails()).at(-1)?.link;
      const token = new URLSearchParams(link?.hash.slice(1)).get('reset') ?? '';
      const attempt = () => outcomeOf(slow.resets.reset({ email, token, password: newPassword, actor }));
      const running = slow.hasher.hash('another1!');
      const ends = await Promise.all(Array.from({ length: 10 }, attempt));
      expect(ends).toEqual(Array(10).fill('CB-99-0503'));
      await running;
      expect(await attempt()).toBe('done');
    } finally {
      await slow.database.close();
    }
  });

  it('is replaced with the link of the mail, once: sessions end, failures are cleared, the person is notified', async () => {
    const { token: session } = await signIn();
    for (let i = 0; i < 5; i += 1) await outcomeOf(signIn(wrongPassword));
    const token = await requested();
    expect(await reset(token)).toBe('done');
    expect(await test.sessions.authenticate(session)).toEqual({ kind: 'ended' });
    expect((await test.mails()).map(({ to }) => to)).toEqual([person.email]);
    expect(await outcomeOf(signIn())).toBe('CB-07-0001');
    expect(await outcomeOf(signIn(newPassword))).toBe('done');
    expect(await reset(token, { password: 'third1!' })).toBe('CB-07-0013');
  });

  it('is in the audit trail: the request as anonymous, the new password with its person', async () => {
    const token = await requested();
    expect(await entriesOf('password.reset-requested')).toEqual([
      {
        actor_id: null,
        actor_name: person.email,
        address: actor.address,
        trace_id: 'trace-1',
        before: null,
        after: null,
      },
    ]);
    await reset(token);
    expect(await entriesOf('password.reset')).toMatchObject([
      { actor_id: person.userId, actor_name: 'Ana Li' },
    ]);
  });

  it('has a link that is valid for the address of the email only, for thirty minutes', async () => {
    const other = await test.makePerson();
    const token = await requested();
    expect(await reset(token, { email: other.email })).toBe('CB-07-0013');
    expect(await reset(token, { email: '' })).toBe('CB-07-0002');
    test.clock.advance(30 * 60_000);
    expect(await reset(token)).toBe('CB-07-0013');
    const next = await requested();
    test.clock.advance(30 * 60_000 - 1);
    expect(await reset(next, { email: person.email.toUpperCase() })).toBe('done');
  });

  it('is mailed at most once a minute, and a used link voids the others', async () => {
    const first = await requested();
    await ask();
    await ask();
    expect(await test.mails()).toEqual([]);
    test.clock.advance(60_000);
    const second = await requested();
    expect(second).not.toBe(first);
    expect(await reset(first)).toBe('done');
    expect(await reset(second)).toBe('CB-07-0013');
  });

  it('is not mailed while three may be used, so that no stranger fills a mailbox', async () => {
    const open = [];
    for (let minutes = 0; minutes < 3; minutes += 1) {
      open.push(await requested());
      test.clock.advance(60_000);
    }
    await ask();
    expect(await test.mails()).toEqual([]);
    test.clock.advance(27 * 60_000);
    expect(await requested()).not.toBe('');
    expect(await reset(open.at(-1) ?? '')).toBe('done');
  });

  it('is stored as a hash, with the link encrypted in the queue', async () => {
    await ask();
    const { rows: jobs } = await test.pool.query('select payload from graphile_worker._private_jobs');
    const token = await mailedToken();
    const { rows } = await test.pool.query('select * from password_resets');
    const stored = JSON.stringify([rows, jobs, rows.map((row) => row.token_hash.toString('latin1'))]);
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(person.email);
  });

  it('of a disabled or unknown person gets the same response and sends no email', async () => {
    await test.pool.query('update users set disabled_at = now() where id = $1', [person.userId]);
    for (const email of [person.email, 'nobody@example.com', 'no address', 'a\r\nBcc: b@example.com']) {
      expect(await outcomeOf(ask(email)), email).toBe('done');
    }
    expect(await outcomeOf(ask('  '))).toBe('CB-07-0002');
    expect(await test.mails()).toEqual([]);
  });

  it('runs the same queries whether the address is known or not', async () => {
    const query = vi.spyOn(test.pool, 'query');
    await ask();
    const known = query.mock.calls.map(([text]) => text);
    query.mockClear();
    await ask('nobody@example.com');
    expect(query.mock.calls.map(([text]) => text)).toEqual(known);
    query.mockRestore();
    expect(known).toHaveLength(1);
  });

  it('is queued once however often it is requested', async () => {
    await Promise.all(Array.from({ length: 20 }, () => ask()));
    const { rows } = await test.pool.query('select 1 from graphile_worker._private_jobs');
    expect(rows).toHaveLength(1);
  });

  it('is set by one of two concurrent requests', async () => {
    const token = await requested();
    const ends = await Promise.all(['first1!', 'other1!'].map((password) => reset(token, { password })));
    expect(ends.toSorted((a, b) => a.localeCompare(b))).toEqual(['CB-07-0013', 'done']);
    const winner = ends[0] === 'done' ? 'first1!' : 'other1!';
    expect(await outcomeOf(signIn(winner))).toBe('done');
    expect(await test.mails()).toHaveLength(1);
  });

  it('leaves no session that began concurrently with the old password', async () => {
    const token = await requested();
    const [, ...signIns] = await Promise.all([reset(token), ...[1, 2, 3].map(() => outcomeOf(signIn()))]);
    expect(signIns.every((end) => end === 'done' || end === 'CB-07-0001')).toBe(true);
    const { rows } = await test.pool.query(
      'select 1 from user_sessions where user_id = $1 and ended_at is null',
      [person.userId],
    );
    expect(rows).toEqual([]);
  });
});

describe('guesses at a link', () => {
  it('are limited per address, known or unknown, across all networks', async () => {
    for (const email of [person.email, `no-${person.email}`]) {
      const ends = await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          reset('x'.repeat(43), { email, actor: callerFrom(`203.0.113.${i}`) }),
        ),
      );
      expect(ends.filter((end) => end === 'CB-07-0013')).toHaveLength(10);
      expect(ends.filter((end) => end === 'CB-07-0006')).toHaveLength(30);
    }
  });

  it('are paused for one minute, after which the right one works', async () => {
    const token = await requested();
    for (let i = 0; i < 10; i += 1) await reset('x'.repeat(43));
    expect(await reset(token)).toBe('CB-07-0006');
    test.clock.advance(60_000);
    expect(await reset('x'.repeat(43))).toBe('CB-07-0013');
    test.clock.advance(60_000);
    expect(await reset(token)).toBe('done');
  });

  it('are limited per network, across all addresses', async () => {
    const ends: string[] = [];
    for (let i = 0; i < 101; i += 1) {
      ends.push(await reset('x'.repeat(43), { email: `a${i}@example.com` }));
    }
    expect(ends.slice(0, 100).every((end) => end === 'CB-07-0013')).toBe(true);
    expect(ends[100]).toBe('CB-07-0006');
  });

  it('do not keep the owner from signing in', async () => {
    for (let i = 0; i < 11; i += 1) await reset('x'.repeat(43));
    expect(await outcomeOf(signIn())).toBe('done');
  });
});

describe('changing the password', () => {
  const change = (given: { oldPassword?: string; password?: string; actor?: Actor } = {}) =>
    outcomeOf(
      test.passwords.change({
        principal: person.principal,
        oldPassword: personPassword,
        password: newPassword,
        actor: { ...actor, id: person.userId, name: 'Ana Li', action: 'password.changed' },
        ...given,
      }),
    );

  it('requires the old and a different new one, ends all sessions and notifies the person', async () => {
    const { token } = await signIn();
    const link = await requested();
    expect(await change({ oldPassword: wrongPassword })).toBe('CB-07-0014');
    expect(await change({ password: personPassword })).toBe('CB-07-0031');
    expect(await test.sessions.authenticate(token)).toMatchObject({ kind: 'ok' });
    expect(await change()).toBe('done');
    expect(await test.sessions.authenticate(token)).toEqual({ kind: 'ended' });
    expect(await test.mails()).toHaveLength(1);
    expect(await outcomeOf(signIn(newPassword))).toBe('done');
    expect(await entriesOf('password.changed')).toMatchObject([{ actor_id: person.userId }]);
    expect(await reset(link, { password: 'third1!' })).toBe('CB-07-0013');
  });

  it('succeeds for one of two concurrent requests', async () => {
    const ends = await Promise.all(['first1!', 'other1!'].map((password) => change({ password })));
    expect(ends.toSorted((a, b) => a.localeCompare(b))).toEqual(['CB-07-0014', 'done']);
  });

  it('limits guesses at the old one in a stolen session, even concurrent ones', async () => {
    const ends = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        change({
          oldPassword: wrongPassword,
          actor: { ...callerFrom(`203.0.113.${i}`), action: 'password.changed' },
        }),
      ),
    );
    expect(ends.filter((end) => end === 'CB-07-0014')).toHaveLength(5);
    expect(ends.filter((end) => end === 'CB-07-0006')).toHaveLength(25);
    expect(test.verified).toHaveLength(5);
    expect(await change()).toBe('CB-07-0006');
    test.clock.advance(60_000);
    expect(await change()).toBe('done');
  });
});

describe('a password that the operator sets', () => {
  it('must satisfy the rule, for a known address', async () => {
    await expect(test.passwords.setFor({ email: person.email, password: 'short', actor })).rejects.toThrow(
      PasswordRefused,
    );
    const nobody = { email: 'nobody@example.com', password: newPassword, actor };
    expect(await test.passwords.setFor(nobody)).toBe(false);
  });

  it('ends the sessions and lifts a lock', async () => {
    const { token } = await signIn();
    for (let i = 0; i < 5; i += 1) await outcomeOf(signIn(wrongPassword));
    const operator: Actor = { ...actor, kind: 'operator' };
    const request = { email: person.email, password: newPassword, actor: operator };
    expect(await test.passwords.setFor(request)).toBe(true);
    expect(await test.sessions.authenticate(token)).toEqual({ kind: 'ended' });
    expect(await outcomeOf(signIn(newPassword))).toBe('done');
    expect(await entriesOf('account.password-reset')).toHaveLength(1);
  });
});

it('an address is one person, whatever its case', async () => {
  const again = {
    email: person.email.toUpperCase(),
    firstName: 'A',
    lastName: 'B',
    locale: 'en-US',
    password: personPassword,
  };
  await expect(test.createUser(test.pool, again)).rejects.toThrow(EmailTaken);
});
