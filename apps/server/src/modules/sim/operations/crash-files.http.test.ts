import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { runProgram } from '../../../testing/run-program.ts';
import { upload } from '../../../testing/upload.ts';
import { simsPerChunk } from '../ordering/work.service.ts';

const { sim } = endpoints;
/** Two chunks and a part of a third. */
const simCount = 2 * simsPerChunk + 100;

let test: TestApp;

beforeAll(async () => {
  test = await testApp();
});
afterAll(() => test.close());

interface Fleet {
  org: { id: number; code: string; tenantId: string };
  admin: TestClient;
  iccids: string[];
}

/** An organisation with thousands of tagged SIMs, and one of its admins. */
const fleetOf = async (code: string): Promise<Fleet> => {
  const org = await makeOrganisation(test, { code });
  const { pool } = test.database;
  const { rows } = await pool.query<{ iccid: string }>(
    `with made as (
       insert into sims (org_id, iccid, imsi, lifecycle, tags, notes)
       select $1::bigint, '8949' || lpad(($1::bigint * 100000 + n)::text, 15, '0'),
         '26202' || lpad(($1::bigint * 100000 + n)::text, 10, '0'), 23, '{old}', repeat('long ', 80)
       from generate_series(1, $2::int) n returning id, iccid),
     live as (insert into sim_live (sim_id, org_id) select id, $1::bigint from made)
     select iccid from made order by id`,
    [org.id, simCount],
  );
  await pool.query('insert into org_sim_counts values ($1, 23, $2)', [org.id, simCount]);
  await pool.query(`insert into org_tags (org_id, tag, sims) values ($1, 'old', $2)`, [org.id, simCount]);
  return { org, admin: await signedInAs(test, 'admin', org), iccids: rows.map(({ iccid }) => iccid) };
};

/** Lets workers continue the open task and die at these steps, then lets one complete it. */
const workAndDie = async (steps: readonly (readonly [string, number])[]): Promise<void> => {
  const { url } = test.database;
  for (const [step, count] of steps) {
    expect(await runProgram('sim-work-steps', [url, step, String(count)])).toBe('SIGKILL');
  }
  expect(await runProgram('sim-work-steps', [url, 'none', '1'])).toBe(0);
};
/** Within the first chunk, at the end of the second, after it. */
const inChunks = [
  ['statement', 11],
  ['before-commit', 3],
  ['after-commit', 2],
] as const;

const one = async (text: string, values: unknown[]) => (await test.database.pool.query(text, values)).rows[0];
const taskOf = (orgId: number) =>
  one(
    `select t.status, t.done, (select count(*)::int from task_items i where i.task_id = t.id and i.state = 1) as items
     from tasks t where t.org_id = $1`,
    [orgId],
  );

it('a transfer whose worker is killed within and between chunks moves each SIM once', async () => {
  const { org, admin } = await fleetOf('from');
  const to = await makeOrganisation(test, { code: 'to' });
  await test.wiring.org.addMembership(test.database.pool, {
    userId: admin.userId,
    orgId: to.id,
    role: 'admin',
    oversight: false,
  });
  const { http } = await admin.call(sim.transfer, {
    body: { target_code: 'to', selection: { filter: {} }, preview: false },
  });
  expect(http).toBe(200);
  await workAndDie(inChunks);
  const facts = (side: string) =>
    `(select coalesce(sum(jsonb_array_length(payload->'sims')), 0)::int from outbox
      where topic = 'sim.transferred' and payload->>'side' = '${side}')`;
  expect(
    await one(
      `select (select count(*)::int from sims where org_id = $2) as moved,
         (select count(*)::int from sim_live where org_id = $2) as live,
         (select count(*)::int from sim_events where kind = 'transferred' and org_id = $1) as gone,
         (select count(*)::int from sim_events where kind = 'transferred' and org_id = $2) as come,
         (select count(distinct sim_id)::int from sim_events where kind = 'transferred') as sims,
         (select sims::int from org_sim_counts where org_id = $1 and lifecycle = 23) as "countedHere",
         (select sims::int from org_sim_counts where org_id = $2 and lifecycle = 23) as "countedThere",
         (select sum(sims)::int from org_tags where org_id = $2 and tag = 'old') as tagged,
         ${facts('from')} as "factsFrom", ${facts('to')} as "factsTo"`,
      [org.id, to.id],
    ),
  ).toEqual({
    moved: simCount,
    live: simCount,
    gone: simCount,
    come: simCount,
    sims: simCount,
    countedHere: 0,
    countedThere: simCount,
    tagged: simCount,
    factsFrom: simCount,
    factsTo: simCount,
  });
  expect(await taskOf(org.id)).toEqual({ status: 'done', done: simCount, items: simCount });
}, 180_000);

it('an upload of info whose worker is killed within and between chunks changes each SIM once', async () => {
  const { org, admin, iccids } = await fleetOf('info');
  const lines = iccids.map((iccid, index) => `${iccid},Device ${index},new`);
  const { body } = await upload(test, admin, {
    endpoint: sim.parseInfo,
    params: { orgCode: org.code },
    name: 'info.csv',
    content: ['ICCID,Device name,Tags', ...lines].join('\r\n'),
  });
  const { http } = await admin.call(sim.updateInfo, {
    params: { orgCode: org.code },
    body: { upload_id: body.data?.upload_id ?? '' },
  });
  expect(http).toBe(200);
  await workAndDie(inChunks);
  expect(
    await one(
      `select (select count(*)::int from sims s join unnest($2::text[]) with ordinality as w (iccid, n) using (iccid)
           where s.device_name = 'Device ' || (w.n - 1) and s.tags = '{new}') as right,
         (select count(distinct sim_id)::int from sim_events where org_id = $1) as sims,
         (select count(*)::int from (select from sim_events where org_id = $1 group by sim_id, kind having count(*) > 1) d)
           as twice,
         (select coalesce(sum(sims), 0)::int from org_tags where org_id = $1 and tag = 'old') as old,
         (select sims::int from org_tags where org_id = $1 and tag = 'new') as new`,
      [org.id, iccids],
    ),
  ).toEqual({ right: simCount, sims: simCount, twice: 0, old: 0, new: simCount });
  expect(await taskOf(org.id)).toEqual({ status: 'done', done: simCount, items: simCount });
}, 180_000);

it('an export whose worker is killed between the parts of its file is complete, each SIM once', async () => {
  const { org, admin, iccids } = await fleetOf('export');
  const { http } = await admin.call(sim.exportList, { body: { selection: { filter: {} }, format: 'csv' } });
  expect(http).toBe(200);
  // Before the first part, between parts, and before the end is stored.
  await workAndDie([
    ['alone', 3],
    ['alone', 6],
    ['before-commit', 4],
  ]);
  const { rows } = await test.database.pool.query<{ content: Buffer; status: string; bytes: number }>(
    `select f.content, t.status, t.report_bytes::int as bytes from tasks t join task_files f on f.task_id = t.id
     where t.org_id = $1 order by f.part`,
    [org.id],
  );
  expect(rows.length).toBeGreaterThan(3);
  const file = Buffer.concat(rows.map(({ content }) => content));
  expect(rows[0]).toMatchObject({ status: 'done', bytes: file.length });
  const lines = file.toString('utf8').trim().split('\n').slice(1);
  expect(lines).toHaveLength(simCount);
  expect(new Set(lines.map((line) => /\d{19}/.exec(line)?.[0]))).toEqual(new Set(iccids));
}, 180_000);
