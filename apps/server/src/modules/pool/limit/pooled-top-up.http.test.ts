import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
import { makePool, orderShared, type TestPool } from '../../../testing/pools.ts';
import { createBundle } from '../../bundle/index.ts';
import { orderBundle } from '../../bundle/lifecycle/ordering.service.ts';

let test: TestApp;
let admin: TestClient;
let orgId: number;
let shared: TestPool;

beforeAll(async () => {
  test = await testApp();
  const org = await makeOrganisation(test, { code: 'acme' });
  orgId = org.id;
  admin = await signedInAs(test, 'admin', org);
  shared = await makePool(test.database.pool, orgId, { now: test.clock.now() });
  for (const spec of [
    bundleOf({ code: 'OWN' }),
    bundleOf({ code: 'TOP', orderable: true, type: 'prepaid supplementary', quota_bytes: 300 }),
  ])
    await createBundle(test.database.pool, spec);
});
afterAll(() => test.close());

const make = async (...orders: ('OWN' | 'shared')[]) => {
  const { pool } = test.database;
  const sim = await makeSim(pool, orgId, {});
  const now = test.clock.now();
  for (const order of orders) {
    if (order === 'shared') await orderShared(pool, shared, [sim.iccid], now);
    else
      await inTransaction(pool, (tx) =>
        orderBundle(tx, { iccids: [sim.iccid], bundleCode: order, count: 1, now }),
      );
  }
  return sim;
};
const topUp = (iccids: readonly string[], preview: boolean) =>
  admin.call(endpoints.bundle.topUp, {
    body: { selection: { iccids: [...iccids] }, bundle_code: 'TOP', preview },
  });
const topUps = async () =>
  (
    await test.database.pool.query<{ iccid: string }>(
      `select s.iccid from bundle_orders o join sims s on s.id = o.sim_id join bundles b on b.id = o.bundle_id
       where b.code = 'TOP' order by s.iccid`,
    )
  ).rows.map(({ iccid }) => iccid);

it('a top-up of a SIM that uses a pool’s limit is refused: it would be charged and change nothing', async () => {
  const [member, waiting, single] = [await make('shared'), await make('OWN', 'shared'), await make('shared')];
  await shared.enrol(
    [member.id, waiting.id].toSorted((a, b) => a - b),
    test.clock.now(),
  );
  const all = [member.iccid, waiting.iccid, single.iccid];
  const { body } = await topUp(all, true);
  expect(body.data.preview).toMatchObject({
    changing: 2,
    refused: [{ code: 'CB-03-0008', iccids: [member.iccid] }],
  });
  const alone = await topUp([member.iccid], false);
  expect([alone.http, alone.body.status.code]).toEqual([409, 'CB-03-0008']);
  // Accepted while it was in no pool, done when it is.
  const joins = await make('shared');
  expect((await topUp([waiting.iccid, single.iccid, joins.iccid], false)).http).toBe(200);
  await shared.enrol([joins.id], test.clock.now());
  await runJobs(test.database, test.wiring.jobs);
  expect(await topUps()).toEqual([waiting.iccid, single.iccid].toSorted());
});

it('the SIM list and the overview name the SIMs that use a pool’s limit', async () => {
  const [member, single] = [await make('shared'), await make('shared')];
  await shared.enrol([member.id], test.clock.now());
  const iccids = [member.iccid, single.iccid];
  const { body } = await admin.call(endpoints.sim.list, { body: { identifiers: iccids } });
  const listed = new Map(body.data.map(({ iccid, uses_pool_limit }) => [iccid, uses_pool_limit]));
  expect([listed.get(member.iccid), listed.get(single.iccid)]).toEqual([true, false]);
  const basics = iccids.map((iccid) => admin.call(endpoints.sim.basic, { query: { iccid } }));
  const pooled = (await Promise.all(basics)).map(({ body: { data } }) => data.cycle.uses_pool_limit);
  expect(pooled).toEqual([true, false]);
});
