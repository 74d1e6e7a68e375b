import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ensurePartitions } from '../../../platform/db/index.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import type { TestOrganisation } from '../../../testing/organisations.ts';
import { readPdf } from '../../../testing/pdf.ts';
import { applyPrices, makePricedBundles, makeSimWithBundles, tariff } from '../../../testing/prices.ts';
import { createBundle } from '../../bundle/index.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { runDueBilling } from '../finance.jobs.ts';

const { finance } = endpoints;
// The thread that draws a bill reads the sources first.
vi.setConfig({ testTimeout: 60_000 });

let test: TestApp;
let admin: TestClient;
let acme: TestOrganisation;
let branch: TestOrganisation;
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-10-01T02:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  await makePricedBundles(pool());
  await createBundle(
    pool(),
    bundleOf({ code: 'MONTH', type: 'postpaid bundle', reset_cycle: 'month', duration_days: null }),
  );
  const versions = [{ starts_on: '2026-01-01', bundles: { MONTH: { cycle: '5' } } }];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['operator'] });
  acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  branch = await makeOrganisation(test, { code: 'branch', parentCode: 'acme' });
  for (const { id: orgId } of [acme, branch])
    await makeSimWithBundles(test, { orgId, now: test.clock.now(), bundles: ['MONTH'] });
  await at('2026-11-02T16:30:00Z');
});
afterAll(() => test.close());

const at = async (now: string) => {
  test.clock.set(now);
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await runDueBilling({ pool: pool(), clock: test.clock });
  admin = await signedInAs(test, 'admin', acme);
};
const rename = (suffix: string) =>
  pool().query("update organisations set name = code || $2, country = 'FR' where id = any($1)", [
    [acme.id, branch.id],
    suffix,
  ]);

/** Everything shown of a bill, except whether it is past due. */
const told = async (billId: string) => {
  const query = { billId };
  const file = (url: string, more: object) =>
    test.app.inject({ url, query: { ...query, ...more }, headers: admin.headers });
  const pdf = await file(finance.previewPdf.path, { language: 'en-US' });
  const csv = (content: string) =>
    test.app.inject({
      url: finance.download.path.replace('{billId}', billId),
      headers: admin.headers,
      query: { content },
    });
  const { state: _, ...bill } = (await admin.call(finance.version, { query })).body.data.bill;
  return {
    bill,
    lines: (await admin.call(finance.details, { query })).body.data,
    extract: (await admin.call(finance.extract, { params: query })).body.data,
    files: [(await csv('lines')).payload, (await csv('sims')).payload],
    pdf: pdf.rawPayload,
  };
};
const billOf = async (month: string) =>
  (await admin.call(finance.list, { body: { month } })).body.data[0]?.id as string;

it('a published bill keeps the parties’ names of its issue; the next bill uses the current names', async () => {
  const id = await billOf('2026-10');
  const issued = await told(id);
  expect(issued.bill.settlement_customer).toEqual({ code: 'acme', name: 'acme Limited' });
  expect(issued.lines.map(({ organisation }) => organisation.name)).toEqual([
    'acme Limited',
    'branch Limited',
  ]);
  await rename(' Worldwide');
  expect(await told(id)).toEqual(issued);
  expect(readPdf(issued.pdf).text).not.toContain('Worldwide');
  await at('2026-12-02T16:30:00Z');
  const next = await told(await billOf('2026-11'));
  expect(next.bill.settlement_customer.name).toBe('acme Worldwide');
  expect(next.extract.map(({ organisation }) => organisation.name)).toEqual([
    'acme Worldwide',
    'branch Worldwide',
  ]);
  expect(await told(id)).toEqual(issued);
});

it('a bill still names an organisation that was deleted later', async () => {
  const id = await billOf('2026-10');
  const issued = await told(id);
  await pool().query('update sims set org_id = $1 where org_id = $2', [acme.id, branch.id]);
  await pool().query('update bundle_orders set org_id = $1 where org_id = $2', [acme.id, branch.id]);
  await pool().query('delete from organisations where id = $1', [branch.id]);
  expect(await told(id)).toEqual(issued);
});
