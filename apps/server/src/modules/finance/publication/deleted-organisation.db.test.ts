import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import {
  applyPrices,
  importUsage,
  makePricedBundles,
  makeSimWithBundles,
  tariff,
} from '../../../testing/prices.ts';
import { operatorActor } from '../../audit/index.ts';
import { createBundle, moveOrders } from '../../bundle/index.ts';
import { createOrgOperation } from '../../org/operator/org-operator.service.ts';
import { bindTariff } from '../../price/index.ts';
import { lockLive, moveSims } from '../../sim/transfer/transfer.queries.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { recordUsageHandover } from '../../usage/index.ts';
import { checkBill } from '../check/check.service.ts';
import { runDueBilling } from '../finance.jobs.ts';
import { reissueBill } from './reissue.service.ts';
import { hasUnbilledCharges } from './unbilled.service.ts';

const megabyte = 2 ** 20;

let test: TestApp;
let acme: { id: number; code: string };
const pool = () => test.database.pool;
const by = () => ({ actor: operatorActor(), at: test.clock.now() });

const at = async (now: string) => {
  test.clock.set(now);
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await runDueBilling({ pool: pool(), clock: test.clock });
};

/** An organisation with its own tariff and a SIM, which is transferred to the customer in November. */
const makeBranch = async () => {
  const branch = await makeOrganisation(test, { code: 'branch', parentCode: 'acme' });
  const before = { ...by(), at: new Date('2026-09-30T02:00:00Z') };
  await inTransaction(pool(), async (tx) => {
    await bindTariff(tx, { organisation: 'branch', tariff: 'early', from: '2026-10-01' }, before);
    await bindTariff(tx, { organisation: 'branch', tariff: 'own', from: '2026-10-10' }, by());
  });
  const sim = await makeSimWithBundles(test, {
    orgId: branch.id,
    now: test.clock.now(),
    bundles: ['DAY'],
  });
  test.clock.set('2026-10-14T02:00:00Z');
  await importUsage(test, sim.iccid, [
    { at: '2026-10-05T00:00:00Z', bytes: 12 * megabyte, country: 'DE' },
    { at: '2026-10-13T00:00:00Z', bytes: 12 * megabyte, country: 'DE' },
    { at: '2026-10-13T01:00:00Z', bytes: 3 * megabyte, country: 'JP' },
  ]);
  test.clock.set('2026-11-01T02:00:00Z');
  const transfer = { simIds: [sim.id], from: branch.id, to: acme.id, at: test.clock.now() };
  await inTransaction(pool(), async (tx) => {
    await lockLive(tx, transfer.simIds);
    await moveSims(tx, transfer, []);
    await recordUsageHandover(tx, transfer);
    await moveOrders(tx, { simIds: transfer.simIds, orgId: acme.id });
  });
};

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-10-01T02:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-03-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  await makePricedBundles(pool());
  await createBundle(
    pool(),
    bundleOf({
      code: 'DAY',
      type: 'postpaid bundle',
      quota_bytes: 10 * megabyte,
      overage_policy: 'billing',
      out_of_coverage_policy: 'billing',
      coverage_countries: ['DE'],
      reset_cycle: 'day',
      duration_days: null,
    }),
  );
  const versions = (cycle: string, over: string) => [
    {
      starts_on: '2026-01-01',
      bundles: { DAY: { activation: '1', cycle, over } },
      zones: { asia: '0.1', rest: '1' },
    },
  ];
  await applyPrices(test, {
    tariffs: [
      tariff({ versions: versions('0.5', '0.01') }),
      tariff({ code: 'early', versions: versions('0.2', '0.02') }),
      tariff({ code: 'own', versions: versions('0.3', '0.03') }),
    ],
    organisations: ['operator'],
  });
  await makeBranch();
  await at('2026-11-02T16:30:00Z');
  await at('2026-12-02T16:30:00Z');
  await createOrgOperation({ pool: pool(), clock: test.clock, hasUnbilledCharges }).remove('branch');
});
afterAll(() => test.close());

const lines = async (version: number) =>
  (
    await pool().query<{ text: string }>(
      `select concat_ws(' ', n.tariff_code, n.kind, n.quantity, n.amount_minor) as text
       from bill_lines n join bills b on b.id = n.bill_id
       where b.month_on = '2026-10-01' and b.version = $1 order by 1`,
      [version],
    )
  ).rows.map(({ text }) => text);
const number = async () => {
  const { rows } = await pool().query<{ serial: number }>(
    `select distinct serial::int from bills where month_on = '2026-10-01'`,
  );
  return `BILL-2026-10-${String(rows[0]?.serial).padStart(5, '0')}`;
};
const charged = [
  'early activation 1 100',
  'early cycle 9 180',
  'early over-quota 2 4',
  'own cycle 22 660',
  'own out-of-coverage 3 30',
  'own over-quota 2 6',
];

it('a check of a bill counts what an organisation was charged that was deleted since', async () => {
  expect(await lines(1)).toEqual(charged);
  expect(await checkBill(pool(), await number(), { now: test.clock.now() })).toMatchObject({
    mismatches: [],
    late: 0,
    lines: charged.length,
  });
});

it('a new version charges a deleted organisation by its tariffs of that time, or by the given one', async () => {
  const reason = 'Asked for';
  await reissueBill(pool(), await number(), { ...by(), reason, tariff: null });
  expect(await lines(2)).toEqual(charged);
  await reissueBill(pool(), await number(), { ...by(), reason, tariff: 'standard' });
  expect(await lines(3)).toEqual([
    'standard activation 1 100',
    'standard cycle 31 1550',
    'standard out-of-coverage 3 30',
    'standard over-quota 4 4',
  ]);
  await reissueBill(pool(), await number(), { ...by(), reason, tariff: null });
  expect(await lines(4)).toEqual(charged);
  const { rows } = await pool().query(
    `select distinct p.code from bill_parties p join bills b on b.id = p.bill_id
     where b.month_on = '2026-10-01' and b.version = 4 order by 1`,
  );
  expect(rows).toEqual([{ code: 'acme' }, { code: 'branch' }]);
});
