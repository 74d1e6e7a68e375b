import type { ReportKind } from '@simcube/contract/report';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { bundleOf, type TestSim } from '../../../testing/bundles.ts';
import { makeSimWithBundles } from '../../../testing/prices.ts';
import { makeReports, reportText } from '../../../testing/reports.ts';
import { operatorActor } from '../../audit/index.ts';
import { createBundle } from '../../bundle/index.ts';
import { endOrders } from '../../bundle/lifecycle/lifecycle.service.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { regenerateMonth } from './regenerate.service.ts';

const kinds: ReportKind[] = ['sim-usage', 'inventory', 'status-changes', 'bundles'];

let test: TestApp;
let org: { id: number; code: string };
const pool = () => test.database.pool;

/** A SIM with a bundle that is over after 30 days. */
const makeExpiring = async (orderedAt: string): Promise<TestSim> => {
  test.clock.set(orderedAt);
  return makeSimWithBundles(test, { orgId: org.id, now: new Date(orderedAt), bundles: ['MONTHLY'] });
};

/** What the scheduled jobs end by that time: cycles and orders. */
const endDue = async (at: string) => {
  await turnDueCycles({ pool: pool(), now: new Date(at) });
  await endOrders({ pool: pool(), now: new Date(at) });
};

beforeAll(async () => {
  test = await testApp();
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  org = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  await createBundle(pool(), bundleOf({ code: 'MONTHLY', reset_cycle: 'month' }));
});
afterAll(() => test.close());

it('a report made later shows the end of the month, not what happened since', async () => {
  const endsInMonth = await makeExpiring('2026-09-10T00:00:00Z');
  const endsLater = await makeExpiring('2026-10-10T00:00:00Z');
  await pool().query("update sims set created_at = '2026-09-01'");
  await endDue('2026-11-05T00:00:00Z');
  await makeReports(pool(), { orgId: org.id, kinds });
  const read = () =>
    Promise.all(kinds.map((kind) => reportText(pool(), { orgId: org.id, month: '2026-10', kind })));
  const made = await read();
  const [, , , bundles] = made;
  expect(bundles?.map(([, iccid, , status]) => [iccid, status])).toEqual([
    ['ICCID', 'Status'],
    [endsInMonth.iccid, 'Expired'],
    [endsLater.iccid, 'In use'],
  ]);
  const now = new Date('2026-11-20T00:00:00Z');
  await endDue('2026-11-20T00:00:00Z');
  await regenerateMonth(pool(), { code: org.code, month: '2026-10', actor: operatorActor(), now });
  expect(await read()).toEqual(made);
});
