import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { liveEventsOf } from '../../../platform/outbox/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { taskModule } from '../../task/index.ts';
import { importSimsAsTask } from './sim-import.task.ts';

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
  database.pool.query('truncate tasks, outbox, sims, sim_live, org_sim_counts, bundle_orders cascade'),
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

describe('an import of SIMs for a person', () => {
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

  it('that fails says why, also if its task can’t be ended', async () => {
    const failing = importSimsAsTask(
      {
        beginForPerson: async () => ({
          reportProgress: async () => undefined,
          finish: async () => {
            throw new Error('the database ended');
          },
        }),
      },
      {
        pool: database.pool,
        clock,
        email,
        name: 'sims.csv',
        open: () => Readable.from([Buffer.from('no header')]),
        onRefused: () => undefined,
      },
    );
    await expect(failing).rejects.not.toThrow('the database ended');
  });

  it('shows its progress by chunk, and its result', async () => {
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

  it('is done when all lines are imported or duplicates', async () => {
    await takeSims(simFile(3));
    await takeSims(simFile(3));
    expect(await tasks()).toMatchObject([
      { status: 'done', done: 3, result: { accepted: 3, duplicate: 0, refused: 0 } },
      { status: 'done', done: 3, result: { accepted: 0, duplicate: 3, refused: 0 } },
    ]);
  });

  it('that is interrupted ends its task with issues', async () => {
    await expect(takeSims('no,such,columns\n1,2,3\n')).rejects.toThrow('unknown columns');
    expect(await tasks()).toMatchObject([{ status: 'issues', result: null, ended_at: at }]);
  });

  it('needs a person with a membership', async () => {
    await expect(takeSims(simFile(1), 'nobody@acme.example')).rejects.toThrow(
      'No person with the email address',
    );
    expect(await tasks()).toEqual([]);
    expect((await database.pool.query('select from sims')).rowCount).toBe(0);
  });
});
