import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, signedInAs, type TestApp, testApp } from '../../../testing/app.ts';
import { importRecords } from '../../../testing/cdrs.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { lockLive, moveSims } from '../../sim/transfer/transfer.queries.ts';
import { recordUsageHandover } from '../../usage/index.ts';

const { autoflow: calls } = endpoints;
const mb = 2 ** 20;

let test: TestApp;

beforeAll(async () => {
  test = await testApp();
});
afterAll(() => test.close());

it('Why compares a transferred SIM at its arrival: what others used before is known only then', async () => {
  const { pool } = test.database;
  const from = await makeOrganisation(test, { code: 'from' });
  const to = await makeOrganisation(test, { code: 'to' });
  const { id, iccid } = await makeSim(pool, from.id, {});
  // 26 MB of its cycle, as recorded below.
  await pool.query(
    `update sim_live set cycle_started_at = '2026-11-01', cycle_ends_at = '2026-12-01', used_bytes = $2 where sim_id = $1`,
    [id, 26 * mb],
  );
  test.clock.set('2026-11-21T12:00:00Z');
  const admin = await signedInAs(test, 'admin', to);
  const rule = await admin.call(calls.create, {
    body: {
      name: 'Cycle cap',
      trigger: { kind: 'data-usage', period: 'cycle', threshold: { unit: 'MB', amount: 20 } },
      scope: { kind: 'all' },
      actions: [{ kind: 'suspend' }],
      active_from: null,
      active_until: null,
      group_minutes: null,
    },
  });
  const use = (ended_at: string, megabytes: number) => {
    test.clock.set(ended_at);
    const started_at = new Date(Date.parse(ended_at) - 60_000).toISOString();
    return importRecords(test, [{ iccid, ended_at, started_at, up_bytes: megabytes * mb, down_bytes: 0 }]);
  };
  await use('2026-11-21T12:10:00Z', 25);
  const at = new Date('2026-11-21T12:20:00Z');
  await inTransaction(pool, async (tx) => {
    await lockLive(tx, [id]);
    await moveSims(tx, { simIds: [id], from: from.id, to: to.id, at }, []);
    await recordUsageHandover(tx, { simIds: [id], at });
  });
  await use('2026-11-21T12:30:00Z', 1);
  const params = { ruleId: rule.body.data.id };
  const { body } = await admin.call(calls.why, { params, query: { iccid } });
  const missing = body.data.comparisons.filter(({ met }) => !met);
  const figures = { value: 25 * mb, wanted: 20 * mb, unit: 'octets' };
  expect(missing).toEqual([{ check: 'below-at-arrival', met: false, ...figures, at: at.toISOString() }]);
});
