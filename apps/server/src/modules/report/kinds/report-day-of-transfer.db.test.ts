import { endpoints } from '@simcube/contract';
import type { ReportKind } from '@simcube/contract/report';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions } from '../../../platform/db/index.ts';
import { makeOrganisation, signedInAs, type TestApp, testApp } from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { importUsage, makePricedBundles } from '../../../testing/prices.ts';
import { makeReports, reportText } from '../../../testing/reports.ts';

let test: TestApp;
let acme: { id: number; code: string; tenantId: string };
let other: { id: number; code: string };
/** Two SIMs that go from acme to other on one day (UTC), with usage on it only before, and only after that. */
let [before, after] = ['', ''];
/** One that goes to other after the month, which then counts a late record of the month. */
let later = '';

const use = async (iccid: string, at: string, country: 'DE' | 'JP' = 'DE') => {
  if (test.clock.now() < new Date(at)) test.clock.set(at);
  await importUsage(test, iccid, [{ at, bytes: 1000, country }]);
};

const transfer = async (iccids: readonly string[], at: string) => {
  test.clock.set(at);
  const admin = await signedInAs(test, 'admin', acme);
  const membership = { userId: admin.userId, orgId: other.id, role: 'admin', oversight: false } as const;
  await test.wiring.org.addMembership(test.database.pool, membership);
  const selection = { iccids: [...iccids] };
  await admin.call(endpoints.sim.transfer, { body: { selection, target_code: 'other', preview: false } });
  await runJobs(test.database, test.wiring.jobs);
};

beforeAll(async () => {
  test = await testApp();
  const { pool } = test.database;
  await ensurePartitions(pool, new Date('2026-09-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  acme = await makeOrganisation(test, { code: 'acme' });
  other = await makeOrganisation(test, { code: 'other' });
  await makePricedBundles(pool);
  const make = async () => (await makeSim(pool, acme.id)).iccid;
  [before, after, later] = [await make(), await make(), await make()];
  await pool.query("update sims set created_at = '2026-09-20'");
  test.clock.set('2026-10-12T05:00:00Z');
  await use(before, '2026-10-12T06:00:00Z');
  await transfer([before, after], '2026-10-12T08:00:00Z');
  await use(after, '2026-10-12T09:00:00Z');
  await transfer([later], '2026-11-02T00:00:00Z');
  await use(later, '2026-10-20T00:00:00Z', 'JP');
  for (const { id: orgId } of [acme, other])
    await makeReports(pool, { orgId, kinds: ['sim-usage', 'networks'] });
});
afterAll(() => test.close());

const columnOf = async (org: { id: number }, kind: ReportKind, column: string) => {
  const [heading = [], ...lines] = await reportText(test.database.pool, {
    orgId: org.id,
    month: '2026-10',
    kind,
  });
  return lines.map((cells) => cells[heading.indexOf(column)]);
};

describe('a report on the month in which SIMs were transferred', () => {
  it('counts the day of the transfer only for the organisation with usage on it', async () => {
    const daysOf = async (org: { id: number }) => [
      await columnOf(org, 'sim-usage', 'ICCID'),
      await columnOf(org, 'sim-usage', 'Days online'),
    ];
    expect(await daysOf(acme)).toEqual([
      [before, after, later],
      ['1', '0', '0'],
    ]);
    expect(await daysOf(other)).toEqual([
      [before, after, later],
      ['0', '1', '1'],
    ]);
  });

  it('counts only SIMs with own usage in a network', async () => {
    expect(await columnOf(acme, 'networks', 'SIMs')).toEqual(['1']);
    expect(await columnOf(other, 'networks', 'SIMs')).toEqual(['1', '1']);
  });

  it('shows a SIM that came later if its late records were counted for the organisation', async () => {
    expect(await columnOf(acme, 'sim-usage', 'Used (bytes)')).toEqual(['1000', '0', '0']);
    expect(await columnOf(other, 'sim-usage', 'Used (bytes)')).toEqual(['0', '1000', '1000']);
    expect(await columnOf(other, 'networks', 'Used (bytes)')).toEqual(['1000', '1000']);
  });
});
