import { endpoints } from '@simcube/contract';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sentenceOf } from '../../../platform/cli/index.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { taskCommands } from '../../task/index.ts';

const { sim, task } = endpoints;

let test: TestApp;
let acme: { id: number; code: string; tenantId: string };

beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
});
afterAll(() => test.close());

const work = () => runJobs(test.database, test.wiring.jobs);
const query = async (text: string, values: unknown[] = []) =>
  (await test.database.pool.query(text, values)).rows;
const suspend = async (person: TestClient, selection: { iccids: string[] } | { filter: object }) => {
  const { body } = await person.call(sim.suspend, { body: { selection, preview: false } });
  return body.data.task?.reference_id ?? '';
};

it('an undo is done for a person by the operator, whatever that person’s permissions', async () => {
  const person = await signedInAs(test, 'operator', acme);
  const { iccid } = await makeSim(test.database.pool, acme.id);
  const first = await suspend(person, { iccids: [iccid] });
  await work();
  await query(`update memberships set role = 'user' where user_id = $1`, [person.userId]);
  const said: string[] = [];
  const info = vi.spyOn(console, 'info').mockImplementation((line: string) => void said.push(line));
  const run = async (...args: string[]) => {
    const program = new Command().exitOverride();
    taskCommands(program, async () => ({
      pool: test.database.pool,
      clock: test.clock,
      task: test.wiring.task,
      close: async () => undefined,
    }));
    await program.parseAsync(['node', 'simcube', 'tasks', 'undo', ...args]).catch((error: unknown) => {
      throw new Error(sentenceOf(error));
    });
  };
  await run(first);
  await expect(run(first)).rejects.toThrow('This task has already been undone.');
  info.mockRestore();
  await work();
  expect(said).toEqual([expect.stringMatching(/^T\d{8}\t1 items$/)]);
  expect(await query('select lifecycle from sims where iccid = $1', [iccid])).toEqual([{ lifecycle: 23 }]);
  const mine = await person.call(task.getMine, { params: { taskReference: said[0]?.slice(0, 9) ?? '' } });
  expect(mine.body.data).toMatchObject({ type: 'sim-undo', undoes: first });
  expect(
    await query(`select actor_kind from audit_entries where action = 'task.undone' and subject_id = $1`, [
      first,
    ]),
  ).toEqual([{ actor_kind: 'operator' }]);
});

it('an undo of 10,000 SIMs is fast', async () => {
  const count = 10_000;
  const org = await makeOrganisation(test, { code: 'large' });
  const person = await signedInAs(test, 'operator', org);
  await query(
    `with made as (
       insert into sims (org_id, iccid, imsi, lifecycle)
       select $1::bigint, '8949' || lpad(n::text, 15, '0'), '26299' || lpad(n::text, 10, '0'), 23
       from generate_series(1, $2::int) n returning id)
     insert into sim_live (sim_id, org_id) select id, $1::bigint from made`,
    [org.id, count],
  );
  await query('insert into org_sim_counts values ($1, 23, $2)', [org.id, count]);
  const taskReference = await suspend(person, { filter: {} });
  const timed = async (run: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await run();
    return performance.now() - start;
  };
  const ordering = await timed(work);
  const accepting = await timed(() => person.call(task.undo, { params: { taskReference } }));
  const undoing = await timed(work);
  expect(
    await query('select lifecycle, sims from org_sim_counts where org_id = $1 and sims > 0', [org.id]),
  ).toEqual([{ lifecycle: 23, sims: count }]);
  expect(accepting).toBeLessThan(5000);
  // It also reads the events; otherwise it is the same work.
  expect(undoing).toBeLessThan(3 * ordering + 1000);
}, 60_000);
