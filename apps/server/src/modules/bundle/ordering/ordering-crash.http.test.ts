import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, signedInAs, type TestApp, testApp } from '../../../testing/app.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { runProgram } from '../../../testing/run-program.ts';
import { createBundle } from '../index.ts';
import { orderBundle } from '../lifecycle/ordering.service.ts';

const { bundle, task } = endpoints;
const simCount = 450;

let test: TestApp;

beforeAll(async () => {
  test = await testApp();
  for (const code of ['B30', 'B60'])
    await createBundle(test.database.pool, bundleOf({ code, orderable: true }));
});
afterAll(() => test.close());

it('orders whose worker is killed repeatedly are placed once per SIM', { timeout: 240_000 }, async () => {
  const { pool, url } = test.database;
  const org = await makeOrganisation(test, { code: 'acme' });
  const admin = await signedInAs(test, 'admin', org);
  const sims = await Promise.all(Array.from({ length: simCount }, () => makeSim(pool, org.id)));
  const iccids = sims.map(({ iccid }) => iccid);
  const at = test.clock.now();
  await inTransaction(pool, (tx) => orderBundle(tx, { iccids, bundleCode: 'B30', count: 1, now: at }));
  const { body } = await admin.call(bundle.change, {
    body: { selection: { iccids }, bundle_code: 'B60', when: 'now', preview: false },
  });
  const reference = body.data?.task?.reference_id ?? '';
  for (const [step, n] of [
    ['statement', 14],
    ['before-commit', 3],
    ['after-commit', 2],
  ] as const) {
    const args = [url, 'tasks', at.toISOString(), step, String(n)];
    expect(await runProgram('bundle-steps', args)).toBe('SIGKILL');
    await free();
  }
  expect(await runProgram('bundle-steps', [url, 'tasks', at.toISOString(), 'none', '1'])).toBe(0);
  const { rows } = await pool.query(
    `select
       (select count(*)::int from bundle_orders where status = 'expired') as ended,
       (select count(*)::int from bundle_orders o join bundles b on b.id = o.bundle_id
        where b.code = 'B60' and o.status = 'in use' and o.sales_order_id = $1) as started,
       (select count(*)::int from bundle_orders) as orders,
       (select count(*)::int from sim_events where task_id = $1) as events`,
    [reference],
  );
  expect(rows).toEqual([{ ended: simCount, started: simCount, orders: 2 * simCount, events: 3 * simCount }]);
  const mine = await admin.call(task.getMine, { params: { taskReference: reference } });
  expect(mine.body.data).toMatchObject({ status: 'done', result: { accepted: simCount, refused: 0 } });
});

/** The locks and the job of a dead worker are released when the database notices its death. */
const free = async () => {
  const { pool } = test.database;
  await expect
    .poll(
      async () =>
        (await pool.query(`select 1 from pg_stat_activity where application_name = 'bundle steps'`)).rowCount,
    )
    .toBe(0);
  await pool.query(
    `update graphile_worker._private_jobs set locked_at = null, locked_by = null, run_at = now()`,
  );
};
