import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { makePool, orderShared } from '../../../testing/pools.ts';
import { applyPrices, importUsage, makePricedBundles, tariff } from '../../../testing/prices.ts';
import { operatorActor } from '../../audit/index.ts';
import { findChargedCycle, listMemberSpans, listPooledSpans, rollOverPoolsAt } from '../../pool/index.ts';
import { poolCost } from '../../price/costs/cost.service.ts';
import { bindTariff } from '../../price/index.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { networkUsage } from '../../usage/index.ts';
import { checkBill } from '../check/check.service.ts';
import { runDueBilling } from '../finance.jobs.ts';
import { reissueBill } from '../publication/reissue.service.ts';

const megabyte = 2 ** 20;
let test: TestApp;
let customers = 0;
const pool = () => test.database.pool;
const by = () => ({ actor: operatorActor(), at: test.clock.now() });

const over = { pool: { over: '0.01' } };
const zoned = { ...over, zones: { asia: '0.1', rest: '1' } };
const versions = (first: object, second: object) => [
  { starts_on: '2026-01-01', ...first },
  { starts_on: '2026-10-21', ...second },
];

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-10-01T02:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-03-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  await makePricedBundles(pool());
  await applyPrices(test, {
    tariffs: [
      tariff({ code: 'ends', versions: versions(zoned, over) }),
      tariff({ code: 'begins', versions: versions(over, zoned) }),
      tariff({ code: 'always', versions: versions(zoned, zoned) }),
    ],
    organisations: [],
  });
});
afterAll(() => test.close());

interface Times {
  resetCycle: 'month' | 'full month';
  /** When the SIM's cycle begins, the pool is made and the SIM joins it. */
  ordered: string;
  made: string;
  joined: string;
  used: string;
  /** The month of the bill, and when it is published. */
  month: string;
  published: string;
}

/** A SIM that shares 2 MB, and then uses 3 MB within coverage and 4 MB abroad. */
const livedBy = async (tariffCode: string, { resetCycle, ordered, made, joined, used }: Times) => {
  customers += 1;
  test.clock.set('2026-10-01T02:00:00Z');
  const org = await makeOrganisation(test, { code: `customer-${customers}`, parentCode: 'operator' });
  await inTransaction(pool(), (tx) =>
    bindTariff(tx, { organisation: org.code, tariff: tariffCode, from: '2026-01-01' }, by()),
  );
  const bundle = `SHARED-${customers}`;
  const own = { bundle, resetCycle, quotaBytes: 2 * megabyte, policy: 'no limit' } as const;
  const shared = await makePool(pool(), org.id, { now: new Date(made), ...own });
  await pool().query(
    `update bundles set out_of_coverage_policy = 'billing', coverage_countries = '{DE}' where code = $1`,
    [bundle],
  );
  const sim = await makeSim(pool(), org.id, { lifecycle: 'active' });
  await orderShared(pool(), shared, [sim.iccid], new Date(ordered));
  await shared.enrol([sim.id], new Date(joined));
  test.clock.set(used);
  await importUsage(test, sim.iccid, [
    { at: used, bytes: 3 * megabyte, country: 'DE' },
    { at: new Date(Date.parse(used) - 1).toISOString(), bytes: 4 * megabyte, country: 'JP' },
  ]);
  return { org, shared };
};

const shownCost = async ({ org, shared }: Awaited<ReturnType<typeof livedBy>>) => {
  const sources = { findPoolCycle: findChargedCycle, listMemberSpans, networkUsage, listPooledSpans };
  const query = { orgId: org.id, id: shared.id };
  return (await poolCost({ pool: pool(), clock: test.clock, ...sources }, query))?.over_limit?.beyond_bytes;
};

const billed = async (orgId: number, { month, version }: { month: string; version: number }) =>
  (
    await pool().query<{ number: string; lines: string[] }>(
      `select 'BILL-' || $2 || '-' || lpad(serial::text, 5, '0') as number,
         array(select concat_ws(' ', n.kind, n.quantity) from bill_lines n where n.bill_id = b.id and n.bytes > 0 order by 1) as lines
       from bills b where org_id = $1 and to_char(month_on, 'YYYY-MM') = $2 and version = $3`,
      [orgId, month, version],
    )
  ).rows[0];

const simIsLater: Times = {
  resetCycle: 'month',
  made: '2026-10-01T02:00:00Z',
  ordered: '2026-10-22T02:00:00Z',
  joined: '2026-10-22T02:00:00Z',
  used: '2026-10-24T02:00:00Z',
  month: '2026-10',
  published: '2026-11-02T16:30:00Z',
};
const poolIsLater: Times = {
  resetCycle: 'full month',
  ordered: '2026-10-05T02:00:00Z',
  made: '2026-10-25T02:00:00Z',
  joined: '2026-10-25T02:00:00Z',
  used: '2026-10-27T02:00:00Z',
  month: '2026-11',
  published: '2026-12-02T16:30:00Z',
};
const bySim = ['out-of-coverage 4', 'over-pool-limit 1'];
const byPool = ['over-pool-limit 5'];

it.each([
  ['zones ended before the SIM’s cycle', 'ends', simIsLater, byPool],
  ['zones began before the SIM’s cycle', 'begins', simIsLater, bySim],
  ['zones ended before the pool’s cycle', 'ends', poolIsLater, bySim],
  ['zones began before the pool’s cycle', 'begins', poolIsLater, byPool],
])('usage in a pool is charged once, by its SIM or by the pool: %s', async (_when, code, times, lines) => {
  const lived = await livedBy(code, times);
  expect(await shownCost(lived)).toBe((lines === bySim ? 1 : 5) * megabyte);
  test.clock.set(times.published);
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await rollOverPoolsAt(pool(), test.clock.now());
  await runDueBilling({ pool: pool(), clock: test.clock });
  const bill = await billed(lived.org.id, { ...times, version: 1 });
  expect(bill?.lines).toEqual(lines);
  const number = bill?.number ?? '';
  expect(await checkBill(pool(), number, { now: test.clock.now() })).toMatchObject({ mismatches: [] });
  await reissueBill(pool(), number, { ...by(), reason: 'Other tariff', tariff: 'always' });
  expect((await billed(lived.org.id, { ...times, version: 2 }))?.lines).toEqual(bySim);
  expect(await checkBill(pool(), number, { now: test.clock.now() })).toMatchObject({ mismatches: [] });
});
