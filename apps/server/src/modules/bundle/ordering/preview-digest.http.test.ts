import { endpoints } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { inTransaction } from '../../../platform/db/index.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { applyPrices, tariff } from '../../../testing/prices.ts';
import { createBundle } from '../index.ts';
import { endOrders } from '../lifecycle/lifecycle.service.ts';
import { orderBundle } from '../lifecycle/ordering.service.ts';

const { bundle } = endpoints;

let test: TestApp;
let orgId: number;
let admin: TestClient;
let other: TestClient;
let sim: { id: number; iccid: string };

beforeAll(async () => {
  test = await testApp();
  const org = await makeOrganisation(test, { code: 'acme' });
  orgId = org.id;
  admin = await signedInAs(test, 'admin', org);
  other = await signedInAs(test, 'superadmin', org);
  await createBundle(test.database.pool, bundleOf({ code: 'B30', orderable: true }));
  await createBundle(
    test.database.pool,
    bundleOf({ code: 'TOP', orderable: true, type: 'prepaid supplementary', quota_bytes: 300 }),
  );
});
afterAll(() => test.close());
beforeEach(async () => {
  sim = await makeSim(test.database.pool, orgId, { lifecycle: 'active' });
});

const ordered = (now: Date) =>
  inTransaction(test.database.pool, (tx) =>
    orderBundle(tx, { iccids: [sim.iccid], bundleCode: 'B30', count: 1, now }),
  );
const expire = async () => {
  const now = test.clock.now();
  await ordered(new Date(now.getTime() - 40 * dayMs));
  await endOrders({ pool: test.database.pool, now });
};
const orders = async (): Promise<string[]> =>
  (
    await test.database.pool.query<{ status: string }>(
      'select status from bundle_orders where sim_id = $1 order by id',
      [sim.id],
    )
  ).rows.map(({ status }) => status);
const renew = async (client: TestClient, more: { preview?: boolean; preview_digest?: string }) =>
  (await client.call(bundle.renew, { body: { selection: { iccids: [sim.iccid] }, ...more } })).body;
const seenBy = async (client: TestClient) =>
  (await renew(client, { preview: true })).data.preview?.digest ?? '';
const work = () => runJobs(test.database, test.wiring.jobs);

it('of two people who renew an expired SIM, the second one orders nothing that no preview showed', async () => {
  await expire();
  const [first, second] = [await seenBy(admin), await seenBy(other)];
  expect(second).toBe(first);
  expect((await renew(admin, { preview_digest: first })).status.success).toBe(true);
  await work();
  expect(await orders()).toEqual(['expired', 'in use']);
  const refused = await renew(other, { preview_digest: second });
  expect(refused.status.code).toBe('CB-02-0009');
  expect(await orders()).toEqual(['expired', 'in use']);
  expect((await renew(other, { preview_digest: await seenBy(other) })).status.success).toBe(true);
  await work();
  expect(await orders()).toEqual(['expired', 'in use', 'pending']);
});

it('what was agreed to may cost something else by now', async () => {
  await ordered(test.clock.now());
  const top = (more: object) =>
    admin.call(bundle.topUp, { body: { selection: { iccids: [sim.iccid] }, bundle_code: 'TOP', ...more } });
  const digest = (await top({ preview: true })).body.data.preview?.digest;
  const versions = [{ starts_on: '2026-01-01', bundles: { TOP: { activation: 2.5 } }, zones: { rest: '1' } }];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['acme'] });
  expect((await top({ preview_digest: digest })).body.status.code).toBe('CB-02-0009');
  const now = (await top({ preview: true })).body.data.preview;
  expect(now?.lines[0]?.price).toMatchObject({ activation_micros: 2_500_000 });
  expect((await top({ preview_digest: now?.digest })).body.status.success).toBe(true);
});

it('an activation agrees with its preview by either call', async () => {
  sim = await makeSim(test.database.pool, orgId, { lifecycle: 'pre-activated' });
  await ordered(test.clock.now());
  const body = { selection: { iccids: [sim.iccid] } };
  const { digest } = (await admin.call(bundle.previewActivation, { body })).body.data;
  const previewed = await admin.call(bundle.activate, { body: { ...body, preview: true } });
  expect(previewed.body.data.preview?.digest).toBe(digest);
  const wrong = { ...body, preview_digest: '0'.repeat(64) };
  expect((await admin.call(bundle.activate, { body: wrong })).body.status.code).toBe('CB-02-0009');
  const agreed = { ...body, preview_digest: digest };
  expect((await admin.call(bundle.activate, { body: agreed })).body.status.success).toBe(true);
});
