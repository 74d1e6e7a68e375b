import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import { makePool, orderShared, type TestPool } from '../../../testing/pools.ts';
import {
  applyPrices,
  importUsage,
  makePricedBundles,
  makeSimWithBundles,
  tariff,
} from '../../../testing/prices.ts';
import { createBundle } from '../../bundle/index.ts';
import { readRealTime } from '../../pool/cycles/figures.views.ts';
import { rollOverPoolsAt } from '../../pool/index.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { findCustomer } from '../customers.views.ts';
import { draftMonth } from '../drafts/draft.service.ts';
import { computeDueEstimates, computeEstimate } from './estimate.service.ts';
import { findEstimate } from './stored-estimates.views.ts';

const megabyte = 2 ** 20;
const month = '2026-11';

let test: TestApp;
let acme: { id: number; code: string };
let branch: { id: number; code: string };
let fresh: { id: number; code: string };
let roamer: { id: number; code: string };
let trucks: TestPool;

const pool = () => test.database.pool;
const at = async (now: string) => {
  test.clock.set(now);
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await inTransaction(pool(), (tx) => rollOverPoolsAt(tx, test.clock.now()));
};

const daily = (iccid: string, { bytes, country = 'DE' as const }: { bytes: number; country?: 'DE' | 'JP' }) =>
  importUsage(
    test,
    iccid,
    // Every day from the 1st to the 15th, at noon in UTC+8.
    Array.from({ length: 15 }, (_, day) => ({
      at: `2026-11-${String(day + 1).padStart(2, '0')}T04:00:00Z`,
      bytes,
      country,
    })),
  );

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-10-31T16:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-03-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  branch = await makeOrganisation(test, { code: 'branch', parentCode: 'acme' });
  fresh = await makeOrganisation(test, { code: 'fresh', parentCode: 'operator' });
  roamer = await makeOrganisation(test, { code: 'roamer', parentCode: 'operator' });
  await makePricedBundles(pool());
  const postpaid = { type: 'postpaid bundle', quota_bytes: 20 * megabyte, duration_days: null } as const;
  const zoned = { out_of_coverage_policy: 'billing' as const, coverage_countries: ['DE'] };
  const bundles: Parameters<typeof bundleOf>[0][] = [
    { code: 'MONTH', reset_cycle: 'month', ...zoned },
    { code: 'FULL', reset_cycle: 'full month' },
    { code: 'DAY', reset_cycle: 'day', quota_bytes: megabyte },
  ];
  for (const own of bundles) {
    await createBundle(pool(), bundleOf({ ...postpaid, overage_policy: 'billing', ...own }));
  }
  const start = test.clock.now();
  trucks = await makePool(pool(), acme.id, {
    now: start,
    quotaBytes: 10 * megabyte,
    policy: 'no limit',
    bundle: 'SHARED',
    name: 'Trucks',
  });
  const roaming = await makePool(pool(), roamer.id, {
    now: start,
    quotaBytes: 10 * megabyte,
    policy: 'no limit',
    bundle: 'ROAMING',
  });
  await pool().query(
    `update bundles set out_of_coverage_policy = 'billing', coverage_countries = '{DE}' where code = 'ROAMING'`,
  );
  const priced = {
    MONTH: { activation: '1', cycle: '5', over: '0.01' },
    FULL: { activation: '1', cycle: '7', over: '0.01' },
    DAY: { cycle: '0.10', over: '0.01' },
    SHARED: { cycle: '3' },
    ROAMING: { cycle: '3' },
  };
  const prices = { zones: { asia: '0.1', rest: '1' }, sms: { mt: '0.02', mo: '0' } };
  const versions = [
    { starts_on: '2026-01-01', bundles: priced, ...prices, pool: { cycle: '20', over: '0.05' } },
  ];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['acme', 'roamer'] });
  const sim = (code: string, orgId = acme.id, now = start) =>
    makeSimWithBundles(test, { orgId, now, bundles: [code] });
  const own = await sim('MONTH');
  const abroad = await sim('MONTH', branch.id);
  await sim('FULL', acme.id, new Date('2026-11-09T16:00:00Z'));
  const short = await sim('DAY');
  const members = [await makeSimWithBundles(test, { orgId: acme.id, now: start, bundles: [] })];
  const iccids = members.map(({ iccid }) => iccid);
  await orderShared(pool(), trucks, iccids, start);
  await trucks.enrol(
    members.map(({ id }) => id),
    start,
  );
  const home = await sim('ROAMING', roamer.id);
  const away = await sim('ROAMING', roamer.id);
  await roaming.enrol([home.id, away.id], start);
  await at('2026-11-15T16:00:00Z');
  await daily(home.iccid, { bytes: megabyte });
  await daily(away.iccid, { bytes: megabyte, country: 'JP' });
  // 15 MB by half the month, of a quota of 20 MB.
  await daily(own.iccid, { bytes: megabyte });
  await daily(abroad.iccid, { bytes: megabyte, country: 'JP' });
  // Twice its quota each day.
  await daily(short.iccid, { bytes: 2 * megabyte });
  // Its limit is 10 MB.
  for (const iccid of iccids) await daily(iccid, { bytes: megabyte });
  await pool().query(
    `insert into sms_messages (sim_id, org_id, at, content, mobile_originated, status, msisdn, encoding, parts)
     select $1, $2, '2026-11-01T04:00:00Z'::timestamptz + n * interval '1 day', 1, false, 2, '1', 0, 2
     from generate_series(0, 14) n`,
    [own.id, acme.id],
  );
});
afterAll(() => test.close());

const estimated = async (orgId = acme.id) => {
  const customer = await findCustomer(pool(), orgId);
  if (!customer) throw new Error('No customer');
  return computeEstimate(pool(), { customer, now: test.clock.now() });
};
const partsOf = ({ currencies }: Awaited<ReturnType<typeof estimated>>) =>
  Object.fromEntries(
    currencies.flatMap(({ parts }) =>
      parts.map((part) => [
        [part.kind, part.zone?.code].filter(Boolean).join(' '),
        [part.so_far_minor, part.low_minor, part.expected_minor, part.high_minor],
      ]),
    ),
  );

it('contains the charges of a current draft, and the expected charges to the end of the month', async () => {
  const parts = partsOf(await estimated());
  expect(parts).toEqual({
    activation: [300, 300, 300, 300],
    // FULL begins its next cycle on the 10th of December; DAY has fifteen more.
    cycle: [500 * 2 + 700 + 160 + 300, 2300, 2300, 2300],
    // DAY is beyond by 1 MB each day; MONTH will use 30 MB of 20.
    'over-quota': [15, 40, 40, 40],
    // 15 MB in Asia, and 15 more.
    'out-of-coverage asia': [150, 300, 300, 300],
    'pool-cycle': [2000, 2000, 2000, 2000],
    // 15 MB by now, 30 MB by the end, of 10.
    'over-pool-limit': [25, 100, 100, 100],
    'sms-mt': [60, 120, 120, 120],
  });
});

it('does not charge the pool for expected usage that zones are charged for', async () => {
  expect(partsOf(await estimated(roamer.id))).toMatchObject({
    'out-of-coverage asia': [150, 300, 300, 300],
    // Of 60 MB in all, 30 MB within coverage; the limit is 20 MB.
    'over-pool-limit': [0, 50, 50, 50],
  });
});

it('expects of a pool what its own page forecasts', async () => {
  test.clock.set('2026-11-16T15:00:00Z');
  const page = await readRealTime(pool(), { id: trucks.id, policy: 'no limit' }, test.clock.now());
  // 15 MB by now; at 1 MB a day, as on the days that are over, 29.04 MB by the end, of 10.
  expect(Math.round(((page?.forecast?.used_bytes ?? 0) / megabyte) * 100)).toBe(2904);
  expect(partsOf(await estimated())['over-pool-limit']?.[2]).toBe(20 * 5);
  test.clock.set('2026-11-15T16:00:00Z');
});

it('has the same charges so far as a draft at that time', async () => {
  const customer = await findCustomer(pool(), acme.id);
  if (!customer) throw new Error('No customer');
  const [one] = (await estimated()).currencies;
  await draftMonth(pool(), { customer, month, now: test.clock.now() });
  const { rows } = await pool().query<{ kind: string; amount: number }>(
    `select n.kind, sum(n.amount_minor)::int8 as amount from bill_lines n join bills b on b.id = n.bill_id
     where b.org_id = $1 and b.month_on = '2026-11-01' group by 1`,
    [acme.id],
  );
  const drafted = Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount]));
  expect(Object.fromEntries(one?.parts.map((part) => [part.kind, part.so_far_minor]) ?? [])).toEqual(drafted);
  expect(one?.so_far_minor).toBe(rows.reduce((sum, { amount }) => sum + amount, 0));
});

it('has a range that reflects the variation of past days', async () => {
  const { rows } = await pool().query<{ id: number; iccid: string }>(
    'select s.id, s.iccid from sims s where s.org_id = $1 order by id limit 1',
    [acme.id],
  );
  await importUsage(test, rows[0]?.iccid ?? '', [
    { at: '2026-11-13T05:00:00Z', bytes: 20 * megabyte, country: 'DE' },
  ]);
  const estimate = await estimated();
  expect(estimate).toMatchObject({ month, usage_days: 15, unpriced_cycles: 0 });
  const [one] = estimate.currencies;
  if (!one) throw new Error('No currency');
  expect(one.so_far_minor).toBeLessThan(one.low_minor);
  expect(one.low_minor).toBeLessThan(one.expected_minor);
  expect(one.expected_minor).toBeLessThan(one.high_minor);
});

it('is stored by a job for each customer and month, and recomputed after six hours', async () => {
  const kept = (orgId: number, of = month) => findEstimate(pool(), { orgId, month: of });
  const run = () => computeDueEstimates({ pool: pool(), now: test.clock.now() });
  expect(await kept(acme.id)).toBeNull();
  await run();
  const first = await kept(acme.id);
  expect(first).toEqual(await estimated());
  expect(await kept(branch.id)).toBeNull();
  expect(await kept(fresh.id)).toMatchObject({ currencies: [], usage_days: 0, unpriced_cycles: 0 });
  await at('2026-11-15T21:00:00Z');
  await run();
  expect((await kept(acme.id))?.computed_at).toBe(first?.computed_at);
  await at('2026-11-15T22:00:01Z');
  await run();
  expect((await kept(acme.id))?.computed_at).toBe('2026-11-15T22:00:01.000Z');
});

it('reports the number of cycles without a tariff, and no price for them', async () => {
  await makeSimWithBundles(test, { orgId: fresh.id, now: test.clock.now(), bundles: ['MONTH'] });
  expect(await estimated(fresh.id)).toMatchObject({ unpriced_cycles: 1, currencies: [] });
});

it('converges to the charges so far as the month ends, and starts again from past days', async () => {
  await at('2026-11-30T15:59:59.999Z');
  for (const one of (await estimated()).currencies) {
    expect(one.expected_minor).toBe(one.so_far_minor);
    expect(one.high_minor).toBe(one.low_minor);
  }
  await at('2026-11-30T16:00:01Z');
  const estimate = await estimated();
  expect(estimate.month).toBe('2026-12');
  const parts = partsOf(estimate);
  // MONTH, its branch's and SHARED have begun, and the first of 31 days; FULL begins on the 10th.
  expect(parts['cycle']).toEqual([1310, 2310, 2310, 2310]);
  // The day before was without usage: there is none of this month, but of the weeks behind.
  expect(parts['over-quota']?.[0]).toBe(0);
  expect(parts['over-quota']?.[2]).toBeGreaterThan(0);
});
