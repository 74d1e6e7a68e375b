import { endpoints } from '@simcube/contract';
import { hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { runJobs } from '../../../testing/jobs.ts';

/** Undoing a resumption that ended what a rule did to the data of SIMs. */

const { sim, task } = endpoints;
type Made = Awaited<ReturnType<typeof makeSim>>;

let test: TestApp;
let acme: { id: number; code: string; tenantId: string };
let operator: TestClient;

beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
  operator = await signedInAs(test, 'operator', acme);
});
afterAll(() => test.close());

const until = () => new Date(test.clock.now().getTime() + 2 * hourMs);
const held = async (
  lifecycle: 'active' | 'paused',
  rateKbps: number | null,
  end = until(),
): Promise<Made> => {
  const made = await makeSim(test.database.pool, acme.id, { lifecycle });
  await test.database.pool.query('update sim_live set held_until = $2, held_kbps = $3 where sim_id = $1', [
    made.id,
    end,
    rateKbps,
  ]);
  return made;
};
const stateOf = async ({ id }: Made) => {
  const { pool } = test.database;
  const { rows } = await pool.query(
    `select s.lifecycle, l.held_until as until, l.held_kbps as kbps from sims s join sim_live l on l.sim_id = s.id
     where s.id = $1`,
    [id],
  );
  // Apart: on a cluster, events are on the nodes.
  const events = await pool.query('select kind from sim_events where sim_id = $1 order by id desc limit 1', [
    id,
  ]);
  return { ...rows[0], last: events.rows[0]?.kind ?? null };
};
const work = () => runJobs(test.database, test.wiring.jobs);
const resume = async (...sims: Made[]): Promise<string> => {
  const selection = { iccids: sims.map(({ iccid }) => iccid) };
  const { body } = await operator.call(sim.resume, { body: { selection } });
  await work();
  return body.data.task?.reference_id ?? '';
};
const undo = async (taskReference: string): Promise<string> => {
  const { body } = await operator.call(task.undo, { params: { taskReference } });
  await work();
  return body.data.reference_id;
};
const refusals = async (taskReference: string) =>
  (
    await operator.call(task.listItems, { params: { taskReference }, query: { page_size: 100 } })
  ).body.data.map(({ code }) => code);

it('stops or slows the data again until the same end, and pauses what was paused; that can be undone, too', async () => {
  const [off, slow, both] = [
    await held('active', null),
    await held('active', 128),
    await held('paused', null),
  ];
  const end = until();
  const undone = await undo(await resume(off, slow, both));
  expect(await stateOf(off)).toEqual({ lifecycle: 23, until: end, kbps: null, last: 'data-off' });
  expect(await stateOf(slow)).toEqual({ lifecycle: 23, until: end, kbps: 128, last: 'data-slowed' });
  expect(await stateOf(both)).toEqual({ lifecycle: 30, until: end, kbps: null, last: 'data-off' });
  await undo(undone);
  for (const one of [off, slow, both])
    expect(await stateOf(one)).toMatchObject({ lifecycle: 23, until: null, kbps: null });
});

it('is refused for SIMs whose data a rule has changed since, or would be free by now', async () => {
  const [over, changed] = [
    await held('active', null),
    await held('active', 128, new Date(until().getTime() + hourMs)),
  ];
  const first = await resume(over, changed);
  await test.database.pool.query(
    `insert into sim_events (sim_id, org_id, at, kind, facts, actor) values ($1, $2, $3, 'data-off', '{}', 'Rule')`,
    [changed.id, acme.id, test.clock.now()],
  );
  test.clock.advance(2 * hourMs);
  expect(await refusals(await undo(first))).toEqual(['CB-01-0029', 'CB-01-0029']);
  expect(await stateOf(over)).toMatchObject({ until: null });
});
