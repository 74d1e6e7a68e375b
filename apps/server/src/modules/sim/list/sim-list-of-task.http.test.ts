import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { runJobs } from '../../../testing/jobs.ts';

const { sim, task } = endpoints;

let test: TestApp;
let acme: { id: number; code: string; tenantId: string };
let branch: { id: number; code: string; tenantId: string };
let admin: TestClient;
let there: TestClient;

beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
  branch = await makeOrganisation(test, { code: 'branch' });
  admin = await signedInAs(test, 'admin', acme);
  there = await signedInAs(test, 'admin', branch);
  for (const [{ userId }, { id: orgId }] of [
    [admin, branch],
    [there, acme],
  ] as const) {
    await test.wiring.org.addMembership(test.database.pool, {
      userId,
      orgId,
      role: 'admin',
      oversight: false,
    });
  }
});
afterAll(() => test.close());

type Sim = { iccid: string };
const make = (facts: Parameters<typeof makeSim>[2] = {}) => makeSim(test.database.pool, acme.id, facts);
const done = async (
  ordered: Promise<{ body: { data: { task: { reference_id: string } | null } } }>,
): Promise<string> => {
  const reference = (await ordered).body.data.task?.reference_id ?? 'none';
  await runJobs(test.database, test.wiring.jobs);
  return reference;
};
const selected = (sims: readonly Sim[]) => ({
  selection: { iccids: sims.map(({ iccid }) => iccid) },
  preview: false,
});
const suspend = (sims: readonly Sim[]) => done(admin.call(sim.suspend, { body: selected(sims) }));
const resume = (sims: readonly Sim[]) => done(admin.call(sim.resume, { body: selected(sims) }));
const transfer = (sims: readonly Sim[], by: TestClient, target_code: string) =>
  done(by.call(sim.transfer, { body: { target_code, ...selected(sims) } }));

describe('the SIM list of a task', () => {
  const listed = async (reference: string, by: TestClient = admin) => {
    const { body } = await by.call(sim.list, { body: { task: reference, sort: 'iccid' } });
    return body.data.map(({ iccid }) => iccid);
  };

  it('has its SIMs, whatever their result, page by page, and only those', async () => {
    const sims = [await make(), await make({ lifecycle: 'paused' }), await make()];
    await make();
    const reference = await suspend(sims);
    expect(await listed(reference)).toEqual(sims.map(({ iccid }) => iccid));
    const page = async (more: object) =>
      (await admin.call(sim.list, { body: { task: reference, sort: 'iccid', page_size: 2, ...more } })).body;
    const first = await page({});
    expect([first.total_count, first.data.length]).toEqual([3, 2]);
    const rest = await page({ cursor: first.next_cursor });
    expect(rest.data.map(({ iccid }) => iccid)).toEqual([sims[2]?.iccid]);
    expect(
      (await admin.call(sim.list, { body: { task: reference, lifecycle: ['active'] } })).body.data,
    ).toEqual([]);
  });

  it('has none of another organisation’s task, and none that was transferred since', async () => {
    const [stays, gone, back] = [await make(), await make(), await make()];
    const reference = await suspend([stays, gone, back]);
    await resume([gone, back]);
    test.clock.advance(60_000);
    await transfer([gone, back], admin, 'branch');
    expect(await listed(reference, there)).toEqual([]);
    await transfer([back], there, 'acme');
    expect(await listed(reference)).toEqual([stays.iccid]);
    expect(await listed(reference, there)).toEqual([]);
    expect(await listed('T99999999')).toEqual([]);
  });

  it('can be selected as a whole', async () => {
    const sims = [await make(), await make()];
    const reference = await suspend(sims);
    const again = await done(
      admin.call(sim.resume, { body: { selection: { filter: { task: reference } }, preview: false } }),
    );
    const { body } = await admin.call(task.getMine, { params: { taskReference: again } });
    expect(body.data).toMatchObject({ quantity: 2, result: { accepted: 2, refused: 0 } });
  });
});
