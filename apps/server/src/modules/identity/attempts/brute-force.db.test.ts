import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { callerFrom, testIdentity } from '../../../testing/identity.ts';
import { type Attempts, attemptsOf, differentCode, type SignInInput } from '../../../testing/sign-in.ts';
import { counters } from './attempts.service.ts';

let test: Awaited<ReturnType<typeof testIdentity>>;
let who: Attempts;

beforeAll(async () => {
  test = await testIdentity();
});

afterAll(() => test.database.close());

beforeEach(async () => {
  who = await attemptsOf(test);
});

describe('after five failures', () => {
  it('a mailed code is required with the right password, and success clears the failures', async () => {
    await who.failTimes(5);
    test.verified.length = 0;
    expect(await who.attempt()).toBe('CB-07-0004');
    expect(test.verified).toEqual([]);
    const code = await who.mailedCode();
    expect(await who.attempt({ code })).toBe('done');
    await who.failTimes(5);
    expect(await who.attempt({ code })).toBe('CB-07-0010');
  });

  it('a wrong code is rejected without verifying the password', async () => {
    await who.failTimes(5);
    expect(await who.attemptWithWrongPassword()).toBe('CB-07-0004');
    const code = differentCode(await who.mailedCode());
    test.verified.length = 0;
    expect(await who.attempt({ code })).toBe('CB-07-0010');
    expect(await who.attemptWithWrongPassword({ code })).toBe('CB-07-0010');
    expect(test.verified).toEqual([]);
  });

  it('the right code with a wrong password is a failure, and the code stays valid', async () => {
    await who.failTimes(5);
    expect(await who.attempt()).toBe('CB-07-0004');
    const code = await who.mailedCode();
    expect(await who.attemptWithWrongPassword({ code })).toBe('CB-07-0001');
    expect(await who.attempt({ code })).toBe('done');
  });

  it('a code is valid for ten minutes and mailed at most once in five; only the newest is valid', async () => {
    await who.failTimes(5);
    expect(await who.attempt()).toBe('CB-07-0004');
    expect(await who.attempt()).toBe('CB-07-0004');
    const first = await test.mails();
    expect(first).toHaveLength(1);
    test.clock.advance(300_000 - 1);
    expect(await who.attempt()).toBe('CB-07-0004');
    expect(await test.mails()).toEqual([]);
    test.clock.advance(1);
    expect(await who.attempt()).toBe('CB-07-0004');
    const second = await who.mailedCode();
    test.clock.advance(600_000);
    expect(await who.attempt({ code: second })).toBe('CB-07-0010');
    expect(await who.attempt()).toBe('CB-07-0004');
    expect(await who.attempt({ code: await who.mailedCode() })).toBe('done');
  });

  it('a code works once, even for concurrent attempts', async () => {
    await who.failTimes(5);
    await who.attempt();
    const code = await who.mailedCode();
    const { key } = counters.signIn(who.person.email);
    const used = await Promise.all([1, 2, 3, 4].map(() => test.mailedCodes.consume(test.pool, key, code)));
    expect(used.filter(Boolean)).toHaveLength(1);
    expect(await who.attempt({ code })).toBe('CB-07-0010');
  });

  it('a code is stored as its hash only, and encrypted in the queue', async () => {
    await who.failTimes(5);
    await who.attempt();
    const { rows: codes } = await test.pool.query('select * from mailed_codes');
    const { rows: jobs } = await test.pool.query('select payload from graphile_worker._private_jobs');
    const code = await who.mailedCode();
    expect(JSON.stringify([codes, jobs])).not.toMatch(new RegExp(`"[^"]*\\b${code}\\b`));
    expect(JSON.stringify(jobs)).not.toContain(who.person.email);
  });
});

describe('an unknown address', () => {
  /** The database's statements, in order. */
  const workOf = async (given: SignInInput): Promise<string[]> => {
    const asked: string[] = [];
    const { Client } = (await import('pg')).default;
    const original = Client.prototype.query;
    const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: unknown, ...args) {
      const [query] = args as unknown[];
      asked.push(typeof query === 'string' ? query : (query as { text: string }).text);
      return (original as (...all: unknown[]) => unknown).apply(this, args) as never;
    });
    await who.attemptWithWrongPassword(given);
    spy.mockRestore();
    return asked;
  };

  it('gets the same response for the same work, from the first failure to the lock', async () => {
    const stranger = `no-${who.person.email}`;
    const seen: string[] = [];
    for (let i = 0; i < 12; i += 1) {
      const code = i < 6 ? {} : { code: '999999' };
      const [known, unknown] = [await workOf({ ...code }), await workOf({ ...code, email: stranger })];
      expect(unknown).toEqual(known);
      expect(known.length).toBeGreaterThan(3);
      const [one, other] = [
        await who.attemptWithWrongPassword({ ...code }),
        await who.attemptWithWrongPassword({ ...code, email: stranger }),
      ];
      expect(other).toBe(one);
      seen.push(one);
      if (one === 'CB-07-0006') break;
    }
    expect(new Set(seen)).toEqual(new Set(['CB-07-0001', 'CB-07-0004', 'CB-07-0010', 'CB-07-0006']));
    // A hash was verified each time an attempt was for the known address.
    const known = test.verified.filter((stored) => stored !== undefined);
    expect(test.verified).toHaveLength(2 * known.length);
    expect((await test.mails()).map(({ to }) => to)).toEqual([who.person.email]);
  });
});

describe('after ten failures', () => {
  const reachTen = async (email: string) => {
    await who.failTimes(5, { email });
    for (let i = 0; i < 5; i += 1)
      expect(await who.attemptWithWrongPassword({ email, code: '999999' })).toBe('CB-07-0010');
  };

  it('an address is locked, known or not, a minute first, then twice as long', async () => {
    for (const email of [who.person.email, `no-${who.person.email}`]) {
      await reachTen(email);
      const one = () => who.attemptWithWrongPassword({ email, code: '999999' });
      expect(await one()).toBe('CB-07-0006');
      expect(await who.attemptWithWrongPassword({ email })).toBe('CB-07-0006');
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
    await who.failTimes(5);
    await who.attempt();
    const code = await who.mailedCode();
    for (let i = 0; i < 5; i += 1) await who.attemptWithWrongPassword({ code: differentCode(code) });
    expect(await who.attempt({ code })).toBe('CB-07-0006');
    const actor = { ...callerFrom('192.0.2.9'), action: 'password.reset' } as const;
    await test.resets.request({ email: who.person.email, actor });
    const link = (await test.mails()).find(({ to }) => to === who.person.email)?.link;
    const token = new URLSearchParams(link?.hash.slice(1)).get('reset') ?? '';
    await test.resets.reset({ email: who.person.email, token, password: 'newer1!', actor });
    expect(await who.attempt({ password: 'newer1!' })).toBe('done');
  });
});

describe('brute force', () => {
  it('of the password: only five of any number of concurrent attempts are verified', async () => {
    const ends = await Promise.all(Array.from({ length: 40 }, () => who.attemptWithWrongPassword()));
    expect(ends.filter((end) => end === 'CB-07-0001')).toHaveLength(5);
    expect(ends.filter((end) => end === 'CB-07-0004')).toHaveLength(35);
    expect(test.verified).toHaveLength(5);
    expect(await test.mails()).toHaveLength(1);
  });

  it('of the mailed code: only five of any number of concurrent attempts are verified', async () => {
    await who.failTimes(5);
    await who.attempt();
    const right = await who.mailedCode();
    const guesses = Array.from({ length: 40 }, (_, i) => String(i).padStart(6, '7')).filter(
      (code) => code !== right,
    );
    const ends = await Promise.all(guesses.map((code) => who.attempt({ code })));
    expect(ends.filter((end) => end === 'CB-07-0010')).toHaveLength(5);
    expect(ends.filter((end) => end === 'CB-07-0006')).toHaveLength(guesses.length - 5);
  });

  it('gets no extra attempts from a concurrent success that clears the failures', async () => {
    await who.failTimes(3);
    const { key } = counters.signIn(who.person.email);
    const row = "from sign_in_failures where kind = 'email' and address_key = $1";
    const success = await test.pool.connect();
    await success.query('begin');
    await success.query(`select 1 ${row} for update`, [key]);
    const guess = who.attemptWithWrongPassword();
    await vi.waitFor(async () => {
      const { rows } = await test.pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(1);
    });
    await success.query(`delete ${row}`, [key]);
    await success.query('commit');
    success.release();
    expect(await guess).toBe('CB-07-0001');
    const { rows } = await test.pool.query(`select failures ${row}`, [key]);
    expect(rows).toEqual([{ failures: 1 }]);
  });

  it('is limited to a few dozen guesses a day, at any rate', async () => {
    await who.failTimes(5);
    let looked = 0;
    for (let minutes = 0; minutes < 24 * 60; minutes += 5) {
      if ((await who.attempt({ code: '999999' })) === 'CB-07-0010') looked += 1;
      test.clock.advance(5 * 60_000);
    }
    expect(looked).toBeGreaterThan(20);
    expect(looked).toBeLessThan(40);
  });

  it('of many addresses from one network ends at a hundred, until the window is over', async () => {
    const address = '198.51.100.7';
    const guess = (i: number) =>
      who.attemptWithWrongPassword({ email: `a${i}-${who.person.email}`, address });
    const ends = await Promise.all(Array.from({ length: 130 }, (_, i) => guess(i)));
    expect(ends.filter((end) => end === 'CB-07-0001').length).toBeLessThanOrEqual(100);
    // The hasher rejects what would wait too long; those were not guesses.
    const busy = ends.filter((end) => end === 'CB-99-0503').length;
    for (let i = 0; i < busy; i += 1) await guess(1000 + i);
    expect(await guess(2000)).toBe('CB-07-0006');
    expect(await who.attempt({ address })).toBe('CB-07-0006');
    expect(await who.attempt({ address: '198.51.100.8' })).toBe('done');
    test.clock.advance(15 * 60_000);
    expect(await who.attempt({ address })).toBe('done');
  });

  it('counts a /64 and a mapped address as one network, and ignores successful sign-ins', async () => {
    const [one, other] = ['2001:db8:ffff:1::1', '2001:db8:ffff:1:2:3:4:5'];
    await who.attemptWithWrongPassword({ address: one });
    await who.attemptWithWrongPassword({ address: other });
    await who.attemptWithWrongPassword({ address: '::ffff:203.0.113.5' });
    await who.attemptWithWrongPassword({ address: '203.0.113.5', email: `b-${who.person.email}` });
    expect(await who.attempt({ address: other })).toBe('done');
    const { rows } = await test.pool.query(
      `select failures from sign_in_failures where kind = 'network' and failures = 2`,
    );
    expect(rows).toHaveLength(2);
  });
});
