import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../platform/db/index.ts';
import { liveEventsOf } from '../../platform/outbox/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { endTask, startTask, sweepTasks, updateTaskProgress } from './task.service.ts';

const at = new Date('2026-11-21T12:00:00Z');
let database: Database;
let orgId: number;
let userId: string;

beforeAll(async () => {
  database = await testDatabase();
  const made = await database.pool.query(
    `with org as (insert into organisations (code, name, country) values ('acme', 'Acme Mobility', 'DE') returning id),
     person as (insert into users (email, first_name, last_name, password_hash) values ('ana@acme.example', 'Ana', 'M', '-') returning id)
     select org.id as org, person.id as person from org, person`,
  );
  ({ org: orgId, person: userId } = made.rows[0]);
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('truncate tasks, task_items, task_files, download_tokens, outbox'));

const start = (quantity = 10) =>
  inTransaction(database.pool, (tx) =>
    startTask(tx, { orgId, userId, type: 'sim-import', quantity, remark: null, at }),
  );

/** Live events about tasks that the organisation's streams showed. */
const shown = async () => {
  const { rows } = await database.pool.query(
    `select topic, org_id, payload from outbox where topic = 'task.progressed' order by xact, id`,
  );
  expect(rows.every((row) => row.org_id === orgId)).toBe(true);
  return rows.flatMap(({ topic, payload }) => liveEventsOf(topic, payload));
};

const tasks = async () => (await database.pool.query('select * from tasks order by id')).rows;

describe('a task', () => {
  it('reports its start, progress and end, and nothing after that', async () => {
    const id = await start();
    const { pool } = database;
    await inTransaction(pool, (tx) => updateTaskProgress(tx, { id, done: 4, quantity: 10, at }));
    await inTransaction(pool, (tx) => endTask(tx, { id, status: 'done', result: null, at }));
    await inTransaction(pool, (tx) => updateTaskProgress(tx, { id, done: 9, quantity: 10, at }));
    await inTransaction(pool, (tx) => endTask(tx, { id, status: 'issues', result: null, at }));
    const fact = { id: expect.stringMatching(/^T\d{8}$/), userId, type: 'sim-import', quantity: 10 };
    expect(await shown()).toEqual([
      { name: 'task.progress', data: { ...fact, status: 'processing', done: 0 } },
      { name: 'task.progress', data: { ...fact, status: 'processing', done: 4 } },
      { name: 'task.progress', data: { ...fact, status: 'done', done: 4 } },
    ]);
  });

  it('ends with issues after an hour without progress', async () => {
    const silent = await start();
    const moving = await start();
    const later = new FixedClock('2026-11-21T13:00:01Z');
    await inTransaction(database.pool, (tx) =>
      updateTaskProgress(tx, { id: moving, done: 1, quantity: 10, at: later.now() }),
    );
    await sweepTasks({ pool: database.pool, clock: later });
    expect(await tasks()).toMatchObject([
      { id: silent, status: 'issues', ended_at: later.now() },
      { id: moving, status: 'processing', ended_at: null },
    ]);
  });
});
