import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { FixedClock } from '../platform/clock/index.ts';
import type { Database } from '../platform/db/index.ts';
import {
  deadLetterExhausted,
  defineJob,
  enqueue,
  handlerOf,
  listDeadLetters,
} from '../platform/jobs/index.ts';
import { createLog } from '../platform/log/index.ts';
import { sendMailJob } from '../platform/mail/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { testDatabase } from '../testing/database.ts';
import { jobCommands } from './jobs.cli.ts';

let database: Database;
const output: string[] = [];
const job = defineJob({
  name: 'test.send-mail',
  payload: z.object({ sealed: z.string(), to: z.string() }),
  maxAttempts: 2,
  timeoutMs: 1000,
});

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('truncate dead_lettered_jobs, graphile_worker._private_jobs');
  output.length = 0;
  vi.spyOn(console, 'info').mockImplementation((line: string) => void output.push(line));
});
afterEach(() => vi.restoreAllMocks());

const run = (...args: string[]) => {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  jobCommands(program, async () => ({
    pool: database.pool,
    clock: new FixedClock('2026-11-21T12:00:00Z'),
    jobs: ['test.send-mail', 'test.other'].map((name) => handlerOf({ ...job, name }, async () => undefined)),
    close: async () => undefined,
  }));
  for (const area of program.commands) for (const command of area.commands) command.exitOverride();
  return program.parseAsync(['node', 'simcube', 'jobs', ...args]);
};
const dead = async (to: string): Promise<string> => {
  await enqueue(database.pool, job, { sealed: 'x9x9x9', to });
  await database.pool.query(
    `update graphile_worker._private_jobs set attempts = max_attempts, last_error = E'no\\nreply \\x1b[2J'`,
  );
  const log = createLog({ level: 'silent', format: 'json' });
  const handlers = [handlerOf(job, async () => undefined)];
  await deadLetterExhausted({ pool: database.pool, handlers, log, metrics: createMetrics() });
  const letters = await listDeadLetters(database.pool, { limit: 100 });
  return String(letters.at(-1)?.id);
};
const audited = async () =>
  (
    await database.pool.query(
      `select action, actor_kind, subject_kind, subject_id, subject_name, before from audit_entries
       where org_id = 0 and subject_kind = 'job' order by number`,
    )
  ).rows;

describe('simcube jobs', () => {
  it('lists dead-lettered jobs one per line, and shows one with secrets masked', async () => {
    const id = await dead('ann@example.test');
    await run('list');
    expect(output).toEqual([
      expect.stringMatching(new RegExp(`^${id}\ttest.send-mail\t[^\t]+\t2 attempts\t1x\tno reply  \\[2J$`)),
    ]);
    await run('list', '--job', 'test.other', '--json');
    expect(output[1]).toBe('[]');
    await run('show', id);
    expect(JSON.parse(output[2] ?? '')).toMatchObject({
      name: job.name,
      payload: { sealed: '[masked]', to: 'ann@example.test' },
    });
    await run('drop', id);
  });

  it('rejects unknown kinds, except former ones with dead letters', async () => {
    for (const verb of ['list', 'retry', 'drop'])
      await expect(run(verb, '--job', 'test.sendmail')).rejects.toThrow(
        'There is no kind of job test.sendmail',
      );
    await run('list', '--job', sendMailJob.name);
    expect(output).toEqual([]);
    await dead('a@example.test');
    await database.pool.query(`update dead_lettered_jobs set name = 'test.former'`);
    await run('drop', '--job', 'test.former');
    expect(output).toEqual(['1 job dropped']);
  });

  it('retries or drops them by id or kind, each with an audit entry', async () => {
    const before = (await audited()).length;
    const ids = [await dead('a@example.test'), await dead('b@example.test'), await dead('c@example.test')];
    await run('retry', ids[0] ?? '');
    await run('drop', '--job', job.name);
    expect(output).toEqual(['1 job queued again', '2 jobs dropped']);
    const failure = { attempts: 2, error: 'no\nreply \u001b[2J' };
    const entry = { actor_kind: 'operator', subject_kind: 'job', subject_name: job.name, before: failure };
    expect((await audited()).slice(before)).toEqual([
      { ...entry, action: 'job.retried', subject_id: ids[0] },
      { ...entry, action: 'job.dropped', subject_id: ids[1] },
      { ...entry, action: 'job.dropped', subject_id: ids[2] },
    ]);
    expect(await listDeadLetters(database.pool, { limit: 100 })).toEqual([]);
  });

  it('changes any number of them with --all, after --yes, batch by batch', async () => {
    const addLetters = (count: number, name: string) =>
      database.pool.query(
        `insert into dead_lettered_jobs (id, name, payload, max_attempts, attempts, error, queued_at)
         select n, $2, '{"sealed": "x", "to": "y"}', 2, 2, 'no reply', now() from generate_series(1, $1) as n`,
        [count, name],
      );
    const before = (await audited()).length;
    await addLetters(1203, job.name);
    await database.pool.query(`update dead_lettered_jobs set name = 'test.other' where id <= 2`);
    await expect(run('retry', '--all')).rejects.toThrow(
      'Nothing was done (jobs selected: 1203): add --yes to retry them',
    );
    await expect(run('drop', '1', '--all')).rejects.toThrow('Name the jobs by ids, with --job or with --all');
    await run('drop', '--job', job.name, '--all', '--yes');
    await run('retry', '--all', '--yes');
    await run('retry', '--all');
    expect(output).toEqual(['1201 jobs dropped', '2 jobs queued again', '0 jobs queued again']);
    expect((await audited()).slice(before).map(({ action }) => action)).toEqual([
      ...Array.from({ length: 1201 }, () => 'job.dropped'),
      ...['job.retried', 'job.retried'],
    ]);
    const { rows } = await database.pool.query('select count(*)::int from graphile_worker._private_jobs');
    expect(rows).toEqual([{ count: 2 }]);
  });

  it('changes nothing if an id is unknown, and names it', async () => {
    const id = await dead('d@example.test');
    const before = await audited();
    await expect(run('drop', id, '999999')).rejects.toThrow('There is no dead-lettered job 999999');
    await expect(run('show', '999999')).rejects.toThrow('There is no dead-lettered job 999999');
    await expect(run('retry')).rejects.toThrow('Name the jobs by ids, with --job or with --all');
    await expect(run('drop', 'all')).rejects.toThrow('An id must be a whole number');
    expect(await audited()).toEqual(before);
    expect(await listDeadLetters(database.pool, { limit: 100 })).toHaveLength(1);
  });
});
