import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { runJobs } from '../../../testing/jobs.ts';

const { sim } = endpoints;

let test: TestApp;
let acme: { id: number; code: string; tenantId: string };
let nord: { id: number; code: string; tenantId: string };
let admin: TestClient;
/** All SIMs of a test have its tag. */
let tag: string;
let tests = 0;

beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
  nord = await makeOrganisation(test, { code: 'nord' });
  admin = await signedInAs(test, 'admin', acme);
  await test.wiring.org.addMembership(test.database.pool, {
    userId: admin.userId,
    orgId: nord.id,
    role: 'admin',
    oversight: false,
  });
});
afterAll(() => test.close());
beforeEach(() => {
  tests += 1;
  tag = `lot ${tests}`;
});

const make = () => makeSim(test.database.pool, acme.id, { tags: [tag] });
const matching = () => ({ selection: { filter: { tags: [tag] } } });
const lifecycles = async (): Promise<number[]> =>
  (
    await test.database.pool.query<{ lifecycle: number }>(
      'select lifecycle from sims where tags @> array[$1] order by id',
      [tag],
    )
  ).rows.map(({ lifecycle }) => lifecycle);
const terminate = async (more: { preview?: boolean; preview_digest?: string | undefined }) =>
  (await admin.call(sim.terminate, { body: { ...matching(), ...more } })).body;
const transfer = async (more: { preview?: boolean; preview_digest?: string | undefined }) =>
  (await admin.call(sim.transfer, { body: { target_code: nord.code, ...matching(), ...more } })).body;

it('SIMs that match only since the preview are not terminated by it', async () => {
  await make();
  const preview_digest = (await terminate({ preview: true })).data.preview?.digest;
  await make();
  expect((await terminate({ preview_digest })).status.code).toBe('CB-01-0032');
  await runJobs(test.database, test.wiring.jobs);
  expect(await lifecycles()).toEqual([23, 23]);
  const { data } = await terminate({ preview: true });
  expect(data.preview?.changing).toBe(2);
  expect((await terminate({ preview_digest: data.preview?.digest })).data.task?.quantity).toBe(2);
  await runJobs(test.database, test.wiring.jobs);
  expect(await lifecycles()).toEqual([50, 50]);
});

it('other SIMs than those of the preview are not transferred, even if there are as many', async () => {
  const [one] = [await make(), await make()];
  const { digest, changing } = (await transfer({ preview: true })).data.preview ?? {};
  await make();
  await admin.call(sim.saveTag, { body: { selection: { iccids: [one.iccid] }, remove: [tag] } });
  await runJobs(test.database, test.wiring.jobs);
  const now = (await transfer({ preview: true })).data.preview;
  expect(now?.changing).toBe(changing);
  expect((await transfer({ preview_digest: digest })).status.code).toBe('CB-01-0032');
  expect((await transfer({ preview_digest: now?.digest })).status.success).toBe(true);
});

it('a preview of the same SIMs in another order has the same digest', async () => {
  const iccids = [(await make()).iccid, (await make()).iccid, (await make()).iccid];
  const digestOf = async (listed: string[]) =>
    (await admin.call(sim.suspend, { body: { selection: { iccids: listed }, preview: true } })).body.data
      .preview?.digest;
  expect(await digestOf(iccids)).toMatch(/^[0-9a-f]{64}$/);
  expect(await digestOf(iccids.toReversed())).toBe(await digestOf(iccids));
  expect(await digestOf(iccids.slice(1))).not.toBe(await digestOf(iccids));
});

it('an order without a digest is for the SIMs that match when it is accepted', async () => {
  await make();
  await terminate({ preview: true });
  await make();
  expect((await terminate({})).data.task?.quantity).toBe(2);
});
