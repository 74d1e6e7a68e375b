import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { makePool, orderShared } from '../../../testing/pools.ts';
import {
  applyPrices,
  importUsage,
  makePricedBundles,
  makeSimWithBundles,
  tariff,
} from '../../../testing/prices.ts';
import { operatorActor } from '../../audit/index.ts';
import { createBundle } from '../../bundle/index.ts';
import { rollOverPoolsAt } from '../../pool/index.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { dropOldPartitions } from '../../usage/usage-partitions.service.ts';
import { checkBill } from '../check/check.service.ts';
import { createCheckRequests } from '../check/request-check.service.ts';
import { runDueBilling } from '../finance.jobs.ts';
import { reissueBill } from '../publication/reissue.service.ts';

const megabyte = 2 ** 20;
const begin = '2026-09-30T17:00:00Z';
let test: TestApp;
let acme: { id: number; code: string };
let alone: { id: number; iccid: string };
const pool = () => test.database.pool;

const at = async (now: string) => {
  test.clock.set(now);
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await rollOverPoolsAt(pool(), test.clock.now());
  await runDueBilling({ pool: pool(), clock: test.clock });
};
const used = (day: string, megabytes: number, country: 'DE' | 'JP') => ({
  at: `${day}:00:00Z`,
  bytes: megabytes * megabyte,
  country,
});

beforeAll(async () => {
  test = await testApp();
  test.clock.set(begin);
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  await makePricedBundles(pool());
  const shared = await makePool(pool(), acme.id, {
    now: test.clock.now(),
    bundle: 'SHARED',
    quotaBytes: 2 * megabyte,
    policy: 'no limit',
  });
  await createBundle(
    pool(),
    bundleOf({
      code: 'FULL',
      type: 'postpaid bundle',
      quota_bytes: 99 * megabyte,
      out_of_coverage_policy: 'billing',
      coverage_countries: ['DE'],
      reset_cycle: 'full month',
      duration_days: null,
    }),
  );
  await pool().query(
    `update bundles set out_of_coverage_policy = 'billing', coverage_countries = '{DE}' where code = 'SHARED'`,
  );
  const prices = { pool: { over: '0.01' }, zones: { asia: '0.1', rest: '1' } };
  const versions = [{ starts_on: '2026-01-01', ...prices }];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['acme'] });
  const sharing = await makeSim(pool(), acme.id, { lifecycle: 'active' });
  await orderShared(pool(), shared, [sharing.iccid], test.clock.now());
  await shared.enrol([sharing.id], test.clock.now());
  const activated = new Date('2026-09-20T02:00:00Z');
  alone = await makeSimWithBundles(test, { orgId: acme.id, now: activated, bundles: ['FULL'] });
  await turnDueCycles({ pool: pool(), now: new Date('2026-10-19T17:00:00Z') });
  test.clock.set('2026-10-20T20:00:00Z');
  await importUsage(test, sharing.iccid, [used('2026-09-30T20', 4, 'JP'), used('2026-10-02T20', 3, 'DE')]);
  await importUsage(test, alone.iccid, [used('2026-10-19T18', 5, 'JP')]);
  await at('2026-11-02T16:30:00Z');
  await at('2026-12-02T16:30:00Z');
});
afterAll(() => test.close());

const lines = async (from: string) =>
  (
    await pool().query<{ text: string }>(
      `select concat_ws(' ', to_char(b.month_on, 'YYYY-MM'), n.kind, n.quantity, to_char(n.corrects_on, 'YYYY-MM')) as text
       from bill_lines n join bills b on b.id = n.bill_id where b.month_on >= $1 order by b.month_on, n.kind, n.line`,
      [`${from}-01`],
    )
  ).rows.map(({ text }) => text);

it('a cycle is not corrected once hours of its usage by country are no longer retained', async () => {
  expect(await lines('2026-10')).toEqual([
    '2026-10 out-of-coverage 4',
    '2026-10 over-pool-limit 1',
    '2026-11 out-of-coverage 5',
  ]);
  test.clock.set('2027-12-02T16:30:00Z');
  await dropOldPartitions({ pool: pool(), now: test.clock.now(), signal: new AbortController().signal });
  await importUsage(test, alone.iccid, [used('2026-11-05T12', 1, 'DE')]);
  await at('2027-12-02T16:30:00Z');
  expect(await lines('2026-12')).toEqual([]);
});

describe('a bill whose records are no longer retained', () => {
  const numberOf = async (month: string) =>
    (
      await pool().query<{ number: string }>(
        `select 'BILL-' || $1 || '-' || lpad(serial::text, 5, '0') as number from bills
         where month_on = $2 and type = 'post-payment'`,
        [month, `${month}-01`],
      )
    ).rows[0]?.number ?? '';
  const check = async (number: string) => checkBill(pool(), number, { now: test.clock.now() });

  it('is checked by its sums alone', async () => {
    const number = await numberOf('2026-10');
    expect(await check(number)).toEqual({ mismatches: [], late: 0, lines: 2, isRetained: false });
    await pool().query(`update bills set total_minor = total_minor + 1 where month_on = '2026-10-01'`);
    expect((await check(number))?.mismatches).toMatchObject([{ what: 'the sum of the lines' }]);
    await pool().query(`update bills set total_minor = total_minor - 1 where month_on = '2026-10-01'`);
  });

  it('keeps the result of its last check', async () => {
    const number = await numberOf('2026-10');
    const { rows } = await pool().query<{ id: number }>(`select id from bills where month_on = '2026-10-01'`);
    const requestCheck = createCheckRequests({ pool: pool(), clock: test.clock });
    const bill = { id: rows[0]?.id ?? 0, number, status: 'published' } as const;
    await expect(requestCheck(bill)).rejects.toMatchObject({ code: 'CB-06-0006' });
  });

  it.each(['2026-10', '2026-11'])('is not replaced by one without their charges (%s)', async (month) => {
    const by = { actor: operatorActor(), at: test.clock.now(), reason: 'Wrong', tariff: null };
    await expect(reissueBill(pool(), await numberOf(month), by)).rejects.toThrow('are no longer retained');
  });
});
