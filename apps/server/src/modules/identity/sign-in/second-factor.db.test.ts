import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callerFrom, outcomeOf, personPassword, testIdentity, totpCode } from '../../../testing/identity.ts';
import { type Attempts, attemptsOf } from '../../../testing/sign-in.ts';

let test: Awaited<ReturnType<typeof testIdentity>>;
let who: Attempts;

beforeAll(async () => {
  test = await testIdentity();
});

afterAll(() => test.database.close());

beforeEach(async () => {
  who = await attemptsOf(test);
});

describe('two-factor', () => {
  it('requires a code after the right password, and is not disclosed before', async () => {
    const { code } = await test.enableTwoFactor(who.person);
    test.clock.advance(30_000);
    expect(await who.attemptWithWrongPassword()).toBe('CB-07-0001');
    expect(await who.attemptWithWrongPassword({ code: code() })).toBe('CB-07-0001');
    expect(await who.attempt()).toBe('CB-07-0004');
    expect(await who.attempt({ code: '000' })).toBe('CB-07-0010');
    expect(await who.attempt({ code: `${code().slice(0, 3)} ${code().slice(3)}` })).toBe('done');
  });

  it('accepts a code one step early or late, and no code twice, not even an earlier one', async () => {
    const { code, secret } = await test.enableTwoFactor(who.person);
    test.clock.advance(300_000);
    const now = test.clock.now().getTime();
    const at = (ms: number) => who.attempt({ code: totpCode(secret, now + ms) });
    expect(await at(-60_000)).toBe('CB-07-0010');
    expect(await at(60_000)).toBe('CB-07-0010');
    expect(await at(-30_000)).toBe('done');
    expect(await at(-30_000)).toBe('CB-07-0010');
    expect(await at(30_000)).toBe('done');
    expect(await who.attempt({ code: code() })).toBe('CB-07-0010');
  });

  it('accepts the same code once in concurrent sign-ins', async () => {
    const { code } = await test.enableTwoFactor(who.person);
    test.clock.advance(30_000);
    const ends = await Promise.all([1, 2, 3, 4].map(() => who.attempt({ code: code() })));
    expect(ends.filter((end) => end === 'done')).toHaveLength(1);
    expect(ends.filter((end) => end === 'CB-07-0010')).toHaveLength(3);
  });

  it('accepts a recovery code once, however it is typed, even in concurrent sign-ins', async () => {
    const { recoveryCodes } = await test.enableTwoFactor(who.person);
    const [first = '', second = ''] = recoveryCodes;
    expect(new Set(recoveryCodes).size).toBe(10);
    const ends = await Promise.all([1, 2].map(() => who.attempt({ code: first })));
    expect(ends.toSorted()).toEqual(['CB-07-0010', 'done']);
    expect(await who.attempt({ code: first })).toBe('CB-07-0010');
    expect(await who.attempt({ code: second.toUpperCase().replaceAll('-', ' ') })).toBe('done');
    const { rows } = await test.pool.query('select code_hash from recovery_codes');
    for (const code of recoveryCodes) {
      expect(JSON.stringify(rows.map((row) => row.code_hash.toString('latin1')))).not.toContain(code);
    }
  });

  it('limits guesses with the right password per person, across all networks', async () => {
    const { code } = await test.enableTwoFactor(who.person);
    test.clock.advance(30_000);
    const right = code();
    const guesses = Array.from({ length: 30 }, (_, i) => String(i).padStart(6, '3'));
    const ends = await Promise.all(
      guesses
        .filter((guess) => guess !== right)
        .map((guess, i) => who.attempt({ code: guess, address: `203.0.113.${i}` })),
    );
    // Five count for the person; those beyond count for the address, which is locked after ten.
    expect(ends.filter((end) => end === 'CB-07-0010').length).toBeLessThanOrEqual(15);
    expect(ends).not.toContain('done');
    for (let i = 0; i < 10; i += 1) await who.attempt({ code: '000' });
    expect(await who.attempt({ code: right })).toBe('CB-07-0006');
  });

  it('grants no more guesses at the code after a new password', async () => {
    await test.enableTwoFactor(who.person);
    for (let i = 0; i < 5; i += 1) expect(await who.attempt({ code: '000' })).toBe('CB-07-0010');
    const actor = callerFrom('192.0.2.7');
    await test.passwords.setFor({ email: who.person.email, password: 'newer1!', actor });
    expect(await who.attempt({ password: 'newer1!', code: '000' })).toBe('CB-07-0006');
  });

  it('replaces the mailed code after repeated failures', async () => {
    const { code } = await test.enableTwoFactor(who.person);
    await test.mails();
    test.clock.advance(30_000);
    await who.failTimes(5);
    expect(await who.attempt()).toBe('CB-07-0004');
    expect(await test.mails()).toEqual([]);
    expect(await who.attempt({ code: '999' })).toBe('CB-07-0010');
    expect(await who.attemptWithWrongPassword({ code: code() })).toBe('CB-07-0001');
    expect(await who.attempt({ code: code() })).toBe('done');
  });
});

it('stops a sign-in during which it was turned on', async () => {
  const user = await test.prove({ email: who.person.email, password: personPassword, address: null });
  await test.enableTwoFactor(who.person);
  const actor = callerFrom('192.0.2.7');
  expect(await outcomeOf(test.signIn.completeSignIn({ user, actor, userAgent: undefined }))).toBe(
    'CB-07-0001',
  );
});
