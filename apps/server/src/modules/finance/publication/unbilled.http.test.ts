import { endpoints } from '@simcube/contract';
import { hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import { ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, signedInAs, type TestApp, testApp } from '../../../testing/app.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import { applyPrices, importUsage, makePricedBundles, makeSimWithBundles } from '../../../testing/prices.ts';
import { createBundle, moveOrders } from '../../bundle/index.ts';
import { lockLive, moveSims } from '../../sim/transfer/transfer.queries.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { recordUsageHandover } from '../../usage/index.ts';
import { listCustomers } from '../customers.views.ts';
import { runDueBilling } from '../finance.jobs.ts';
import { publishMonth } from './publication.service.ts';

let test: TestApp;
let priced: { id: number; code: string; tenantId: string };
let free: { id: number; code: string; tenantId: string };
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-11-01T02:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-05-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  priced = await makeOrganisation(test, { code: 'priced', parentCode: 'operator' });
  free = await makeOrganisation(test, { code: 'free', parentCode: 'operator' });
  await makePricedBundles(pool());
  await applyPrices(test, { organisations: [priced.code] });
  // The server's first call is slow.
  await signedInAs(test, 'admin', priced);
});
afterAll(() => test.close());

/** An organisation below the customer whose SIM was charged, and is then transferred to the customer. */
const makeFormerOwner = async (
  code: string,
  customer: { id: number; code: string },
  { bundles, use }: { bundles?: readonly string[]; use?: (iccid: string) => Promise<unknown> } = {},
) => {
  const branch = await makeOrganisation(test, { code, parentCode: customer.code });
  const sim = await makeSimWithBundles(test, { orgId: branch.id, now: test.clock.now(), bundles });
  await use?.(sim.iccid);
  test.clock.set(new Date(test.clock.now().getTime() + hourMs).toISOString());
  const transferred = { simIds: [sim.id], from: branch.id, to: customer.id, at: test.clock.now() };
  await inTransaction(pool(), async (tx) => {
    await lockLive(tx, transferred.simIds);
    await moveSims(tx, transferred, []);
    await recordUsageHandover(tx, transferred);
    await moveOrders(tx, { simIds: transferred.simIds, orgId: customer.id });
  });
  return branch;
};

const remove = async (customer: { id: number; code: string; tenantId: string }, orgCode: string) => {
  const admin = await signedInAs(test, 'admin', customer);
  return (await admin.call(endpoints.org.deleteEnterprise, { params: { orgCode } })).body.status.code;
};

const billAt = async (now: string) => {
  test.clock.set(now);
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await runDueBilling({ pool: pool(), clock: test.clock });
};

it('an organisation can be deleted only once its last charges are billed', async () => {
  const branch = await makeFormerOwner('branch', priced);
  expect(await remove(priced, branch.code)).toBe('CB-07-0132');
  await billAt('2026-12-01T02:00:00Z');
  expect(await remove(priced, branch.code)).toBe('CB-07-0132');
  await billAt('2026-12-02T16:30:00Z');
  expect(await remove(priced, branch.code)).toBe('CB-00-0000');
  const { rows } = await pool().query<{ kind: string; amount: number }>(
    `select n.kind, sum(n.amount_minor)::int8 as amount from bill_lines n where n.org_id = $1 group by 1 order by 1`,
    [branch.id],
  );
  expect(rows).toEqual([
    { kind: 'activation', amount: 100 },
    { kind: 'cycle', amount: 499 },
  ]);
});

it('an organisation without a tariff can be deleted once it has no SIMs', async () => {
  const branch = await makeFormerOwner('free-branch', free);
  expect(await remove(free, branch.code)).toBe('CB-00-0000');
});

it('an organisation whose tariff has ended can be deleted only once its last charges are billed', async () => {
  const ended = await makeOrganisation(test, { code: 'ended', parentCode: 'operator' });
  await applyPrices(test, { organisations: [ended.code] });
  const branch = await makeFormerOwner('ended-branch', ended);
  await pool().query('insert into org_tariffs (org_id, starts_on, tariff_id) values ($1, $2, null)', [
    ended.id,
    dashboardDays.dayOf(test.clock.now()),
  ]);
  expect(await remove(ended, branch.code)).toBe('CB-07-0132');
});

it('an organisation can’t be deleted while a month before the last published one is to be billed', async () => {
  const skipped = await makeOrganisation(test, { code: 'skipped', parentCode: 'operator' });
  await applyPrices(test, { organisations: [skipped.code] });
  const branch = await makeFormerOwner('skipped-branch', skipped);
  await billAt('2027-01-01T02:00:00Z');
  test.clock.set('2027-02-03T02:00:00Z');
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  const [customer] = await listCustomers(pool(), skipped.code);
  if (!customer) throw new Error('Not a customer');
  await publishMonth(pool(), { customer, month: '2027-01', now: test.clock.now() });
  expect(await remove(skipped, branch.code)).toBe('CB-07-0132');
  await runDueBilling({ pool: pool(), clock: test.clock });
  expect(await remove(skipped, branch.code)).toBe('CB-00-0000');
});

it('an organisation can be deleted only once its usage abroad is billed, at the end of the SIM’s cycle', async () => {
  const roaming = await makeOrganisation(test, { code: 'roaming', parentCode: 'operator' });
  await applyPrices(test, { organisations: [roaming.code] });
  await createBundle(
    pool(),
    bundleOf({
      code: 'ROAM',
      type: 'postpaid bundle',
      out_of_coverage_policy: 'billing',
      coverage_countries: ['DE'],
      reset_cycle: 'full month',
      duration_days: null,
    }),
  );
  test.clock.set('2027-02-20T02:00:00Z');
  const at = async (now: string) => {
    test.clock.set(now);
    await turnDueCycles({ pool: pool(), now: test.clock.now() });
    await runDueBilling({ pool: pool(), clock: test.clock });
  };
  const unused = await makeFormerOwner('unused-branch', roaming, { bundles: ['ROAM'] });
  const branch = await makeFormerOwner('roaming-branch', roaming, {
    bundles: ['ROAM'],
    use: (iccid) => {
      const [begin, end] = ['2027-02-20T02:00:00Z', '2027-02-22T02:00:00Z'];
      test.clock.set(end);
      return importUsage(test, iccid, [{ at: begin, bytes: 3 * 2 ** 20, country: 'JP' }]);
    },
  });
  await at('2027-03-02T16:30:00Z');
  test.clock.set('2027-03-05T02:00:00Z');
  expect(await remove(roaming, unused.code)).toBe('CB-00-0000');
  expect(await remove(roaming, branch.code)).toBe('CB-07-0132');
  await at('2027-04-01T02:00:00Z');
  expect(await remove(roaming, branch.code)).toBe('CB-07-0132');
  await at('2027-04-02T16:30:00Z');
  expect(await remove(roaming, branch.code)).toBe('CB-00-0000');
  const { rows } = await pool().query(
    `select b.month_on::text as month, n.quantity from bill_lines n join bills b on b.id = n.bill_id
     where n.org_id = $1 and n.kind = 'out-of-coverage'`,
    [branch.id],
  );
  expect(rows).toEqual([{ month: '2027-03-01', quantity: 3 }]);
});
