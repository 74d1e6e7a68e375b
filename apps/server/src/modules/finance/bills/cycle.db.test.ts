import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { makePool, orderShared } from '../../../testing/pools.ts';
import { applyPrices, importUsage, makePricedBundles, tariff } from '../../../testing/prices.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { runDueBilling } from '../finance.jobs.ts';
import { findBilledCycle } from './cycle.views.ts';

const megabyte = 2 ** 20;

let test: TestApp;
let roaming: { id: number; iccid: string };
let pooled: { id: number; iccid: string };
const pool = () => test.database.pool;

interface LineOfSim {
  bill_id: number;
  line: number;
  what: string;
  cycle_at: Date;
  megabytes: number;
}
const linesOf = async (simId: number) =>
  (
    await pool().query<LineOfSim>(
      `select c.bill_id, c.line, concat_ws(' ', n.kind, n.zone_code) as what, c.cycle_started_at as cycle_at,
         (c.bytes / 1048576)::int as megabytes
       from bill_charges c join bill_lines n using (bill_id, line)
       where c.sim_id = $1 and n.kind in ('over-quota', 'out-of-coverage') order by 3`,
      [simId],
    )
  ).rows;

const open = ({ bill_id: billId, line, cycle_at }: LineOfSim, iccid: string, now = test.clock.now()) =>
  findBilledCycle(pool(), { billId, line, iccid, cycleAt: cycle_at.toISOString(), now });

/** Each line with its charge and the cycle that it opens into. */
const openedOf = async ({ id, iccid }: { id: number; iccid: string }) => {
  const opened: Record<string, unknown> = {};
  for (const opening of await linesOf(id)) {
    const { what, megabytes } = opening;
    const cycle = await open(opening, iccid);
    const beyond = cycle?.days.reduce((sum, day) => sum + day.beyond_bytes, 0) ?? 0;
    const isZone = what.startsWith('out');
    opened[what] = {
      charged: megabytes,
      shown: (isZone ? (cycle?.used_bytes ?? 0) : beyond) / megabyte,
      days: cycle?.days.map(({ day, bytes }) => `${day} ${bytes / megabyte}`),
      records: cycle?.records,
      countries: cycle?.countries,
      used_up_at: cycle?.used_up_at,
    };
  }
  return opened;
};

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-10-01T02:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  const acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  await makePricedBundles(pool());
  const shared = await makePool(pool(), acme.id, {
    now: test.clock.now(),
    bundle: 'SHARED',
    quotaBytes: 10 * megabyte,
    policy: 'no limit',
  });
  await pool().query(
    `update bundles set out_of_coverage_policy = 'billing', coverage_countries = '{DE}' where code = 'SHARED'`,
  );
  const prices = { bundles: { SHARED: { over: '0.01' } }, zones: { asia: '0.1', rest: '1' } };
  const versions = [{ starts_on: '2026-01-01', ...prices }];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['acme'] });
  roaming = await makeSim(pool(), acme.id, { lifecycle: 'active' });
  pooled = await makeSim(pool(), acme.id, { lifecycle: 'active' });
  await orderShared(pool(), shared, [roaming.iccid, pooled.iccid], test.clock.now());
  const at = (day: number) => `2026-10-${String(day).padStart(2, '0')}T12:00:00Z`;
  const used = (day: number, size: number, country: 'DE' | 'JP' | 'US') => ({
    at: at(day),
    bytes: size * megabyte,
    country,
  });
  test.clock.set('2026-10-10T02:00:00Z');
  await importUsage(test, roaming.iccid, [
    ...[used(2, 8, 'DE'), used(3, 5, 'JP'), used(4, 3, 'US'), used(5, 1, 'JP'), used(6, 6, 'DE')],
  ]);
  await importUsage(test, pooled.iccid, [used(8, 12, 'DE')]);
  await shared.enrol([pooled.id], test.clock.now());
  test.clock.set('2026-10-20T02:00:00Z');
  await importUsage(test, pooled.iccid, [used(12, 7, 'DE'), used(13, 1, 'JP')]);
  test.clock.set('2026-11-02T16:30:00Z');
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await runDueBilling({ pool: pool(), clock: test.clock });
});
afterAll(() => test.close());

describe('the cycle behind a bill line', () => {
  it('has the usage of the line’s zone, or the usage that counted towards the quota', async () => {
    expect(await openedOf(roaming)).toEqual({
      'out-of-coverage asia': {
        charged: 6,
        shown: 6,
        days: ['2026-10-03 5', '2026-10-05 1'],
        records: { within: 2, beyond: 0 },
        countries: ['JP'],
        used_up_at: null,
      },
      'out-of-coverage rest': {
        charged: 3,
        shown: 3,
        days: ['2026-10-04 3'],
        records: { within: 1, beyond: 0 },
        countries: ['US'],
        used_up_at: null,
      },
      'over-quota': {
        charged: 4,
        shown: 4,
        days: ['2026-10-02 8', '2026-10-06 6'],
        records: { within: 1, beyond: 1 },
        countries: null,
        used_up_at: '2026-10-06T12:00:00.000Z',
      },
    });
  });

  it('omits usage that counted for a shared pool, except usage in a zone', async () => {
    expect(await openedOf(pooled)).toMatchObject({
      'out-of-coverage asia': { charged: 1, shown: 1, days: ['2026-10-13 1'] },
      'over-quota': { charged: 2, shown: 2, days: ['2026-10-08 12'], records: { within: 0, beyond: 1 } },
    });
  });

  it('has only its charges once its records are no longer retained', async () => {
    const [line] = await linesOf(roaming.id);
    if (!line) throw new Error('No line was charged');
    const openAt = (now: string) => open(line, roaming.iccid, new Date(now));
    expect(await openAt('2027-10-31T23:59:59Z')).toMatchObject({
      records_since: null,
      used_bytes: 6 * megabyte,
    });
    expect(await openAt('2027-12-01T00:00:00Z')).toMatchObject({
      records_since: '2026-11-01T00:00:00.000Z',
      used_bytes: 0,
      used_up_at: null,
      days: [],
      charged: [{ month: '2026-10', quantity: 6 }],
    });
  });
});
