import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrganisation, signedInAs, type TestApp, testApp } from '../../testing/app.ts';
import { makeSim } from '../../testing/inventory.ts';
import { runProgram } from '../../testing/run-program.ts';

const simCount = 2500;
const now = '2026-11-23T05:30:20Z';
/** 06:30 in Madrid. */
const due = '2026-11-23T05:30:00Z';

let test: TestApp;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-11-23T05:00:00Z');
});
afterAll(() => test.close());

/** A schedule with all SIMs of a separate organisation, one of which has no number. */
const scheduled = async (code: string): Promise<{ id: number; orgId: number }> => {
  const { pool } = test.database;
  const org = await makeOrganisation(test, { code });
  await pool.query(
    `with made as (
       insert into sims (org_id, iccid, imsi, msisdn, lifecycle)
       select $1::bigint, '8949' || lpad(($1::bigint * 100000 + n)::text, 15, '0'),
         '26202' || lpad(($1::bigint * 100000 + n)::text, 10, '0'), '49' || ($1::bigint * 100000 + n), 23
       from generate_series(1, $2::int) n returning id)
     insert into sim_live (sim_id, org_id) select id, $1::bigint from made`,
    [org.id, simCount],
  );
  await makeSim(pool, org.id);
  const operator = await signedInAs(test, 'operator', org);
  const body = {
    name: code,
    content: '#CLK',
    time_zone: 'Europe/Madrid',
    groupId: null,
    only_failures: false,
    when: { mode: 'once' as const, at: '2026-11-23T06:30' },
    selection: { filter: {} },
  };
  const { data } = (await operator.call(endpoints.schedule.create, { body })).body;
  expect(data.sims).toBe(simCount + 1);
  return { id: Number(data.id), orgId: org.id };
};

const kept = async ({ id, orgId }: { id: number; orgId: number }) => {
  const { rows } = await test.database.pool.query(
    `select (select array_agg(state || ' ' || run_at) from schedule_runs where schedule_id = $1) as runs,
       (select count(*)::int from tasks where org_id = $2) as tasks,
       (select count(*)::int from sms_messages where org_id = $2 and scheduled) as messages,
       (select count(distinct sim_id)::int from sms_messages where org_id = $2) as sims,
       (select parts from sms_quota_spent where org_id = $2) as spent,
       (select array_agg(distinct code) from task_items i join tasks t on t.id = i.task_id
          where t.org_id = $2 and code is not null) as refusals,
       (select count(*)::int from task_items i join tasks t on t.id = i.task_id
          where t.org_id = $2 and code is not null) as refused`,
    [id, orgId],
  );
  return rows[0];
};

describe('a run of a schedule', () => {
  it.each([
    ['statement', 4],
    ['after-commit', 1],
    ['statement', 40],
    ['before-commit', 3],
  ])(
    'is made once, with one message or a reason for each SIM, by two processes after one that was killed (%s, %i)',
    async (step, count) => {
      const made = await scheduled(`o-${step}-${count}`);
      const { url } = test.database;
      expect(await runProgram('schedule-steps', [url, now, step, String(count)])).toBe('SIGKILL');
      const after = [url, now, 'none'];
      expect(
        await Promise.all([runProgram('schedule-steps', after), runProgram('schedule-steps', after)]),
      ).toEqual([0, 0]);
      expect(await kept(made)).toEqual({
        runs: [`started ${due.replace('T', ' ').replace('Z', '+00')}`],
        tasks: 1,
        messages: simCount,
        sims: simCount,
        spent: simCount,
        refusals: ['CB-04-0003'],
        refused: 1,
      });
    },
    60_000,
  );
});
