import { EventEmitter, once } from 'node:events';
import { limits } from '@simcube/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import type { JobContext } from '../../../platform/jobs/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { defineFileWork } from '../task.operation.ts';
import { createWorker, startFileWork } from '../work/work.service.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const context: JobContext = {
  signal: new AbortController().signal,
  log: createLog({ level: 'silent', format: 'json' }),
  attempt: 1,
};
const actor = {
  kind: 'person',
  id: null,
  name: 'Ana M',
  address: null,
  traceId: 'trace-1',
  action: undefined,
} as const;
let database: Database;
let orgId: number;
let userId: string;

const list = defineFileWork({
  type: 'sim-export',
  access: { key: 'sim', action: 'read' },
  parameters: z.object({ lines: z.int() }),
  fileName: ({ lines }) => `${lines}-lines.csv`,
  async *produce({ parameters, reportRows: rows }) {
    for (let line = 1; line <= parameters.lines; line += 1) {
      if (line === failAt) throw new Error('the connection was lost');
      await reach(line);
      yield Buffer.from(`line ${String(line).padStart(10, '0')}\n`);
      rows(line);
    }
  },
});
let failAt = 0;
/** Called before each line of a file. */
let reach: (line: number) => Promise<void> | void = () => undefined;

const worker = () => createWorker({ pool: database.pool, clock, operations: [], fileWorks: [list] });
const idOf = ({ reference_id }: { reference_id: string }): number => Number(reference_id.slice(1));
const task = async (id: number) =>
  (await database.pool.query('select * from tasks where id = $1', [id])).rows[0];

beforeAll(async () => {
  database = await testDatabase();
  const made = await database.pool.query(
    `with org as (insert into organisations (code, name, country) values ('acme', 'Acme Mobility', 'DE') returning id),
     person as (insert into users (email, first_name, last_name, password_hash)
       values ('ana@acme.example', 'Ana', 'M', '-') returning id)
     select org.id as org, person.id as person from org, person`,
  );
  ({ org: orgId, person: userId } = made.rows[0]);
});
afterAll(() => database.close());
beforeEach(() => {
  failAt = 0;
  reach = () => undefined;
});

describe('work that makes a file', () => {
  const orderFile = (lines: number) =>
    inTransaction(database.pool, (tx) =>
      startFileWork(tx, {
        orgId,
        userId,
        actor,
        type: 'sim-export',
        remark: null,
        parameters: { lines },
        quantity: lines,
        at: clock.now(),
      }),
    );
  const stored = async (id: number) => {
    const { rows } = await database.pool.query<{ content: Buffer }>(
      'select content from task_files where task_id = $1 order by part',
      [id],
    );
    return { parts: rows.length, text: Buffer.concat(rows.map(({ content }) => content)).toString() };
  };

  it('stores it in parts as the report of the task', async () => {
    const made = await orderFile(40_000);
    await worker().work(idOf(made), context);
    const { parts, text } = await stored(idOf(made));
    expect(parts).toBe(3);
    expect(text.split('\n')).toHaveLength(40_001);
    expect(await task(idOf(made))).toMatchObject({
      status: 'done',
      done: 40_000,
      report_name: '40000-lines.csv',
      report_bytes: text.length,
    });
  });

  it('is refused whole when it has become longer than files may be', async () => {
    const made = await orderFile(limits.exportRows);
    const longer = { lines: limits.exportRows + 1 };
    await database.pool.query('update tasks set parameters = $2 where id = $1', [idOf(made), longer]);
    // Of an attempt by a version whose attempts all begin at part 0.
    await database.pool.query(`insert into task_files (task_id, part, content) values ($1, 0, 'former')`, [
      idOf(made),
    ]);
    await worker().work(idOf(made), context);
    expect(await stored(idOf(made))).toEqual({ parts: 0, text: '' });
    expect(await task(idOf(made))).toMatchObject({
      status: 'issues',
      report_name: null,
      result: { accepted: 0, refused: longer.lines },
    });
  });

  it('that is interrupted starts again', async () => {
    const made = await orderFile(40_000);
    failAt = 30_000;
    await expect(worker().work(idOf(made), context)).rejects.toThrow('connection was lost');
    expect(await task(idOf(made))).toMatchObject({ status: 'processing', report_name: null });
    failAt = 0;
    await worker().work(idOf(made), context);
    expect((await stored(idOf(made))).text.split('\n')).toHaveLength(40_001);
  });

  const attempt = async (made: { reference_id: string }, lines: number, until: number) => {
    const gate = new EventEmitter();
    const reached = once(gate, 'reached');
    await database.pool.query('update tasks set parameters = $2 where id = $1', [idOf(made), { lines }]);
    reach = async (line) => {
      if (line !== until) return;
      const released = once(gate, 'go on');
      gate.emit('reached');
      await released;
    };
    const ended = worker().work(idOf(made), context);
    await reached;
    reach = () => undefined;
    return { ended, goOn: () => gate.emit('go on') };
  };

  it('is not deleted by a former attempt that is still running', async () => {
    const made = await orderFile(60_000);
    const former = await attempt(made, 60_000, 50_000);
    await database.pool.query('update tasks set parameters = $2 where id = $1', [
      idOf(made),
      { lines: 40_000 },
    ]);
    await worker().work(idOf(made), context);
    former.goOn();
    await former.ended;
    const { parts, text } = await stored(idOf(made));
    expect([parts, text.split('\n').length]).toEqual([3, 40_001]);
    expect(await task(idOf(made))).toMatchObject({ status: 'done', report_bytes: text.length });
  });

  it('is made by the latest of two attempts that run at once', async () => {
    const made = await orderFile(60_000);
    const former = await attempt(made, 60_000, 50_000);
    const latest = await attempt(made, 40_000, 30_000);
    former.goOn();
    await expect(former.ended).rejects.toThrow('later attempt');
    latest.goOn();
    await latest.ended;
    const { parts, text } = await stored(idOf(made));
    expect([parts, text.split('\n').length]).toEqual([3, 40_001]);
  });

  it('ends when its job is stopped', async () => {
    const made = await orderFile(60_000);
    const stopping = new AbortController();
    let last = 0;
    reach = (line) => {
      last = line;
      if (line === 20_000) stopping.abort();
    };
    await expect(worker().work(idOf(made), { ...context, signal: stopping.signal })).rejects.toThrow(
      'aborted',
    );
    expect(last).toBeLessThan(50_000);
    expect(await task(idOf(made))).toMatchObject({ status: 'processing' });
  });
});
