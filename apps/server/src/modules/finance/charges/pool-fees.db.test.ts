import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { makePool } from '../../../testing/pools.ts';
import { applyPrices, makePricedBundles, tariff } from '../../../testing/prices.ts';
import { operatorActor } from '../../audit/index.ts';
import { rollOverPoolsAt } from '../../pool/index.ts';
import { bindTariff } from '../../price/index.ts';
import { findCustomer } from '../customers.views.ts';
import { computeEstimate } from '../estimate/estimate.service.ts';
import { runDueBilling } from '../finance.jobs.ts';
import { reissueBill } from '../publication/reissue.service.ts';

let test: TestApp;
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-09-01T02:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-03-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  await makePricedBundles(pool());
  const versions = (cycle: string) => [{ starts_on: '2026-01-01', pool: { cycle, over: '0.01' } }];
  await applyPrices(test, {
    tariffs: [
      tariff({ code: 'twenty', versions: versions('20') }),
      tariff({ code: 'ten', versions: versions('10') }),
      tariff({ code: 'one', versions: versions('1') }),
    ],
    organisations: [],
  });
});
afterAll(() => test.close());

const makeCustomer = async (code: string, tariffCode: string) => {
  const org = await makeOrganisation(test, { code, parentCode: 'operator' });
  const by = { actor: operatorActor(), at: test.clock.now() };
  await inTransaction(pool(), (tx) =>
    bindTariff(tx, { organisation: code, tariff: tariffCode, from: '2026-01-01' }, by),
  );
  return org.id;
};
const at = async (now: string) => {
  test.clock.set(now);
  await rollOverPoolsAt(pool(), test.clock.now());
  await runDueBilling({ pool: pool(), clock: test.clock });
};
const lines = async (orgId: number, month: string) =>
  (
    await pool().query<{ text: string }>(
      `select concat_ws(' ', b.version, n.kind, n.quantity, n.amount_minor, to_char(n.corrects_on, 'YYYY-MM')) as text
       from bill_lines n join bills b on b.id = n.bill_id
       where b.org_id = $1 and to_char(b.month_on, 'YYYY-MM') = $2 order by b.version, n.line`,
      [orgId, month],
    )
  ).rows.map(({ text }) => text);

it.each([
  // One cycle begins in November, on the 15th.
  ['full month', 'twenty', [0, 2000, 2000, 2000], [['1 pool-cycle 1 2000']]],
  // Ten of thirty days have begun.
  ['day', 'one', [1000, 3000, 3000, 3000], Array.from({ length: 30 }, () => ['1 pool-cycle 1 100'])],
] as const)(
  'an estimate has the fee of each cycle of a pool once: %s',
  async (resetCycle, code, expected, billed) => {
    const now = '2026-10-15T02:00:00Z';
    test.clock.set(now);
    const orgId = await makeCustomer(`estimated-${code}`, code);
    await makePool(pool(), orgId, { now: new Date(now), resetCycle });
    test.clock.set('2026-11-10T02:00:00Z');
    await rollOverPoolsAt(pool(), test.clock.now());
    const customer = await findCustomer(pool(), orgId);
    if (!customer) throw new Error('No customer');
    const { currencies } = await computeEstimate(pool(), { customer, now: test.clock.now() });
    const fees = currencies.flatMap(({ parts }) => parts).filter(({ kind }) => kind === 'pool-cycle');
    expect(fees.map((one) => [one.so_far_minor, one.low_minor, one.expected_minor, one.high_minor])).toEqual([
      expected,
    ]);
    await at('2026-12-02T16:30:00Z');
    expect(await lines(orgId, '2026-11')).toEqual(billed.flat());
  },
);

it('a pool’s cycle that no bill charged the fee of is not charged for it as a correction', async () => {
  test.clock.set('2026-09-15T02:00:00Z');
  const orgId = await makeCustomer('began-in-october', 'twenty');
  await makePool(pool(), orgId, { now: test.clock.now(), resetCycle: 'full month' });
  // The first published month is October: the fee of the cycle that began on 15 September is on no bill.
  await at('2026-11-02T16:30:00Z');
  await at('2026-12-02T16:30:00Z');
  expect(await lines(orgId, '2026-10')).toEqual(['1 pool-cycle 1 2000']);
  expect(await lines(orgId, '2026-11')).toEqual(['1 pool-cycle 1 2000']);
});

it('the fee of a bill that was reissued by another tariff stays as it is', async () => {
  test.clock.set('2026-10-15T02:00:00Z');
  const orgId = await makeCustomer('reissued', 'twenty');
  await makePool(pool(), orgId, { now: test.clock.now(), resetCycle: 'full month' });
  await at('2026-11-02T16:30:00Z');
  const { rows } = await pool().query<{ number: string }>(
    `select 'BILL-2026-10-' || lpad(serial::text, 5, '0') as number from bills where org_id = $1`,
    [orgId],
  );
  const by = { actor: operatorActor(), at: test.clock.now(), reason: 'Wrong tariff', tariff: 'ten' };
  await reissueBill(pool(), rows[0]?.number ?? '', by);
  expect(await lines(orgId, '2026-10')).toEqual(['1 pool-cycle 1 2000', '2 pool-cycle 1 1000']);
  await at('2026-12-02T16:30:00Z');
  await at('2027-01-02T16:30:00Z');
  expect(await lines(orgId, '2026-11')).toEqual(['1 pool-cycle 1 2000']);
  // The cycle of 15 October ended in November, whose bill is charged by the organisation's own tariff.
  expect(await lines(orgId, '2026-12')).toEqual(['1 pool-cycle 1 2000']);
});
