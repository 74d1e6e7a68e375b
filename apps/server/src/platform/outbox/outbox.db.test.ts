import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testDatabase } from '../../testing/database.ts';
import { waitForOlderTransactions } from '../../testing/older-transactions.ts';
import { runProgram } from '../../testing/run-program.ts';
import { type Database, inTransaction } from '../db/index.ts';
import { createLog } from '../log/index.ts';
import { createMetrics } from '../metrics/index.ts';
import {
  consumeOnce,
  defineConsumer,
  defineEvent,
  emit,
  emitMany,
  listDeadLetteredFacts,
  registerConsumers,
  trimOutbox,
} from './index.ts';

let database: Database;
const report = { log: createLog({ level: 'silent', format: 'json' }), metrics: createMetrics() };
const happened = defineEvent({ topic: 'test.happened', payload: z.object({ n: z.number() }) });
/** The event of testing/programs/outbox-steps.ts, which defines it separately. */
const counted = defineEvent({ topic: 'test.counted', payload: z.object({ n: z.number() }) });
const other = defineEvent({ topic: 'test.other', payload: z.object({}) });

beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query('create table effects (n integer not null)');
  await database.pool.query('create table truths (n integer primary key)');
});
afterAll(() => database.close());
beforeEach(() =>
  database.pool.query('truncate outbox, outbox_cursors, dead_lettered_facts, effects, truths'),
);

const register = (name: string) =>
  database.pool.query(`insert into outbox_cursors (consumer, xact, id) values ($1, '0', 0)`, [name]);
const effects = async (): Promise<number[]> =>
  (await database.pool.query<{ n: number }>('select n from effects order by n')).rows.map((row) => row.n);
const collecting = (name: string) =>
  defineConsumer({
    name,
    events: [happened],
    handle: async (tx, fact) => {
      await tx.query('insert into effects (n) values ($1)', [fact.payload.n]);
    },
  });

describe('a killed process', () => {
  test.each([
    ['before-effect', 7],
    ['after-effect', 1],
    ['after-effect', 30],
    ['after-commit', 1],
    ['batch-after-effect', 10],
    ['batch-after-effect', 30],
    ['batch-after-commit', 4],
  ])('while consuming (%s, %i) neither repeats nor skips facts', async (step, count) => {
    await emitMany(
      database.pool,
      counted,
      Array.from({ length: 60 }, (_, n) => ({ orgId: null, payload: { n } })),
    );
    await waitForOlderTransactions(database.pool);
    expect(await runProgram('outbox-steps', [database.url, step, String(count)])).toBe('SIGKILL');
    const rest = step.startsWith('batch') ? 'batch-none' : 'none';
    expect(await runProgram('outbox-steps', [database.url, rest, '1'])).toBe(0);
    expect(await effects()).toEqual(Array.from({ length: 60 }, (_, n) => n));
  });

  test.each([
    ['emit-before-fact', 10, 9],
    ['emit-before-commit', 10, 9],
    ['emit-after-commit', 10, 10],
  ])(
    'while recording (%s) leaves the fact only if its change was committed',
    async (step, count, committed) => {
      expect(await runProgram('outbox-steps', [database.url, step, String(count)])).toBe('SIGKILL');
      const { rows: truths } = await database.pool.query('select n from truths order by n');
      const { rows: facts } = await database.pool.query(
        `select (payload->>'n')::int as n from outbox order by 1`,
      );
      expect(facts).toEqual(truths);
      expect(facts).toHaveLength(committed);
    },
  );
});

describe('the order of facts', () => {
  test('includes a fact of a transaction that commits late', async () => {
    await register('late');
    const consumer = collecting('late');
    const early = await database.pool.connect();
    await early.query('begin');
    await emit(early, happened, { orgId: null, payload: { n: 1 } });
    await emit(database.pool, happened, { orgId: null, payload: { n: 2 } });
    expect((await consumeOnce(database.pool, consumer, report)).handled).toBe(0);
    await early.query('commit');
    early.release();
    await waitForOlderTransactions(database.pool);
    await consumeOnce(database.pool, consumer, report);
    expect(await effects()).toEqual([1, 2]);
  });

  test('is consumed once by two processes', async () => {
    await register('pair');
    const consumer = collecting('pair');
    for (let n = 0; n < 40; n += 1) await emit(database.pool, happened, { orgId: null, payload: { n } });
    await waitForOlderTransactions(database.pool);
    const drain = async () => {
      for (let idle = 0; idle < 3; )
        idle = (await consumeOnce(database.pool, consumer, report)).handled === 0 ? idle + 1 : 0;
    };
    await Promise.all([drain(), drain(), drain()]);
    expect(await effects()).toEqual(Array.from({ length: 40 }, (_, n) => n));
  });

  test('skips facts of other topics, up to the newest', async () => {
    await register('choosy');
    await emit(database.pool, other, { orgId: null, payload: {} });
    await emit(database.pool, happened, { orgId: null, payload: { n: 5 } });
    await emit(database.pool, other, { orgId: null, payload: {} });
    await waitForOlderTransactions(database.pool);
    expect((await consumeOnce(database.pool, collecting('choosy'), report)).handled).toBe(1);
    expect(await effects()).toEqual([5]);
    const { rows } = await database.pool.query(
      `select 1 from outbox o, outbox_cursors c where (o.xact, o.id) > (c.xact, c.id)`,
    );
    expect(rows).toEqual([]);
  });

  test('gives a consumer every fact of its topic once, over several batches', async () => {
    await register('long');
    for (let n = 0; n < 450; n += 1) {
      await emit(database.pool, n % 3 === 0 ? happened : other, { orgId: null, payload: { n } } as never);
    }
    await waitForOlderTransactions(database.pool);
    const taken: number[] = [];
    const long = defineConsumer({
      name: 'long',
      events: [happened],
      handle: async (_, { payload }) => void taken.push(payload.n),
    });
    while ((await consumeOnce(database.pool, long, report)).handled > 0);
    expect(taken).toEqual(Array.from({ length: 150 }, (_, n) => n * 3));
  });
});

describe('a new consumer', () => {
  const digest = async (consumer: ReturnType<typeof collecting>) => {
    await waitForOlderTransactions(database.pool);
    while ((await consumeOnce(database.pool, consumer, report)).handled > 0);
    return effects();
  };

  test('receives only facts recorded after its registration', async () => {
    await emit(database.pool, happened, { orgId: null, payload: { n: 1 } });
    await waitForOlderTransactions(database.pool);
    const consumer = collecting('later');
    await registerConsumers(database.pool, [consumer]);
    await emit(database.pool, happened, { orgId: null, payload: { n: 2 } });
    expect(await digest(consumer)).toEqual([2]);
  });

  test('receives facts of transactions that were open at its registration', async () => {
    const running = await database.pool.connect();
    await running.query('begin');
    await emit(running, happened, { orgId: null, payload: { n: 3 } });
    const consumer = collecting('meanwhile');
    await registerConsumers(database.pool, [consumer]);
    await running.query('commit');
    running.release();
    expect(await digest(consumer)).toEqual([3]);
  });

  test('can start with all stored facts', async () => {
    await emit(database.pool, happened, { orgId: null, payload: { n: 4 } });
    await waitForOlderTransactions(database.pool);
    const consumer = { ...collecting('whole'), from: 'beginning' as const };
    await registerConsumers(database.pool, [consumer]);
    expect(await digest(consumer)).toEqual([4]);
  });

  test('continues at its cursor if it was registered before', async () => {
    const consumer = collecting('known');
    await registerConsumers(database.pool, [consumer]);
    await emit(database.pool, happened, { orgId: null, payload: { n: 5 } });
    await waitForOlderTransactions(database.pool);
    await registerConsumers(database.pool, [consumer]);
    expect(await digest(consumer)).toEqual([5]);
  });
});

describe('a fact whose consumer fails', () => {
  test('is retried with its effects rolled back, then dead-lettered, and the next one is delivered', async () => {
    await register('weak');
    let tries = 0;
    const weak = defineConsumer({
      name: 'weak',
      events: [happened],
      handle: async (tx, fact) => {
        await tx.query('insert into effects (n) values ($1)', [fact.payload.n]);
        if (fact.payload.n === 1) {
          tries += 1;
          throw new Error('not today');
        }
      },
    });
    await emit(database.pool, happened, { orgId: null, payload: { n: 1 } });
    await emit(database.pool, happened, { orgId: null, payload: { n: 2 } });
    await waitForOlderTransactions(database.pool);
    for (let round = 0; round < 12; round += 1) {
      await database.pool.query(`update outbox_cursors set retry_at = null where consumer = 'weak'`);
      await consumeOnce(database.pool, weak, report);
    }
    expect(tries).toBe(8);
    expect(await effects()).toEqual([2]);
    expect(await listDeadLetteredFacts(database.pool, { limit: 10 })).toMatchObject([
      { consumer: 'weak', topic: 'test.happened', error: 'not today', attempts: 8, payload: { n: 1 } },
    ]);
  });

  test('is retried without limit while a cluster node is unreachable', async () => {
    await register('patient');
    let isAway = true;
    const patient = defineConsumer({
      name: 'patient',
      events: [happened],
      handle: async (tx, fact) => {
        await tx.query('insert into effects (n) values ($1)', [fact.payload.n]);
        // As the coordinator reports it.
        if (isAway)
          await tx.query(
            `do $$ begin raise 'connection to the remote node failed' using errcode = 'connection_failure'; end $$`,
          );
      },
    });
    await emit(database.pool, happened, { orgId: null, payload: { n: 1 } });
    await waitForOlderTransactions(database.pool);
    const round = async () => {
      await database.pool.query(`update outbox_cursors set retry_at = null where consumer = 'patient'`);
      await consumeOnce(database.pool, patient, report);
    };
    for (let rounds = 0; rounds < 12; rounds += 1) await round();
    expect(await listDeadLetteredFacts(database.pool, { limit: 10 })).toEqual([]);
    isAway = false;
    await round();
    expect(await effects()).toEqual([1]);
  });
});

test('a rolled back transaction leaves no fact', async () => {
  const undone = inTransaction(database.pool, async (tx) => {
    await emit(tx, happened, { orgId: null, payload: { n: 1 } });
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  expect((await database.pool.query('select 1 from outbox')).rowCount).toBe(0);
});

test('trimming deletes only old facts that every consumer has passed', async () => {
  await register('slow');
  await emit(database.pool, happened, { orgId: null, payload: { n: 1 } });
  await emit(database.pool, happened, { orgId: null, payload: { n: 2 } });
  await database.pool.query(`update outbox set created_at = now() - interval '10 days'`);
  await emit(database.pool, happened, { orgId: null, payload: { n: 3 } });
  expect(await trimOutbox(database.pool, 24)).toBe(0);
  await waitForOlderTransactions(database.pool);
  expect((await consumeOnce(database.pool, collecting('slow'), report)).handled).toBe(3);
  expect(await trimOutbox(database.pool, 24)).toBe(2);
});

test('a consumer unseen for an hour prevents trimming, one unseen for a day does not', async () => {
  await register('gone');
  await emit(database.pool, happened, { orgId: null, payload: { n: 1 } });
  await database.pool.query(`update outbox set created_at = now() - interval '10 days'`);
  await waitForOlderTransactions(database.pool);
  await database.pool.query(`update outbox_cursors set seen_at = now() - interval '1 hour'`);
  expect(await trimOutbox(database.pool, 24)).toBe(0);
  await database.pool.query(`update outbox_cursors set seen_at = now() - interval '25 hours'`);
  expect(await trimOutbox(database.pool, 24)).toBe(1);
});
