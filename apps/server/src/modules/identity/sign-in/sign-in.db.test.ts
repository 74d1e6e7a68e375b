import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  callerFrom,
  codeOf,
  endOf,
  personPassword,
  testIdentity,
  wrongPassword,
} from '../../../testing/identity.ts';

let test: Awaited<ReturnType<typeof testIdentity>>;
let person: Awaited<ReturnType<typeof test.makePerson>>;
/** Each test's callers have a network of their own, unless it is about networks. */
let networks = 0;

beforeAll(async () => {
  test = await testIdentity();
});

afterAll(() => test.database.close());

beforeEach(async () => {
  networks += 1;
  person = await test.makePerson();
  await test.mails();
  test.verified.length = 0;
});

interface Given {
  email?: string;
  password?: string;
  code?: string;
  agreement?: boolean;
  address?: string;
}

const signIn = ({ address = `2001:db8:0:${networks}::1`, ...given }: Given = {}) =>
  test.signIn.signIn({
    email: person.email,
    password: personPassword,
    agreement: true,
    actor: callerFrom(address),
    userAgent: 'Browser/1.0',
    ...given,
  });

const attempt = (given: Given = {}) => endOf(signIn(given));
const wrong = (given: Given = {}) => attempt({ password: wrongPassword, ...given });

const failTimes = async (times: number, given: Given = {}) => {
  for (let i = 0; i < times; i += 1) expect(await wrong(given)).toBe('CB-07-0001');
};

const mailedCode = async (email = person.email): Promise<string> => {
  const mail = (await test.mails()).findLast(({ to }) => to === email);
  const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0];
  if (!code) throw new Error('No code was mailed');
  return code;
};

/** A wrong code that no test's right one is. */
const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000');

describe('signing in', () => {
  it('counts the sign-ins and tells the person, in whatever case the address is typed', async () => {
    const { userId, email } = person;
    expect(await signIn()).toMatchObject({ userId, username: 'Ana Li', lang: 'zh-CN', loginsCount: 1 });
    expect(await signIn({ email: ` ${email.toUpperCase()} ` })).toMatchObject({
      userEmail: email,
      loginsCount: 2,
    });
  });

  it('names what is missing, in order, and judges nothing then', async () => {
    expect(await attempt({ email: ' ', password: '', agreement: false })).toBe('CB-07-0002');
    expect(await attempt({ password: '', agreement: false })).toBe('CB-07-0003');
    expect(await attempt({ agreement: false })).toBe('CB-07-0005');
    expect(test.verified).toEqual([]);
  });

  it('tells a disabled person so only after the right password', async () => {
    await test.pool.query('update users set disabled_at = now() where id = $1', [person.userId]);
    expect(await wrong()).toBe('CB-07-0001');
    expect(await attempt()).toBe('CB-07-0007');
  });

  it('brings a hash of an older cost up to date', async () => {
    const old = await hash(personPassword, { memoryCost: 8192, timeCost: 1 });
    await test.pool.query('update users set password_hash = $2 where id = $1', [person.userId, old]);
    await signIn();
    const { rows } = await test.pool.query('select password_hash from users where id = $1', [person.userId]);
    expect(rows[0].password_hash).toMatch(/m=19456,t=2/);
    expect(await attempt()).toBe('done');
  });

  it('stands in the audit trail, with the session and from where', async () => {
    await signIn();
    const { rows } = await test.pool.query(
      `select actor_name, subject_kind, host(address) as address from audit_entries
       where action = 'session.began' and actor_id = $1`,
      [person.userId],
    );
    expect(rows).toEqual([
      { actor_name: 'Ana Li', subject_kind: 'session', address: `2001:db8:0:${networks}::1` },
    ]);
  });

  it('begins nothing when the password was changed after it was proven', async () => {
    const user = await test.prove({ email: person.email, password: personPassword, address: null });
    const actor = { ...callerFrom('192.0.2.7'), action: 'password.changed' } as const;
    await test.passwords.change({ ...person, oldPassword: personPassword, password: 'newer1!', actor });
    expect(await endOf(test.signIn.admitPerson({ user, actor, userAgent: undefined }))).toBe('CB-07-0001');
    const { rows } = await test.pool.query('select 1 from user_sessions where user_id = $1', [person.userId]);
    expect(rows).toEqual([]);
  });
});

describe('an open invitation', () => {
  const invite = async (email: string, passwordHash: string | null = null) => {
    const { rows } = await test.pool.query(
      `insert into organisations (code, name, country) values ($1, $1 || ' Limited', 'DE') returning id`,
      [`org-${networks}`],
    );
    await test.pool.query(
      `insert into invitations (org_id, email, locale, role, token_hash, expires_at, password_hash)
       values ($1, $2, 'en-US', 'user', $3, $4, $5)`,
      [rows[0].id, email, Buffer.from(email), new Date(test.clock.now().getTime() + 1000), passwordHash],
    );
  };

  it('must be accepted first by who belongs nowhere; past its end it counts as none', async () => {
    await invite(person.email);
    expect(await wrong()).toBe('CB-07-0001');
    expect(await attempt()).toBe('CB-07-0009');
    test.memberships.set(person.userId, [
      { code: 'a', name: 'A', role: 'user', tenantId: 't', default: true, logo: null },
    ]);
    expect(await attempt()).toBe('done');
    test.memberships.clear();
    test.clock.advance(1000);
    expect(await attempt()).toBe('done');
  });

  it('with a first password is told to whoever has that, and to nobody else', async () => {
    const email = `invited-${person.email}`;
    await invite(email, await test.passwords.hash('first1!'));
    expect(await wrong({ email })).toBe('CB-07-0001');
    expect(await attempt({ email, password: 'first1!' })).toBe('CB-07-0009');
  });
});

describe('after five failures', () => {
  it('a mailed code is wanted, and opens with the right password; success forgets the failures', async () => {
    await failTimes(5);
    test.verified.length = 0;
    expect(await attempt()).toBe('CB-07-0004');
    expect(test.verified).toEqual([]);
    const code = await mailedCode();
    expect(await attempt({ code })).toBe('done');
    await failTimes(5);
    expect(await attempt({ code })).toBe('CB-07-0010');
  });

  it('a wrong code says nothing about the password, which is not looked at', async () => {
    await failTimes(5);
    expect(await wrong()).toBe('CB-07-0004');
    const code = otherThan(await mailedCode());
    test.verified.length = 0;
    expect(await attempt({ code })).toBe('CB-07-0010');
    expect(await wrong({ code })).toBe('CB-07-0010');
    expect(test.verified).toEqual([]);
  });

  it('the right code with a wrong password is a failure, and is still good', async () => {
    await failTimes(5);
    expect(await attempt()).toBe('CB-07-0004');
    const code = await mailedCode();
    expect(await wrong({ code })).toBe('CB-07-0001');
    expect(await attempt({ code })).toBe('done');
  });

  it('a code lasts ten minutes and is mailed at most once a minute; the newest counts', async () => {
    await failTimes(5);
    expect(await attempt()).toBe('CB-07-0004');
    expect(await attempt()).toBe('CB-07-0004');
    const first = await test.mails();
    expect(first).toHaveLength(1);
    test.clock.advance(60_000);
    expect(await attempt()).toBe('CB-07-0004');
    const second = await mailedCode();
    test.clock.advance(600_000);
    expect(await attempt({ code: second })).toBe('CB-07-0010');
    expect(await attempt()).toBe('CB-07-0004');
    expect(await attempt({ code: await mailedCode() })).toBe('done');
  });

  it('one code opens once, however many come at the same time', async () => {
    await failTimes(5);
    await attempt();
    const code = await mailedCode();
    const ends = await Promise.all([1, 2, 3].map(() => attempt({ code })));
    expect(ends.filter((end) => end === 'done')).toHaveLength(1);
    expect(ends.filter((end) => end === 'CB-07-0010')).toHaveLength(2);
  });

  it('is stored as its hash only, and stands sealed in the queue', async () => {
    await failTimes(5);
    await attempt();
    const { rows: codes } = await test.pool.query('select * from mailed_codes');
    const { rows: jobs } = await test.pool.query('select payload from graphile_worker._private_jobs');
    const code = await mailedCode();
    expect(JSON.stringify([codes, jobs])).not.toMatch(new RegExp(`"[^"]*\\b${code}\\b`));
    expect(JSON.stringify(jobs)).not.toContain(person.email);
  });
});

describe('an address that nobody has', () => {
  /** What is asked of the database, in order. */
  const workOf = async (given: Given): Promise<string[]> => {
    const asked: string[] = [];
    const { Client } = (await import('pg')).default;
    const original = Client.prototype.query;
    const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: unknown, ...args) {
      const [query] = args as unknown[];
      asked.push(typeof query === 'string' ? query : (query as { text: string }).text);
      return (original as (...all: unknown[]) => unknown).apply(this, args) as never;
    });
    await wrong(given);
    spy.mockRestore();
    return asked;
  };

  it('is answered alike by the same work, from the first failure to the lock', async () => {
    const stranger = `no-${person.email}`;
    const seen: string[] = [];
    for (let i = 0; i < 12; i += 1) {
      const code = i < 6 ? {} : { code: '999999' };
      const [known, unknown] = [await workOf({ ...code }), await workOf({ ...code, email: stranger })];
      expect(unknown).toEqual(known);
      expect(known.length).toBeGreaterThan(3);
      const [one, other] = [await wrong({ ...code }), await wrong({ ...code, email: stranger })];
      expect(other).toBe(one);
      seen.push(one);
      if (one === 'CB-07-0006') break;
    }
    expect(new Set(seen)).toEqual(new Set(['CB-07-0001', 'CB-07-0004', 'CB-07-0010', 'CB-07-0006']));
    // A hash was verified each time that one was for the known address.
    const known = test.verified.filter((stored) => stored !== undefined);
    expect(test.verified).toHaveLength(2 * known.length);
    expect((await test.mails()).map(({ to }) => to)).toEqual([person.email]);
  });
});

describe('after ten failures', () => {
  const reachTen = async (email: string) => {
    await failTimes(5, { email });
    for (let i = 0; i < 5; i += 1) expect(await wrong({ email, code: '999999' })).toBe('CB-07-0010');
  };

  it('an address is locked, known or not, a minute first, then twice as long', async () => {
    for (const email of [person.email, `no-${person.email}`]) {
      await reachTen(email);
      const one = () => wrong({ email, code: '999999' });
      expect(await one()).toBe('CB-07-0006');
      expect(await wrong({ email })).toBe('CB-07-0006');
      test.clock.advance(60_000 - 1);
      expect(await one()).toBe('CB-07-0006');
      test.clock.advance(1);
      expect(await one()).toBe('CB-07-0010');
      test.clock.advance(60_000);
      expect(await one()).toBe('CB-07-0006');
      test.clock.advance(60_000);
      expect(await one()).toBe('CB-07-0010');
    }
  });

  it('even right password and code wait, but a link to a new password lifts the lock', async () => {
    await failTimes(5);
    await attempt();
    const code = await mailedCode();
    for (let i = 0; i < 5; i += 1) await wrong({ code: otherThan(code) });
    expect(await attempt({ code })).toBe('CB-07-0006');
    const actor = { ...callerFrom('192.0.2.9'), action: 'password.reset' } as const;
    await test.resets.request({ email: person.email, actor });
    const link = (await test.mails()).find(({ to }) => to === person.email)?.link;
    const token = new URLSearchParams(link?.hash.slice(1)).get('reset') ?? '';
    await test.resets.reset({ email: person.email, token, password: 'newer1!', actor });
    expect(await attempt({ password: 'newer1!' })).toBe('done');
  });
});

describe('brute force', () => {
  it('of the password: however many come at once, five are looked at', async () => {
    const ends = await Promise.all(Array.from({ length: 40 }, () => wrong()));
    expect(ends.filter((end) => end === 'CB-07-0001')).toHaveLength(5);
    expect(ends.filter((end) => end === 'CB-07-0004')).toHaveLength(35);
    expect(test.verified).toHaveLength(5);
    expect(await test.mails()).toHaveLength(1);
  });

  it('of the mailed code: however many come at once, five are looked at', async () => {
    await failTimes(5);
    await attempt();
    const right = await mailedCode();
    const guesses = Array.from({ length: 40 }, (_, i) => String(i).padStart(6, '7')).filter(
      (code) => code !== right,
    );
    const ends = await Promise.all(guesses.map((code) => attempt({ code })));
    expect(ends.filter((end) => end === 'CB-07-0010')).toHaveLength(5);
    expect(ends.filter((end) => end === 'CB-07-0006')).toHaveLength(guesses.length - 5);
  });

  it('in a day stays at a few dozen guesses, whatever the pace', async () => {
    await failTimes(5);
    let looked = 0;
    for (let minutes = 0; minutes < 24 * 60; minutes += 5) {
      if ((await attempt({ code: '999999' })) === 'CB-07-0010') looked += 1;
      test.clock.advance(5 * 60_000);
    }
    expect(looked).toBeGreaterThan(20);
    expect(looked).toBeLessThan(40);
  });

  it('of many addresses from one network ends at a hundred, until the window is over', async () => {
    const address = '198.51.100.7';
    const guess = (i: number) => wrong({ email: `a${i}-${person.email}`, address });
    const ends = await Promise.all(Array.from({ length: 130 }, (_, i) => guess(i)));
    expect(ends.filter((end) => end === 'CB-07-0001').length).toBeLessThanOrEqual(100);
    // The hasher turns away what would wait too long; those were no guesses.
    const busy = ends.filter((end) => end === 'CB-99-0503').length;
    for (let i = 0; i < busy; i += 1) await guess(1000 + i);
    expect(await guess(2000)).toBe('CB-07-0006');
    expect(await attempt({ address })).toBe('CB-07-0006');
    expect(await attempt({ address: '198.51.100.8' })).toBe('done');
    test.clock.advance(15 * 60_000);
    expect(await attempt({ address })).toBe('done');
  });

  it('counts a /64 and a mapped address as one network, and right sign-ins not at all', async () => {
    const [one, other] = ['2001:db8:ffff:1::1', '2001:db8:ffff:1:2:3:4:5'];
    await wrong({ address: one });
    await wrong({ address: other });
    await wrong({ address: '::ffff:203.0.113.5' });
    await wrong({ address: '203.0.113.5', email: `b-${person.email}` });
    expect(await attempt({ address: other })).toBe('done');
    const { rows } = await test.pool.query(
      `select failures from sign_in_failures where kind = 'network' and failures = 2`,
    );
    expect(rows).toHaveLength(2);
  });
});

describe('two-factor', () => {
  it('wants a code after the right password, and tells nobody else that it is on', async () => {
    const { code } = await test.enableTwoFactor(person);
    test.clock.advance(30_000);
    expect(await wrong()).toBe('CB-07-0001');
    expect(await wrong({ code: code() })).toBe('CB-07-0001');
    expect(await attempt()).toBe('CB-07-0004');
    expect(await attempt({ code: '000' })).toBe('CB-07-0010');
    expect(await attempt({ code: code() })).toBe('done');
  });

  it('takes a code a step early or late, and none twice, not even an earlier one', async () => {
    const { code, secret } = await test.enableTwoFactor(person);
    test.clock.advance(300_000);
    const now = test.clock.now().getTime();
    const at = (ms: number) => attempt({ code: codeOf(secret, now + ms) });
    expect(await at(-60_000)).toBe('CB-07-0010');
    expect(await at(60_000)).toBe('CB-07-0010');
    expect(await at(-30_000)).toBe('done');
    expect(await at(-30_000)).toBe('CB-07-0010');
    expect(await at(30_000)).toBe('done');
    expect(await attempt({ code: code() })).toBe('CB-07-0010');
  });

  it('the same code at the same time opens once', async () => {
    const { code } = await test.enableTwoFactor(person);
    test.clock.advance(30_000);
    const ends = await Promise.all([1, 2, 3, 4].map(() => attempt({ code: code() })));
    expect(ends.filter((end) => end === 'done')).toHaveLength(1);
    expect(ends.filter((end) => end === 'CB-07-0010')).toHaveLength(3);
  });

  it('a recovery code opens once, however it is typed and however many use it at once', async () => {
    const { recoveryCodes } = await test.enableTwoFactor(person);
    const [first = '', second = ''] = recoveryCodes;
    expect(new Set(recoveryCodes).size).toBe(10);
    const ends = await Promise.all([1, 2].map(() => attempt({ code: first })));
    expect(ends.toSorted()).toEqual(['CB-07-0010', 'done']);
    expect(await attempt({ code: first })).toBe('CB-07-0010');
    expect(await attempt({ code: second.toUpperCase().replaceAll('-', ' ') })).toBe('done');
    const { rows } = await test.pool.query('select code_hash from recovery_codes');
    for (const code of recoveryCodes) {
      expect(JSON.stringify(rows.map((row) => row.code_hash.toString('latin1')))).not.toContain(code);
    }
  });

  it('guesses with the right password are bounded for the person, from wherever they come', async () => {
    const { code } = await test.enableTwoFactor(person);
    test.clock.advance(30_000);
    const right = code();
    const guesses = Array.from({ length: 30 }, (_, i) => String(i).padStart(6, '3'));
    const ends = await Promise.all(
      guesses
        .filter((guess) => guess !== right)
        .map((guess, i) => attempt({ code: guess, address: `203.0.113.${i}` })),
    );
    // Five that are counted for the person; those beyond are counted for the address, which pauses after ten.
    expect(ends.filter((end) => end === 'CB-07-0010').length).toBeLessThanOrEqual(15);
    expect(ends).not.toContain('done');
    for (let i = 0; i < 10; i += 1) await attempt({ code: '000' });
    expect(await attempt({ code: right })).toBe('CB-07-0006');
  });

  it('a new password does not give more guesses at the code', async () => {
    await test.enableTwoFactor(person);
    for (let i = 0; i < 5; i += 1) expect(await attempt({ code: '000' })).toBe('CB-07-0010');
    const actor = callerFrom('192.0.2.7');
    await test.passwords.setFor({ email: person.email, password: 'newer1!', actor });
    expect(await attempt({ password: 'newer1!', code: '000' })).toBe('CB-07-0006');
  });

  it('is its own proof after repeated failures: no other code is mailed', async () => {
    const { code } = await test.enableTwoFactor(person);
    await test.mails();
    test.clock.advance(30_000);
    await failTimes(5);
    expect(await attempt()).toBe('CB-07-0004');
    expect(await test.mails()).toEqual([]);
    expect(await attempt({ code: '999' })).toBe('CB-07-0010');
    expect(await wrong({ code: code() })).toBe('CB-07-0001');
    expect(await attempt({ code: code() })).toBe('done');
  });
});

it('what was proven is the second factor too: one turned on meanwhile stops the sign-in', async () => {
  const user = await test.prove({ email: person.email, password: personPassword, address: null });
  await test.enableTwoFactor(person);
  const actor = callerFrom('192.0.2.7');
  expect(await endOf(test.signIn.admitPerson({ user, actor, userAgent: undefined }))).toBe('CB-07-0001');
});
