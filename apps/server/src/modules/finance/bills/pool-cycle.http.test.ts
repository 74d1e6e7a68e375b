import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, signedInAs, type TestApp, testApp } from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';
import type { TestOrganisation } from '../../../testing/organisations.ts';
import { makePool, orderShared, type TestPool } from '../../../testing/pools.ts';
import { applyPrices, importUsage, makePricedBundles, tariff } from '../../../testing/prices.ts';
import { rollOverPoolsAt } from '../../pool/index.ts';
import { exitSims } from '../../pool/membership/membership.service.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { runDueBilling } from '../finance.jobs.ts';

const { finance, price } = endpoints;
const megabyte = 2 ** 20;

let test: TestApp;
let acme: TestOrganisation;
let branch: TestOrganisation;
let stays: { id: number; iccid: string };
let leaves: { id: number; iccid: string };
let shared: TestPool;
const pool = () => test.database.pool;
const used = (day: string, size: number, country: 'DE' | 'JP') => ({
  at: `2026-10-${day}T12:00:00Z`,
  bytes: size * megabyte,
  country,
});

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-10-01T02:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  branch = await makeOrganisation(test, { code: 'branch', parentCode: 'acme' });
  await makePricedBundles(pool());
  shared = await makePool(pool(), branch.id, {
    now: test.clock.now(),
    bundle: 'SHARED',
    quotaBytes: 2 * megabyte,
    policy: 'no limit',
  });
  await pool().query(
    `update bundles set out_of_coverage_policy = 'billing', coverage_countries = '{DE}' where code = 'SHARED'`,
  );
  const prices = { pool: { cycle: '25', over: '0.02' }, zones: { asia: '0.1', rest: '1' } };
  await applyPrices(test, {
    tariffs: [tariff({ versions: [{ starts_on: '2026-01-01', ...prices }] })],
    organisations: ['acme'],
  });
  stays = await makeSim(pool(), branch.id, { lifecycle: 'active', deviceName: 'Kiosk 1' });
  leaves = await makeSim(pool(), branch.id, { lifecycle: 'active', deviceName: 'Kiosk 2' });
  await orderShared(pool(), shared, [stays.iccid, leaves.iccid], test.clock.now());
  await shared.enrol([stays.id, leaves.id], test.clock.now());
  test.clock.set('2026-10-20T02:00:00Z');
  await importUsage(test, stays.iccid, [used('10', 7, 'DE'), used('11', 1, 'JP')]);
  await importUsage(test, leaves.iccid, [used('12', 2, 'DE')]);
  const membership = { simIds: [leaves.id], reason: 'ordered', now: test.clock.now() } as const;
  await inTransaction(pool(), (tx) => exitSims(tx, membership));
});
afterAll(() => test.close());

const overLimit = {
  used_bytes: 10 * megabyte,
  zoned_bytes: megabyte,
  limit_bytes: 4 * megabyte,
  beyond_bytes: 5 * megabyte,
};

describe('what is charged beyond the limit of a shared pool', () => {
  it('is shown with its calculation while the cycle runs, without charging usage in zones twice', async () => {
    const client = await signedInAs(test, 'admin', branch);
    const { data } = (await client.call(price.poolCost, { query: { poolId: String(shared.id) } })).body;
    expect(data).toMatchObject({
      lines: [
        { kind: 'pool-cycle' },
        { kind: 'over-pool-limit', bytes: overLimit.beyond_bytes, quantity: 5 },
      ],
      over_limit: overLimit,
    });
  });

  it('is traced from the bill to the cycle and each SIM’s usage and contribution', async () => {
    test.clock.set('2026-11-02T16:30:00Z');
    await turnDueCycles({ pool: pool(), now: test.clock.now() });
    await rollOverPoolsAt(pool(), test.clock.now());
    await runDueBilling({ pool: pool(), clock: test.clock });
    const admin = await signedInAs(test, 'admin', acme);
    const [bill] = (await admin.call(finance.list, { body: {} })).body.data;
    const billId = bill?.id ?? '';
    const lines = (await admin.call(finance.details, { query: { billId } })).body.data;
    const lineOf = (kind: string) => lines.find((one) => one.kind === kind)?.line ?? 0;
    expect(lines.find(({ kind }) => kind === 'over-pool-limit')).toMatchObject({
      quantity: 5,
      bytes: overLimit.beyond_bytes,
    });
    for (const kind of ['over-pool-limit', 'pool-cycle']) {
      const line = lineOf(kind);
      const cycle = (await admin.call(finance.poolCycle, { query: { billId, line } })).body.data;
      expect(cycle).toEqual({
        started_at: '2026-09-30T16:00:00.000Z',
        ends_at: '2026-10-31T16:00:00.000Z',
        ...overLimit,
      });
      const members = (await admin.call(finance.listPoolMembers, { body: { billId, line } })).body.data;
      expect(members).toEqual([
        { iccid: stays.iccid, device_name: 'Kiosk 1', used_bytes: 8 * megabyte, own_bytes: 2 * megabyte },
        { iccid: leaves.iccid, device_name: 'Kiosk 2', used_bytes: 2 * megabyte, own_bytes: 2 * megabyte },
      ]);
    }
    const other = lineOf('out-of-coverage');
    expect((await admin.call(finance.poolCycle, { query: { billId, line: other } })).body.data).toBeNull();
    const none = await admin.call(finance.listPoolMembers, { body: { billId, line: other } });
    expect(none.body.data).toEqual([]);
  });
});
