import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { makePool, orderShared } from '../../../testing/pools.ts';
import { applyPrices, importUsage, makePricedBundles, tariff } from '../../../testing/prices.ts';
import { operatorActor } from '../../audit/index.ts';
import { rollOverPoolsAt } from '../../pool/index.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { runDueBilling } from '../finance.jobs.ts';
import { reissueBill } from '../publication/reissue.service.ts';

const megabyte = 2 ** 20;

let test: TestApp;
let acme: { id: number; code: string };
let sim: { id: number; iccid: string };
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-10-01T02:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-03-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  await makePricedBundles(pool());
  const shared = await makePool(pool(), acme.id, {
    now: test.clock.now(),
    bundle: 'SHARED',
    quotaBytes: 10 * megabyte,
    policy: 'no limit',
  });
  const versions = [{ starts_on: '2026-01-01', pool: { cycle: '4.99', over: '0.01' } }];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['acme'] });
  sim = await makeSim(pool(), acme.id, { lifecycle: 'active' });
  await orderShared(pool(), shared, [sim.iccid], test.clock.now());
  await shared.enrol([sim.id], test.clock.now());
});
afterAll(() => test.close());

const at = async (now: string) => {
  test.clock.set(now);
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await rollOverPoolsAt(pool(), test.clock.now());
  await runDueBilling({ pool: pool(), clock: test.clock });
};
const lines = async (month: string, version = 1) =>
  (
    await pool().query<{ text: string }>(
      `select concat_ws(' ', n.kind, n.quantity, n.amount_minor, to_char(n.corrects_on, 'YYYY-MM')) as text
       from bill_lines n join bills b on b.id = n.bill_id
       where to_char(b.month_on, 'YYYY-MM') = $1 and b.version = $2 order by n.line`,
      [month, version],
    )
  ).rows.map(({ text }) => text);
const reissue = async (month: string) => {
  const { rows } = await pool().query<{ serial: number }>(
    'select distinct serial::int from bills where month_on = $1',
    [`${month}-01`],
  );
  const number = `BILL-${month}-${String(rows[0]?.serial).padStart(5, '0')}`;
  const order = { actor: operatorActor(), at: test.clock.now(), reason: 'Made wrongly', tariff: null };
  return reissueBill(pool(), number, order);
};

describe('the lines of a shared pool', () => {
  it('are those of its month, without corrections of unchanged months', async () => {
    await at('2026-11-02T16:30:00Z');
    await at('2026-12-02T16:30:00Z');
    expect(await lines('2026-10')).toEqual(['pool-cycle 1 499']);
    expect(await lines('2026-11')).toEqual(['pool-cycle 1 499']);
    expect(await reissue('2026-10')).toMatchObject({ version: 2, before: 499, after: 499 });
  });

  it('correct an earlier month by late usage beyond the limit', async () => {
    await importUsage(test, sim.iccid, [
      { at: '2026-11-10T00:00:00Z', bytes: 12 * megabyte - 5, country: 'DE' },
    ]);
    await at('2027-01-02T16:30:00Z');
    expect(await lines('2026-12')).toEqual(['over-pool-limit 2 2 2026-11', 'pool-cycle 1 499']);
    // Within the megabyte that is already charged.
    await importUsage(test, sim.iccid, [{ at: '2026-11-11T00:00:00Z', bytes: 2, country: 'DE' }]);
    await at('2027-02-02T16:30:00Z');
    expect(await lines('2027-01')).toEqual(['pool-cycle 1 499']);
    await expect(reissue('2026-11')).rejects.toThrow('A later bill contains corrections of 2026-11');
  });

  it('of zero neither prevent reissuing a bill nor are copied to the new version', async () => {
    await pool().query(
      `insert into bill_lines select (jsonb_populate_record(null::bill_lines, to_jsonb(n) || jsonb_build_object(
         'line', 9, 'quantity', 0, 'amount_minor', 0, 'corrects_on', '2026-10-01'))).*
       from bill_lines n join bills b on b.id = n.bill_id where b.month_on = '2027-01-01'`,
    );
    expect(await reissue('2026-10')).toMatchObject({ version: 3 });
    await reissue('2027-01');
    expect(await lines('2027-01', 2)).toEqual(['pool-cycle 1 499']);
  });
});
