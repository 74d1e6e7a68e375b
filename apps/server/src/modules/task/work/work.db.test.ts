import type { ErrorCode } from '@simcube/contract';
import { hourMs } from '@simcube/contract/time';
import { DatabaseError } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import type { JobContext } from '../../../platform/jobs/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type ItemKind, labelColumn, type WaitingItem } from '../task.items.ts';
import { defineOperation } from '../task.operation.ts';
import { sweepTasks } from '../task.service.ts';
import { listBusy } from '../work.queries.ts';
import { createWorker, startWork } from './work.service.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const context: JobContext = {
  signal: new AbortController().signal,
  log: createLog({ level: 'silent', format: 'json' }),
  attempt: 1,
};
let database: Database;
let orgId: number;
let userId: string;
/** What the operation under test does with a chunk; it records the meters that it worked on. */
let apply: (items: readonly WaitingItem[]) => Map<number, ErrorCode>;
let chunks: number[] = [];

const meters: ItemKind = {
  name: 'meter',
  columns: [labelColumn('task.report.item')],
  busy: 'CB-01-0011',
};
/** Things of another kind, with the same numbers. */
const pumps: ItemKind = { ...meters, name: 'pump' };

const read = defineOperation({
  // A type that no other operation has.
  type: 'cdr-import',
  items: meters,
  parameters: z.object({ reason: z.string() }),
  chunk: 3,
  async apply(tx, { items, parameters, order, now }) {
    chunks.push(items.length);
    const refused = apply(items);
    for (const { position, ref } of items) {
      if (refused.has(position)) continue;
      await tx.query(
        `insert into readings (meter, at, org_id, reason, actor, task_id, trace_id)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [ref, now, order.orgId, parameters.reason, order.actor, order.reference, order.traceId],
      );
    }
    return refused;
  },
});

const worker = () => createWorker({ pool: database.pool, clock, operations: [read], fileWorks: [] });
const actor = {
  kind: 'person',
  id: null,
  name: 'Ana M',
  address: null,
  traceId: 'trace-1',
  action: undefined,
} as const;

/** Its job has failed: the next attempt is not due. */
const postpone = (made: { reference_id: string }) =>
  database.pool.query(
    `select graphile_worker.reschedule_jobs(array(
       select id from graphile_worker.jobs where key = $1), run_at := now() + interval '1 h', attempts := 9)`,
    [`task.work:${idOf(made)}`],
  );

const order = (refs: (number | null)[], refused?: ReadonlyMap<number, ErrorCode>, kind = meters) =>
  inTransaction(database.pool, (tx) =>
    startWork(tx, {
      orgId,
      userId,
      actor,
      type: read.type,
      remark: null,
      parameters: { reason: 'holiday' },
      at: clock.now(),
      kind,
      items: refs.map((ref, index) => ({
        ref,
        label: `meter-${ref ?? `unknown-${index}`}`,
        refused: refused?.get(index),
      })),
      access: null,
    }),
  );
const idOf = ({ reference_id }: { reference_id: string }): number => Number(reference_id.slice(1));
const task = async (id: number) =>
  (await database.pool.query('select * from tasks where id = $1', [id])).rows[0];
const items = async (id: number) =>
  (await database.pool.query('select * from task_items where task_id = $1 order by position', [id])).rows.map(
    ({ ref, state, code }) => [ref, state, code],
  );
const workedOn = async () =>
  (await database.pool.query('select meter, actor, task_id, trace_id from readings order by meter')).rows;
const workJobs = async () =>
  (
    await database.pool.query(
      `select count(*)::int as n from graphile_worker.jobs where task_identifier = 'task.work'`,
    )
  ).rows[0].n;

beforeAll(async () => {
  database = await testDatabase();
  const made = await database.pool.query(
    `with org as (insert into organisations (code, name, country) values ('acme', 'Acme Mobility', 'DE') returning id),
     person as (insert into users (email, first_name, last_name, password_hash)
       values ('ana@acme.example', 'Ana', 'M', '-') returning id)
     select org.id as org, person.id as person from org, person`,
  );
  ({ org: orgId, person: userId } = made.rows[0]);
  await database.pool.query(
    `create table readings (meter bigint primary key, at timestamptz, org_id bigint, reason text, actor text, task_id text,
       trace_id text)`,
  );
});
afterAll(() => database.close());
beforeEach(async () => {
  apply = () => new Map();
  chunks = [];
  await database.pool.query('truncate tasks, task_items, task_files, download_tokens, outbox, readings');
  await database.pool.query(
    'select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))',
  );
});

describe('work on many items', () => {
  it('runs chunk by chunk to its end, each item once, in the name of the person who ordered it', async () => {
    const made = await order([1, 2, 3, 4, 5, 6, 7]);
    expect([made.quantity, await workJobs()]).toEqual([7, 1]);
    await worker().work(idOf(made), context);
    expect(chunks).toEqual([3, 3, 1]);
    expect(await workedOn()).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((meter) => ({
        meter,
        actor: 'Ana M',
        task_id: made.reference_id,
        trace_id: 'trace-1',
      })),
    );
    expect(await task(idOf(made))).toMatchObject({
      status: 'done',
      done: 7,
      result: { accepted: 7, duplicate: 0, refused: 0 },
    });
    await worker().work(idOf(made), context);
    expect(await workedOn()).toHaveLength(7);
  });

  it('reports for each item why it was refused, and ends with issues', async () => {
    apply = (chunk) =>
      new Map(chunk.filter(({ ref }) => ref === 2).map(({ position }) => [position, 'CB-01-0015']));
    const made = await order([1, 2, null], new Map([[2, 'CB-01-0012']]));
    await worker().work(idOf(made), context);
    expect(await items(idOf(made))).toEqual([
      [1, 1, null],
      [2, 2, 'CB-01-0015'],
      [null, 2, 'CB-01-0012'],
    ]);
    expect(await task(idOf(made))).toMatchObject({
      status: 'issues',
      done: 3,
      result: { accepted: 1, refused: 2 },
    });
  });

  it('of one task reserves its items until they are done', async () => {
    const first = await order([1, 2]);
    const second = await order([2, 3]);
    expect(await items(idOf(second))).toEqual([
      [2, 2, 'CB-01-0011'],
      [3, 0, null],
    ]);
    await worker().work(idOf(first), context);
    const third = await order([2]);
    expect(await items(idOf(third))).toEqual([[2, 0, null]]);
  });

  it('distinguishes items of different kinds with the same numbers', async () => {
    const first = await order([1, 2]);
    const second = await order([1, 2], undefined, pumps);
    expect(await items(idOf(second))).toEqual([
      [1, 0, null],
      [2, 0, null],
    ]);
    const busy = (kind: ItemKind, type?: 'cdr-import' | 'sim-export') =>
      listBusy(database.pool, { kind, refs: [1, 2, 3], ...(type && { type }) });
    await worker().work(idOf(first), context);
    expect([await busy(meters), await busy(pumps)]).toEqual([new Set(), new Set([1, 2])]);
    expect([await busy(pumps, 'cdr-import'), await busy(pumps, 'sim-export')]).toEqual([
      new Set([1, 2]),
      new Set(),
    ]);
  });

  it('ordered twice at the same time gives each item to one task', async () => {
    const refs = Array.from({ length: 300 }, (_, i) => i + 1);
    const made = await Promise.all([order(refs), order(refs.toReversed())]);
    const got = await Promise.all(made.map(async (one) => await items(idOf(one))));
    const waiting = got.flatMap((list) => list.filter(([, state]) => state === 0).map(([ref]) => ref));
    expect(waiting.toSorted((a, b) => a - b)).toEqual(refs);
  });

  it('that is interrupted continues there, and repeats nothing', async () => {
    const made = await order([1, 2, 3, 4, 5]);
    apply = (chunk) => {
      if (chunk.some(({ ref }) => ref === 4)) throw new Error('the database went away');
      return new Map();
    };
    await expect(worker().work(idOf(made), context)).rejects.toThrow('went away');
    expect((await workedOn()).map(({ meter }) => meter)).toEqual([1, 2, 3]);
    apply = () => new Map();
    await worker().work(idOf(made), context);
    expect((await workedOn()).map(({ meter }) => meter)).toEqual([1, 2, 3, 4, 5]);
    expect(await task(idOf(made))).toMatchObject({ status: 'done', failures: 0 });
  });

  it('continues with the others when one item always fails', async () => {
    const made = await order([1, 2, 3, 4, 5]);
    apply = (chunk) => {
      if (chunk.some(({ ref }) => ref === 2)) throw new Error('this one');
      return new Map();
    };
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await expect(worker().work(idOf(made), context)).rejects.toThrow('this one');
    }
    await worker().work(idOf(made), context);
    expect((await items(idOf(made)))[1]).toEqual([2, 2, 'CB-99-0500']);
    expect((await workedOn()).map(({ meter }) => meter)).toEqual([1, 3, 4, 5]);
    expect(await task(idOf(made))).toMatchObject({ status: 'issues', result: { accepted: 4, refused: 1 } });
  });

  it('waits for a node of a cluster that is away, however often, and refuses no item for it', async () => {
    const made = await order([1, 2, 3, 4]);
    const lost = { code: '08006', severity: 'ERROR' };
    apply = () => {
      throw Object.assign(new DatabaseError('connection to the remote node failed', 1, 'error'), lost);
    };
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await expect(worker().work(idOf(made), context)).rejects.toThrow('remote node');
      // The queue's pause before the next attempt.
      await postpone(made);
      clock.advance(0.5 * hourMs);
      await sweepTasks({ pool: database.pool, clock });
    }
    expect((await items(idOf(made))).map(([, state]) => state)).toEqual([0, 0, 0, 0]);
    apply = () => new Map();
    await worker().work(idOf(made), context);
    expect(await task(idOf(made))).toMatchObject({ status: 'done', result: { accepted: 4, refused: 0 } });
  });

  it('runs item by item no longer than necessary', async () => {
    const made = await order(Array.from({ length: 12 }, (_, i) => i + 1));
    apply = (chunk) => {
      if (chunk.some(({ ref }) => ref === 2 || ref === 9)) throw new Error('this one');
      return new Map();
    };
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await expect(worker().work(idOf(made), context)).rejects.toThrow('this one');
    }
    chunks = [];
    await worker().work(idOf(made), context);
    // A failing chunk, its three items; a complete chunk; the next failing one, its three items; the last.
    expect(chunks).toEqual([3, 1, 1, 1, 3, 3, 1, 1, 1, 3]);
    expect((await workedOn()).map(({ meter }) => meter)).toEqual([1, 3, 4, 5, 6, 7, 8, 10, 11, 12]);
    expect(await task(idOf(made))).toMatchObject({ status: 'issues', result: { accepted: 10, refused: 2 } });
  });

  it('that was aborted by a deadlock retries its chunk', async () => {
    const made = await order([1, 2, 3, 4]);
    let isGivenUp = false;
    apply = () => {
      if (isGivenUp) return new Map();
      isGivenUp = true;
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    };
    await worker().work(idOf(made), context);
    expect(chunks).toEqual([3, 3, 1]);
    expect(await task(idOf(made))).toMatchObject({ status: 'done', failures: 0 });
  });

  it('by two concurrent workers is done once', async () => {
    const made = await order(Array.from({ length: 50 }, (_, i) => i + 1));
    await Promise.all([worker().work(idOf(made), context), worker().work(idOf(made), context)]);
    expect(await workedOn()).toHaveLength(50);
    expect(await task(idOf(made))).toMatchObject({ status: 'done', done: 50 });
  });

  it('that waits for a worker is not given up, however long', async () => {
    const [waits, failed] = [await order([1, 2]), await order([3])];
    // A task whose next attempt is not due is not waiting for a worker.
    await postpone(failed);
    clock.advance(2 * hourMs);
    await sweepTasks({ pool: database.pool, clock });
    expect(await task(idOf(failed))).toMatchObject({ status: 'issues' });
    expect(await task(idOf(waits))).toMatchObject({ status: 'processing' });
    await worker().work(idOf(waits), context);
    expect(await task(idOf(waits))).toMatchObject({ status: 'done', done: 2 });
  });

  it('that is abandoned releases its items eventually', async () => {
    const made = await order([1, 2]);
    await database.pool.query(
      'select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))',
    );
    clock.advance(2 * hourMs);
    await sweepTasks({ pool: database.pool, clock });
    expect(await task(idOf(made))).toMatchObject({ status: 'issues' });
    const next = await order([1]);
    expect(await items(idOf(next))).toEqual([[1, 0, null]]);
  });
});
