import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '../../platform/log/index.ts';
import {
  callerFrom,
  outcomeOf,
  personPassword,
  testIdentity,
  wrongPassword,
} from '../../testing/identity.ts';

let test: Awaited<ReturnType<typeof testIdentity>>;

beforeAll(async () => {
  test = await testIdentity();
});

afterAll(() => test.database.close());

const day = 24 * 3600_000;

it('the purge deletes expired rows in batches, and nothing else', async () => {
  const person = await test.makePerson();
  const actor = { ...callerFrom('192.0.2.1'), action: 'password.reset' } as const;
  const signIn = (email: string, password = personPassword) =>
    test.signIn.signIn({ email, password, agreement: true, actor, userAgent: undefined });
  const leaveTraces = async () => {
    for (let i = 0; i < 6; i += 1) await outcomeOf(signIn('somebody@example.com', wrongPassword));
    await test.resets.request({ email: person.email, actor });
    await test.mails();
  };
  const early = await signIn(person.email);
  await leaveTraces();
  test.clock.advance(91 * day);
  const recent = await signIn(person.email);
  await leaveTraces();
  const counts = async () =>
    (
      await test.pool.query(
        `select (select count(*)::int from sign_in_failures) as failures,
           (select count(*)::int from mailed_codes) as codes,
           (select count(*)::int from password_resets) as resets,
           (select count(*)::int from user_sessions) as sessions`,
      )
    ).rows[0];
  // The counter of an address stays in the same row; its code replaced the former one.
  expect(await counts()).toEqual({ failures: 2, codes: 1, resets: 2, sessions: 2 });
  const purge = async () => {
    const job = test.jobs.find(({ job: { name } }) => name === 'identity.purge-sessions');
    const log = createLog({ level: 'silent', format: 'json' });
    await job?.handle({}, { signal: new AbortController().signal, log, attempt: 1 });
  };
  await purge();
  expect(await counts()).toEqual({ failures: 2, codes: 1, resets: 1, sessions: 1 });
  expect(await test.sessions.check(early.token)).toEqual({ kind: 'unknown' });
  expect(await test.sessions.check(recent.token)).toMatchObject({ kind: 'ok' });
  test.clock.advance(2 * day);
  await purge();
  expect(await counts()).toEqual({ failures: 0, codes: 0, resets: 0, sessions: 1 });
});
