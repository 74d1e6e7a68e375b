import { Command } from 'commander';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { FixedClock } from '../platform/clock/index.ts';
import type { Database } from '../platform/db/index.ts';
import { createLog } from '../platform/log/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import {
  consumeOnce,
  defineConsumer,
  defineEvent,
  emit,
  listDeadLetteredFacts,
  registerConsumers,
} from '../platform/outbox/index.ts';
import { testDatabase } from '../testing/database.ts';
import { waitForOlderTransactions } from '../testing/older-transactions.ts';
import { outboxCommands } from './outbox.cli.ts';

let database: Database;
/** Whether the weak consumer fails for this payload. */
let isBroken = (_: number): boolean => true;
const delivered: string[] = [];
const output: string[] = [];
const report = { log: createLog({ level: 'silent', format: 'json' }), metrics: createMetrics() };
const ordered = defineEvent({
  topic: 'test.ordered',
  payload: z.object({ n: z.number(), token: z.string() }),
});
const consumers = ['weak', 'other'].map((name) =>
  defineConsumer({
    name,
    events: [ordered],
    from: 'beginning',
    handle: async (tx, { payload, orgId }) => {
      await tx.query('insert into effects (consumer, n) values ($1, $2)', [name, payload.n]);
      if (name === 'weak' && isBroken(payload.n)) throw new Error('not\ntoday \u001b[2J');
      delivered.push(`${name} ${payload.n} of ${orgId}`);
    },
  }),
);

beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query('create table effects (consumer text, n integer)');
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('truncate outbox, outbox_cursors, dead_lettered_facts, effects');
  isBroken = () => true;
  output.length = 0;
  vi.spyOn(console, 'info').mockImplementation((line: string) => void output.push(line));
});
afterEach(() => vi.restoreAllMocks());

const run = (...args: string[]) => runOn(database.pool, args);

const runOn = (pool: Pool, args: readonly string[]) => {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  outboxCommands(program, async () => ({
    pool,
    clock: new FixedClock('2026-11-21T12:00:00Z'),
    consumers,
    close: async () => undefined,
  }));
  for (const area of program.commands) for (const command of area.commands) command.exitOverride();
  return program.parseAsync(['node', 'simcube', 'outbox', ...args]);
};

/**
 * Facts that the weak consumer dead-lettered and the other one handled.
 * @returns the ids of the dead letters
 */
const deadLettered = async (count: number): Promise<string[]> => {
  await registerConsumers(database.pool, consumers);
  for (let n = 1; n <= count; n += 1) {
    await emit(database.pool, ordered, { orgId: 7, payload: { n, token: 'secret-token' } });
  }
  await waitForOlderTransactions(database.pool);
  for (let round = 0; round < 10 * count; round += 1) {
    await database.pool.query('update outbox_cursors set retry_at = null');
    for (const consumer of consumers) await consumeOnce(database.pool, consumer, report);
  }
  delivered.length = 0;
  return (await listDeadLetteredFacts(database.pool, { limit: 100 })).map(({ id }) => String(id));
};
const audited = async () =>
  (
    await database.pool.query(
      `select action, actor_kind, subject_kind, subject_id, subject_name, before from audit_entries
       where org_id = 0 and subject_kind = 'fact' order by number`,
    )
  ).rows;
const effects = async () =>
  (await database.pool.query('select consumer, n from effects order by consumer, n')).rows;

describe('simcube outbox', () => {
  it('shows the position of each consumer, including removed ones', async () => {
    await deadLettered(1);
    await emit(database.pool, ordered, { orgId: 7, payload: { n: 2, token: 'x' } });
    await database.pool.query(
      `insert into outbox_cursors (consumer, xact, id, seen_at) values ('old', '0', 0, '2026-01-02T03:04:05Z')`,
    );
    await run('status');
    expect(output).toEqual([
      expect.stringMatching(/^old\tgone, last seen 2026-01-02T03:04:05\.000Z\t-\t0 dead-lettered\t-$/),
      expect.stringMatching(/^other\t1 waiting\tsince \S+\t0 dead-lettered\t-$/),
      expect.stringMatching(/^weak\t1 waiting\tsince \S+\t1 dead-lettered\t-$/),
    ]);
  });

  it('lists dead-lettered facts one per line, and shows one with secrets masked', async () => {
    const [id = ''] = await deadLettered(1);
    await run('list');
    await run('list', '--consumer', 'other', '--json');
    await run('show', id);
    expect(output[0]).toMatch(
      new RegExp(`^${id}\tweak\ttest.ordered\t[^\t]+\t8 attempts\tnot today  \\[2J$`),
    );
    expect(output[1]).toBe('[]');
    expect(JSON.parse(output[2] ?? '')).toMatchObject({ orgId: 7, payload: { n: 1, token: '[masked]' } });
  });

  it('rejects unknown consumers, except former ones with dead letters', async () => {
    for (const verb of ['list', 'retry', 'drop'])
      await expect(run(verb, '--consumer', 'waek')).rejects.toThrow('There is no consumer waek');
    await deadLettered(1);
    await database.pool.query(`update dead_lettered_facts set consumer = 'former'`);
    await run('drop', '--consumer', 'former');
    expect(output).toEqual(['1 fact dropped']);
  });

  it('redelivers a fact to its consumer only, with an audit entry', async () => {
    const [id = ''] = await deadLettered(1);
    const before = await audited();
    isBroken = () => false;
    await run('retry', id);
    expect(output).toEqual(['1 fact delivered']);
    expect(delivered).toEqual(['weak 1 of 7']);
    expect(await effects()).toEqual([
      { consumer: 'other', n: 1 },
      { consumer: 'weak', n: 1 },
    ]);
    expect((await audited()).slice(before.length)).toEqual([
      {
        action: 'fact.retried',
        actor_kind: 'operator',
        subject_kind: 'fact',
        subject_id: id,
        subject_name: 'test.ordered',
        before: { consumer: 'weak', attempts: 8, error: 'not\ntoday \u001b[2J' },
      },
    ]);
    await expect(run('retry', id)).rejects.toThrow(`There is no dead-lettered fact ${id}`);
    expect(delivered).toHaveLength(1);
  });

  it('delivers once on concurrent retries', async () => {
    const [id = ''] = await deadLettered(1);
    isBroken = () => false;
    const ends = await Promise.allSettled([run('retry', id), run('retry', id)]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(delivered).toEqual(['weak 1 of 7']);
  });

  it('keeps a fact that fails again, without effects or audit entry, and delivers the others', async () => {
    const [first = '', second = ''] = await deadLettered(2);
    const before = await audited();
    isBroken = (n) => n === 1;
    await expect(run('retry', '--consumer', 'weak')).rejects.toThrow(
      `1 fact not delivered\n${first}: not today  [2J`,
    );
    expect(await listDeadLetteredFacts(database.pool, { limit: 9 })).toMatchObject([{ attempts: 9 }]);
    expect(delivered).toEqual(['weak 2 of 7']);
    expect((await audited()).slice(before.length)).toMatchObject([
      { action: 'fact.retried', subject_id: second },
    ]);
    expect((await effects()).filter(({ consumer }) => consumer === 'weak')).toEqual([
      { consumer: 'weak', n: 2 },
    ]);
  });

  it('rejects the retry of a fact of a removed consumer, but drops it', async () => {
    const [id = ''] = await deadLettered(1);
    await database.pool.query(`update dead_lettered_facts set consumer = 'old'`);
    await expect(run('retry', id)).rejects.toThrow('There is no longer a consumer called old: drop the fact');
    const before = await audited();
    await run('drop', id);
    expect(output.at(-1)).toBe('1 fact dropped');
    expect((await audited()).slice(before.length)).toMatchObject([
      { action: 'fact.dropped', subject_id: id, before: { consumer: 'old' } },
    ]);
    expect(await listDeadLetteredFacts(database.pool, { limit: 9 })).toEqual([]);
  });

  it('retries or drops any number of facts with --all, each once, after --yes', async () => {
    const before = (await audited()).length;
    await registerConsumers(database.pool, consumers);
    await database.pool.query(
      `insert into dead_lettered_facts (consumer, xact, fact_id, topic, org_id, payload, attempts, error, recorded_at)
       select 'weak', '1', n, 'test.ordered', 7, json_build_object('n', n, 'token', 't'), 8, 'not today', now()
       from generate_series(1, 1105) as n`,
    );
    isBroken = (n) => n <= 1003;
    await expect(run('retry', '--all')).rejects.toThrow(
      'Nothing was done (facts selected: 1105): add --yes to retry them',
    );
    let lists = 0;
    const ending = new Proxy(database.pool, {
      get: (of, name) => {
        const value: unknown = Reflect.get(of, name);
        if (name !== 'query') return typeof value === 'function' ? value.bind(of) : value;
        return (...args: Parameters<Pool['query']>) => {
          // The second list of ids.
          if (String(args[0]).startsWith('select id from dead_lettered_facts')) lists += 1;
          if (lists > 1) throw new Error('the database ended');
          return of.query(...args);
        };
      },
    });
    vi.spyOn(console, 'warn').mockImplementation((line: string) => void output.push(line));
    await expect(runOn(ending, ['retry', '--all', '--yes'])).rejects.toThrow('the database ended');
    expect([lists, output.splice(0)]).toEqual([
      2,
      ['0 facts delivered', expect.stringContaining('1000 facts not delivered')],
    ]);
    const failures = run('retry', '--all', '--yes');
    await expect(failures).rejects.toThrow('1003 facts not delivered');
    await expect(failures).rejects.toThrow('and 903 more');
    expect(output).toEqual(['102 facts delivered']);
    const kept = await listDeadLetteredFacts(database.pool, { limit: 2000 });
    expect([kept.length, new Set(kept.map(({ attempts }) => attempts))]).toEqual([1003, new Set([9, 10])]);
    await run('drop', '--consumer', 'weak', '--all', '--yes');
    expect(output.at(-1)).toBe('1003 facts dropped');
    expect((await audited()).slice(before).filter(({ action }) => action === 'fact.dropped')).toHaveLength(
      1003,
    );
    expect(await listDeadLetteredFacts(database.pool, { limit: 9 })).toEqual([]);
  });

  it('drops nothing if an id is unknown, and names it', async () => {
    const [id = ''] = await deadLettered(1);
    const before = await audited();
    await expect(run('drop', id, '999999')).rejects.toThrow('There is no dead-lettered fact 999999');
    await expect(run('show', '999999')).rejects.toThrow('There is no dead-lettered fact 999999');
    await expect(run('retry')).rejects.toThrow('Name the facts by ids, with --consumer or with --all');
    await expect(run('drop', 'all')).rejects.toThrow('An id must be a whole number');
    expect(await audited()).toEqual(before);
    expect(await listDeadLetteredFacts(database.pool, { limit: 9 })).toHaveLength(1);
  });
});
