import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../../platform/access/index.ts';
import { systemClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { runProgram } from '../../../testing/run-program.ts';
import { taskModule } from '../../task/index.ts';
import { createOrdering } from '../ordering/ordering.service.ts';
import { suspendRule } from '../ordering/sim-operation.rules.ts';
import { simsPerChunk } from '../ordering/work.service.ts';
import { suspendOperation } from './lifecycle.operations.ts';
import { undoOperation } from './undo.operation.ts';

/** Two chunks and a part of a third. */
const simCount = 2 * simsPerChunk + 100;
const actor: Actor = {
  kind: 'operator',
  id: null,
  name: 'operator',
  address: null,
  traceId: null,
  action: 'task.undone',
};
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** An organisation with active SIMs, all of which a person has ordered to be suspended. */
const orderedWork = async (code: string): Promise<number> => {
  const { pool } = database;
  const made = await pool.query<{ org: number; person: string }>(
    `with org as (insert into organisations (code, name, country) values ($1, $1, 'DE') returning id),
     person as (
       insert into users (email, first_name, last_name, password_hash) values ($1 || '@acme.example', 'Ana', 'M', '-')
       returning id)
     select org.id as org, person.id as person from org, person`,
    [code],
  );
  const { org = 0, person = '' } = made.rows[0] ?? {};
  await pool.query(
    `with made as (
       insert into sims (org_id, iccid, imsi, lifecycle)
       select $1::bigint, '8949' || lpad(($1::bigint * 100000 + n)::text, 15, '0'),
         '26202' || lpad(($1::bigint * 100000 + n)::text, 10, '0'), 23
       from generate_series(1, $2::int) n returning id)
     insert into sim_live (sim_id, org_id) select id, $1::bigint from made`,
    [org, simCount],
  );
  await pool.query('insert into org_sim_counts values ($1, 23, $2)', [org, simCount]);
  const ordering = createOrdering({ pool, clock: systemClock });
  await ordering.accept(
    { org: { id: org }, userId: person, actor, language: 'en-US' },
    { rule: suspendRule, parameters: {}, remark: null, selected: { filter: {} } },
  );
  return org;
};

describe('a worker that is killed', () => {
  it.each([
    ['statement', 4],
    ['statement', 13],
    ['statement', 20],
    ['before-commit', 3],
    ['after-commit', 2],
  ])(
    'while it works on thousands of SIMs (%s, %i) does each once, after a restart',
    async (step, count) => {
      const orgId = await orderedWork(`o-${step}-${count}`);
      const args = (name: string) => [database.url, name, String(count)];
      expect(await runProgram('sim-work-steps', args(step))).toBe('SIGKILL');
      expect(await runProgram('sim-work-steps', args('none'))).toBe(0);
      const { rows } = await database.pool.query(
        `select (select count(*) from sims where org_id = $1 and lifecycle = 30) as paused,
         (select count(*) from sim_events where org_id = $1) as events,
         (select count(distinct sim_id) from sim_events where org_id = $1) as sims,
         (select sims from org_sim_counts where org_id = $1 and lifecycle = 30) as counted,
         (select coalesce(sum(jsonb_array_length(payload->'sims')), 0)::int from outbox
            where org_id = $1 and topic = 'sim.lifecycle-changed') as facts,
         (select count(*) from task_items i join tasks t on t.id = i.task_id where t.org_id = $1 and i.state = 1) as done,
         (select status from tasks where org_id = $1) as status`,
        [orgId],
      );
      expect(rows).toEqual([
        {
          paused: simCount,
          events: simCount,
          sims: simCount,
          counted: simCount,
          facts: simCount,
          done: simCount,
          status: 'done',
        },
      ]);
    },
    60_000,
  );
});

describe('a worker that is killed', () => {
  const undoing = [
    ['statement', 13],
    ['statement', 21],
    ['before-commit', 3],
    ['after-commit', 2],
  ] as const;
  /** Organisations whose SIMs are suspended, one for each kill. */
  const orgIds: number[] = [];
  beforeAll(async () => {
    for (const [step, count] of undoing) orgIds.push(await orderedWork(`u-${step}-${count}`));
    expect(await runProgram('sim-work-steps', [database.url, 'none', '1'])).toBe(0);
  });

  it.each(undoing)(
    'while it undoes that (%s, %i) gives each back once, after a restart',
    async (step, count) => {
      const orgId = orgIds.shift() ?? 0;
      const args = (name: string) => [database.url, name, String(count)];
      const { pool } = database;
      const { rows: tasks } = await pool.query<{ id: number }>('select id from tasks where org_id = $1', [
        orgId,
      ]);
      const operations = [suspendOperation, undoOperation];
      const { undo } = taskModule({ pool, clock: systemClock, operations, fileWorks: [] });
      await undo(tasks[0]?.id, { actor });
      expect(await runProgram('sim-work-steps', args(step))).toBe('SIGKILL');
      expect(await runProgram('sim-work-steps', args('none'))).toBe(0);
      const { rows } = await pool.query(
        `select (select count(*) from sims where org_id = $1 and lifecycle = 23) as active,
         (select count(*) from sim_events where org_id = $1 and facts ->> 'reason' = 'undone') as events,
         (select sims from org_sim_counts where org_id = $1 and lifecycle = 23) as counted,
         (select count(*) from task_items i join tasks t on t.id = i.task_id
            where t.org_id = $1 and t.undoes is not null and i.state = 1 and i.before = '{"lifecycle":"paused"}') as done,
         (select undoable from tasks where org_id = $1 and undoes is not null) as undoable,
         (select array_agg(status) from tasks where org_id = $1) as statuses`,
        [orgId],
      );
      expect(rows).toEqual([
        {
          active: simCount,
          events: simCount,
          counted: simCount,
          done: simCount,
          undoable: simCount,
          statuses: ['done', 'done'],
        },
      ]);
    },
    60_000,
  );
});
