import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../platform/db/index.ts';
import { liveEventsOf } from '../../platform/outbox/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { importSimsAsTask } from '../sim/import/sim-import.task.ts';
import { importCdrsAsTask } from '../usage/cdr-file/import.task.ts';
import { taskModule } from './index.ts';
import { endTask, moveTask, startTask, sweepTasks } from './task.service.ts';

const email = 'ana@acme.example';
const at = new Date('2026-11-21T12:00:00Z');
const clock = new FixedClock(at);
let database: Database;
let orgId: number;
let userId: string;

beforeAll(async () => {
  database = await testDatabase();
  const made = await database.pool.query(
    `with org as (insert into organisations (code, name, country) values ('acme', 'Acme Mobility', 'DE') returning id),
     person as (insert into users (email, first_name, last_name, password_hash) values ($1, 'Ana', 'M', '-') returning id),
     member as (insert into memberships (user_id, org_id, role, is_default)
       select person.id, org.id, 'admin', true from person, org)
     select org.id as org, person.id as person from org, person`,
    [email],
  );
  ({ org: orgId, person: userId } = made.rows[0]);
});
afterAll(() => database.close());
beforeEach(() =>
  database.pool.query(
    'truncate tasks, task_items, task_files, download_tokens, outbox, sims, sim_live, org_sim_counts, bundle_orders',
  ),
);

const start = (quantity = 10) =>
  inTransaction(database.pool, (tx) =>
    startTask(tx, { orgId, userId, type: 'sim-import', quantity, remark: null, at }),
  );

/** What live streams of the organisation showed of tasks. */
const shown = async () => {
  const { rows } = await database.pool.query(
    `select topic, org_id, payload from outbox where topic = 'task.progressed' order by xact, id`,
  );
  expect(rows.every((row) => row.org_id === orgId)).toBe(true);
  return rows.flatMap(({ topic, payload }) => liveEventsOf(topic, payload));
};

const tasks = async () => (await database.pool.query('select * from tasks order by id')).rows;

describe('a task', () => {
  it('tells that it began, moved and ended; once ended, nothing more', async () => {
    const id = await start();
    const { pool } = database;
    await inTransaction(pool, (tx) => moveTask(tx, { id, done: 4, quantity: 10, at }));
    await inTransaction(pool, (tx) => endTask(tx, { id, status: 'done', result: null, at }));
    await inTransaction(pool, (tx) => moveTask(tx, { id, done: 9, quantity: 10, at }));
    await inTransaction(pool, (tx) => endTask(tx, { id, status: 'issues', result: null, at }));
    const fact = { id: expect.stringMatching(/^T\d{8}$/), userId, type: 'sim-import', quantity: 10 };
    expect(await shown()).toEqual([
      { name: 'task.progress', data: { ...fact, status: 'processing', done: 0 } },
      { name: 'task.progress', data: { ...fact, status: 'processing', done: 4 } },
      { name: 'task.progress', data: { ...fact, status: 'done', done: 4 } },
    ]);
  });

  it('ends with issues when nothing has moved it for an hour', async () => {
    const silent = await start();
    const moving = await start();
    const later = new FixedClock('2026-11-21T13:00:01Z');
    await inTransaction(database.pool, (tx) =>
      moveTask(tx, { id: moving, done: 1, quantity: 10, at: later.now() }),
    );
    await sweepTasks({ pool: database.pool, clock: later });
    expect(await tasks()).toMatchObject([
      { id: silent, status: 'issues', ended_at: later.now() },
      { id: moving, status: 'processing', ended_at: null },
    ]);
  });
});

describe('an import for a person', () => {
  const begin = () => taskModule({ pool: database.pool, clock, operations: [], fileWorks: [] });
  const iccid = (number: number) => `8986${String(number).padStart(15, '0')}`;
  const simFile = (rows: number, more = '') =>
    `iccid,imsi,organisation_code\n${Array.from({ length: rows }, (_, i) => `${iccid(i)},26202${String(i).padStart(10, '0')},acme\n`).join('')}${more}`;
  const takeSims = (text: string, whose = email) =>
    importSimsAsTask(begin(), {
      pool: database.pool,
      clock,
      email: whose,
      name: 'sims.csv',
      open: () => Readable.from([Buffer.from(text)]),
      onRefused: () => undefined,
    });

  it('of SIMs shows its progress by the chunk, and what came of it', async () => {
    await takeSims(simFile(10_005, 'rubbish,,acme'));
    const moves = (await shown()).map(({ data }) => data);
    expect(moves).toMatchObject([
      { status: 'processing', done: 0, quantity: 10_006 },
      { status: 'processing', done: 5000, quantity: 10_006 },
      { status: 'processing', done: 10_000, quantity: 10_006 },
      { status: 'processing', done: 10_006, quantity: 10_006 },
      { status: 'processing', done: 10_006, quantity: 10_006 },
      { status: 'issues', done: 10_006, quantity: 10_006 },
    ]);
    expect(await tasks()).toMatchObject([
      {
        user_id: userId,
        remark: 'sims.csv',
        status: 'issues',
        result: { accepted: 10_005, duplicate: 0, refused: 1 },
      },
    ]);
  });

  it('is done when all went well, duplicates too', async () => {
    await takeSims(simFile(3));
    await takeSims(simFile(3));
    expect(await tasks()).toMatchObject([
      { status: 'done', done: 3, result: { accepted: 3, duplicate: 0, refused: 0 } },
      { status: 'done', done: 3, result: { accepted: 0, duplicate: 3, refused: 0 } },
    ]);
  });

  it('that breaks off ends its task with issues', async () => {
    await expect(takeSims('no,such,columns\n1,2,3\n')).rejects.toThrow('not known');
    expect(await tasks()).toMatchObject([{ status: 'issues', result: null, ended_at: at }]);
  });

  it('needs somebody who belongs somewhere', async () => {
    await expect(takeSims(simFile(1), 'nobody@acme.example')).rejects.toThrow('Nobody with the address');
    expect(await tasks()).toEqual([]);
    expect((await database.pool.query('select from sims')).rowCount).toBe(0);
  });

  it('of usage records counts its lines', async () => {
    await takeSims(simFile(1));
    const text = `iccid,started_at,ended_at,up_bytes,down_bytes\n${iccid(0)},2026-11-20T10:00:00Z,2026-11-20T10:05:00Z,10,20\nunknown,2026-11-20T10:00:00Z,2026-11-20T10:05:00Z,1,2\n`;
    await importCdrsAsTask(begin(), {
      pool: database.pool,
      clock,
      email,
      source: {
        name: 'cdrs.csv',
        size: text.length,
        hash: Buffer.alloc(32, 1),
        open: async function* (from) {
          yield Buffer.from(text).subarray(from);
        },
      },
    });
    expect((await tasks()).at(-1)).toMatchObject({
      type: 'cdr-import',
      remark: 'cdrs.csv',
      status: 'issues',
      quantity: 2,
      done: 2,
      result: { accepted: 1, duplicate: 0, refused: 1 },
    });
  });
});
