import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { countedWrite, countWrites, envelopeWith, keyedRequest } from '../../testing/keyed-write.ts';
import { runProgram } from '../../testing/run-program.ts';
import type { Database } from '../db/index.ts';
import { createLog } from '../log/index.ts';
import { Failure, fail } from './failure.ts';
import { handleIdempotently } from './idempotency.ts';

let database: Database;
const log = createLog({ level: 'silent', format: 'json' });
const deps = () => ({ pool: database.pool, sql: database.pool, log });
const write = (key: string, more: Parameters<typeof countedWrite>[2] = {}) => countedWrite(deps(), key, more);
const done = (key: string) => countWrites(database.pool, key);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => (error instanceof Failure ? error.code : error),
  );
/** As after 30 seconds without renewal. */
const expireClaim = (key: string) =>
  database.pool.query('update idempotent_requests set claimed_until = now() where key = $1', [key]);

/** A gate that a test opens when it is time. */
const gate = () => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let reach: () => void = () => undefined;
  const secondReached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return {
    open,
    reached: secondReached,
    pass: () => {
      reach();
      return opened;
    },
  };
};

beforeAll(async () => {
  database = await testDatabase({ max: 8 });
});
afterAll(() => database.close());

describe('a process killed during a write with an Idempotency-Key', () => {
  it('has done nothing before the commit: the key is in progress, then a repeat does the work', async () => {
    expect(await runProgram('keyed-write-steps', [database.url, 'killed-1', 'before-commit'])).toBe(
      'SIGKILL',
    );
    expect(await done('killed-1')).toBe(0);
    expect(await codeOf(write('killed-1'))).toBe('CB-00-0423');
    await expireClaim('killed-1');
    expect((await write('killed-1')).replayed).toBe(false);
    expect((await write('killed-1')).replayed).toBe(true);
    expect(await done('killed-1')).toBe(1);
  });

  it('has done the work after the commit: a repeat reports a lost response, and never repeats the work', async () => {
    expect(await runProgram('keyed-write-steps', [database.url, 'killed-2', 'after-commit'])).toBe('SIGKILL');
    expect(await done('killed-2')).toBe(1);
    expect(await codeOf(write('killed-2'))).toBe('CB-00-0423');
    await expireClaim('killed-2');
    for (const _ of [1, 2]) expect(await codeOf(write('killed-2'))).toBe('CB-00-0424');
    expect(await done('killed-2')).toBe(1);
  });
});

describe('a response that can’t be stored after the work', () => {
  it('is sent, and a repeat reports it as lost instead of repeating the work', async () => {
    await database.pool.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
       create trigger no_answers before update of answer on idempotent_requests
         for each row when (new.key = 'unstored') execute function refuse()`,
    );
    const first = await write('unstored');
    expect([first.envelope.data, first.replayed]).toEqual([{ written: 'unstored' }, false]);
    expect(await codeOf(write('unstored'))).toBe('CB-00-0424');
    expect(await done('unstored')).toBe(1);
  });

  it('includes that of a call that fails after its commit', async () => {
    const broken = write('broken', { after: () => Promise.reject(new Error('no answer')) });
    await expect(broken).rejects.toThrow('no answer');
    expect(await codeOf(write('broken'))).toBe('CB-00-0424');
    expect(await done('broken')).toBe(1);
  });
});

it('a response is stored as it was sent, with any characters', async () => {
  const odd = { text: 'a\u0000b\ud800' };
  const answer = async () => envelopeWith(odd);
  await handleIdempotently(deps(), keyedRequest('odd'), answer);
  const again = await handleIdempotently(deps(), keyedRequest('odd'), answer);
  expect([again.replayed, again.envelope.data]).toEqual([true, odd]);
});

it('a write that failed without changes may be retried with the same key', async () => {
  const refused = write('refused', { inside: async () => fail('CB-01-0001') });
  expect(await codeOf(refused)).toBe('CB-01-0001');
  expect((await write('refused')).replayed).toBe(false);
  expect(await done('refused')).toBe(1);
});

it('the key is in progress while the first request runs, beyond the claim’s duration', async () => {
  const { pass, reached: secondReached, open } = gate();
  const claimMs = 150;
  const running = countedWrite({ ...deps(), claimMs }, 'slow', { inside: pass });
  await secondReached;
  const claimedUntil = async (): Promise<Date> =>
    (await database.pool.query(`select claimed_until from idempotent_requests where key = 'slow'`)).rows[0]
      .claimed_until;
  const first = await claimedUntil();
  await expect.poll(claimedUntil, { interval: 10 }).not.toEqual(first);
  expect(await codeOf(write('slow'))).toBe('CB-00-0423');
  open();
  await running;
  expect((await write('slow')).replayed).toBe(true);
  expect(await done('slow')).toBe(1);
});

it('an attempt whose claim was taken over commits nothing', async () => {
  const { pass, reached: secondReached, open } = gate();
  const late = codeOf(write('late', { inside: pass }));
  await secondReached;
  await expireClaim('late');
  expect((await write('late')).replayed).toBe(false);
  open();
  expect(await late).toBe('CB-00-0423');
  expect(await done('late')).toBe(1);
  expect((await write('late')).replayed).toBe(true);
});

it('only one of many concurrent requests does the work', async () => {
  const codes = await Promise.all(Array.from({ length: 12 }, () => codeOf(write('many'))));
  expect(new Set(codes)).toEqual(new Set(['answered', 'CB-00-0423']));
  expect(await done('many')).toBe(1);
});

it('only one of many requests takes over an abandoned claim', async () => {
  await runProgram('keyed-write-steps', [database.url, 'abandoned', 'before-commit']);
  await expireClaim('abandoned');
  const codes = await Promise.all(Array.from({ length: 6 }, () => codeOf(write('abandoned'))));
  expect(codes).toContain('answered');
  expect(await done('abandoned')).toBe(1);
});

it('a key is scoped to organisation and caller', async () => {
  const others = [
    { orgId: 2 },
    { orgId: null },
    { callerId: '00000000-0000-4000-8000-000000000002' },
    { orgId: null, callerId: '00000000-0000-4000-8000-000000000002' },
  ];
  await write('shared');
  for (const other of others) {
    const request = keyedRequest('shared', other);
    expect((await write('shared', { request })).replayed).toBe(false);
    expect((await write('shared', { request })).replayed).toBe(true);
  }
  expect(await done('shared')).toBe(1 + others.length);
});
