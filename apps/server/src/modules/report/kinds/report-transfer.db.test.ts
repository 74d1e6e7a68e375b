import { endpoints } from '@simcube/contract';
import type { ReportKind } from '@simcube/contract/report';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions } from '../../../platform/db/index.ts';
import { makeOrganisation, signedInAs, type TestApp, testApp } from '../../../testing/app.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { importUsage, makePricedBundles, makeSimWithBundles } from '../../../testing/prices.ts';
import { makeReports, reportFigures, reportText } from '../../../testing/reports.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';

const megabyte = 2 ** 20;
const kinds: ReportKind[] = ['sim-usage', 'inventory', 'bundles'];

let test: TestApp;
let acme: { id: number; code: string; tenantId: string };
let other: { id: number; code: string };
/** One that is transferred in October, one that is transferred later, and one that stays. */
let [leaving, later, staying] = ['', '', ''];

const transfer = async (iccid: string, at: string) => {
  test.clock.set(at);
  const admin = await signedInAs(test, 'admin', acme);
  await test.wiring.org.addMembership(test.database.pool, {
    userId: admin.userId,
    orgId: other.id,
    role: 'admin',
    oversight: false,
  });
  const selection = { iccids: [iccid] };
  await admin.call(endpoints.sim.transfer, { body: { selection, target_code: 'other', preview: false } });
  await runJobs(test.database, test.wiring.jobs);
};

beforeAll(async () => {
  test = await testApp();
  const { pool } = test.database;
  test.clock.set('2026-09-20T00:00:00Z');
  await ensurePartitions(pool, new Date('2026-08-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  other = await makeOrganisation(test, { code: 'other', parentCode: 'operator' });
  await makePricedBundles(pool);
  const now = new Date('2026-09-20T02:00:00Z');
  const make = async () => (await makeSimWithBundles(test, { orgId: acme.id, now })).iccid;
  [leaving, later, staying] = [await make(), await make(), await make()];
  await pool.query("update sims set created_at = '2026-09-20'");
  test.clock.set('2026-10-06T00:00:00Z');
  for (const iccid of [leaving, later, staying])
    await importUsage(test, iccid, [{ at: '2026-10-05T12:00:00Z', bytes: 12 * megabyte, country: 'DE' }]);
  await turnDueCycles({ pool, now: new Date('2026-10-09T00:00:00Z') });
  await transfer(leaving, '2026-10-10T00:00:00Z');
  await transfer(later, '2026-11-02T00:00:00Z');
  for (const { id: orgId } of [acme, other]) await makeReports(pool, { orgId, kinds });
});
afterAll(() => test.close());

const rowsOf = async (org: { id: number }, kind: ReportKind) => {
  const [heading = [], ...lines] = await reportText(test.database.pool, {
    orgId: org.id,
    month: '2026-10',
    kind,
  });
  return lines.map((cells) => Object.fromEntries(heading.map((name, at) => [name, cells[at]])));
};
const bundlesBy = async (org: { id: number }, kind: ReportKind) =>
  Object.fromEntries((await rowsOf(org, kind)).map((row) => [row['ICCID'], row['Bundle']]));

describe('a SIM that went to another organisation', () => {
  it.each(['sim-usage', 'inventory'] as const)(
    'keeps its bundle in the reports of both: %s',
    async (kind) => {
      const ofFormer = { [later]: 'EU bundle', [staying]: 'EU bundle' };
      expect(await bundlesBy(acme, kind)).toEqual(
        kind === 'inventory' ? ofFormer : { ...ofFormer, [leaving]: 'EU bundle' },
      );
      expect(await bundlesBy(other, kind)).toEqual({ [leaving]: 'EU bundle' });
    },
  );

  it('has its order, with its usage, in the report of the organisation that used it', async () => {
    const figures = (org: { id: number }) =>
      reportFigures(test.database.pool, { orgId: org.id, month: '2026-10', kind: 'bundles' });
    const basic = async (org: { id: number }) =>
      (await rowsOf(org, 'bundles')).filter((row) => row['Bundle'] === 'EU bundle');
    expect((await basic(acme)).map((row) => row['ICCID'])).toEqual([leaving, later, staying].sort());
    expect((await basic(other)).map((row) => row['ICCID'])).toEqual([leaving]);
    expect(await figures(acme)).toMatchObject({ used: 36 * megabyte });
    expect(await figures(other)).toMatchObject({ used: 0 });
  });

  it('shows nothing about its order that happened later', async () => {
    const row = (await rowsOf(acme, 'bundles')).find((one) => one['ICCID'] === leaving);
    expect(row).toMatchObject({ Status: 'In use' });
  });
});
