import { endpoints } from '@simcube/contract';
import type { simListBodySchema } from '@simcube/contract/sim';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { ensurePartitions, inTransaction } from '../../platform/db/index.ts';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { bundleOf } from '../../testing/bundles.ts';
import { makeSim } from '../../testing/inventory.ts';
import { runJobs } from '../../testing/jobs.ts';
import { makePool, orderShared } from '../../testing/pools.ts';
import {
  applyPrices,
  bytesByCountry,
  type CountryRecord,
  importUsage,
  makePricedBundles,
  makeSimWithBundles,
  takeRises,
  tariff,
} from '../../testing/prices.ts';
import { operatorActor } from '../audit/index.ts';
import { createBundle, placeOrders } from '../bundle/index.ts';
import { orderBundle } from '../bundle/lifecycle/ordering.service.ts';
import { listPooledSpans } from '../pool/index.ts';
import { networkUsage } from '../usage/index.ts';
import { refreshStoredCosts } from './costs/stored-costs.service.ts';
import { bindTariff } from './index.ts';
import { applyTariffs } from './tariffs/tariffs.service.ts';

const { bundle, cdr, price, sim } = endpoints;
const megabyte = 2 ** 20;

let test: TestApp;
let acme: { id: number; code: string; tenantId: string };
let branch: { id: number; code: string; tenantId: string };
let other: { id: number; code: string; tenantId: string };
let admin: TestClient;

const by = (at?: string) => ({ actor: operatorActor(), at: at ? new Date(at) : test.clock.now() });
const inTx = <T>(work: Parameters<typeof inTransaction<T>>[1]) => inTransaction(test.database.pool, work);

beforeAll(async () => {
  test = await testApp();
  const { pool } = test.database;
  await ensurePartitions(pool, new Date('2026-09-01T00:00:00Z'), test.clock.now());
  await makeOrganisation(test, { code: 'operator' });
  acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  branch = await makeOrganisation(test, { code: 'branch', parentCode: 'acme' });
  other = await makeOrganisation(test, { code: 'other', parentCode: 'operator' });
  admin = await signedInAs(test, 'admin', branch);
  await makePricedBundles(pool);
  await applyPrices(test, { organisations: ['acme'] });
});
afterAll(() => test.close());

const withBundle = (orgId: number, now: string, bundles?: readonly string[]) =>
  makeSimWithBundles(test, { orgId, now: new Date(now), bundles });

type SimListBody = z.input<typeof simListBodySchema>;
const keep = () =>
  refreshStoredCosts(
    { pool: test.database.pool, networkUsage, listPooledSpans },
    new AbortController().signal,
  );

const take = (iccid: string, records: readonly CountryRecord[]) => importUsage(test, iccid, records);
const costOf = async (iccid: string, client = admin) => {
  const { body } = await client.call(price.simCost, { query: { iccid } });
  return body.data;
};
const brief = async (iccid: string, client = admin) => {
  const cost = await costOf(iccid, client);
  return cost?.lines.map(({ kind, quantity, amount_minor }) => `${kind} ${quantity} ${amount_minor}`);
};

describe('the cost of a SIM in its running cycle', () => {
  it('is made of fees, usage beyond the quota and zone usage at the prices of its ancestor’s tariff', async () => {
    const one = await withBundle(branch.id, '2026-11-21T01:20:00Z', ['EU', 'TOP']);
    const records: CountryRecord[] = [
      { at: '2026-11-21T01:30:00Z', bytes: 9 * megabyte, country: 'DE' },
      { at: '2026-11-21T03:59:59Z', bytes: 8 * megabyte + 1, country: 'DE' },
      { at: '2026-11-21T05:00:00Z', bytes: megabyte, country: 'JP' },
      { at: '2026-11-21T11:59:00Z', bytes: 1, country: 'JP' },
      { at: '2026-11-21T02:00:00Z', bytes: 3 * megabyte, country: 'US' },
      { at: '2026-11-21T02:10:00Z', bytes: 7, country: '' },
    ];
    await take(one.iccid, records);
    await take(one.iccid, records.toReversed());
    const sums = await bytesByCountry(test, one.id, '2026-11-21T01:20:00Z');
    expect(sums).toEqual(
      new Map<string | null, number>([
        ['DE', 17 * megabyte + 1],
        ['JP', megabyte + 1],
        ['US', 3 * megabyte],
        [null, 7],
      ]),
    );
    const cost = await costOf(one.iccid);
    expect(cost).toMatchObject({
      currency: 'EUR',
      total_minor: 100 + 250 + 499 + 5 + 25 + 450,
      tariff: { code: 'standard', starts_on: '2026-01-01' },
      cycle: { started_at: '2026-11-21T01:20:00.000Z', ends_at: '2026-11-22T01:20:00.000Z' },
    });
    expect(
      cost?.lines.map(({ kind, bundle, zone, quantity, bytes, amount_minor }) => [
        kind,
        (bundle ?? zone)?.code,
        quantity,
        bytes,
        amount_minor,
      ]),
    ).toEqual([
      ['activation', 'EU', 1, null, 100],
      ['activation', 'TOP', 1, null, 250],
      ['cycle', 'EU', 1, null, 499],
      ['over-quota', 'EU', 3, 2 * megabyte + 8, 5],
      ['out-of-coverage', 'asia', 2, megabyte + 1, 25],
      ['out-of-coverage', 'rest', 3, 3 * megabyte, 450],
    ]);
  });

  it('counts zones to the record when a cycle ends within an hour, and a late record as a difference', async () => {
    const one = await withBundle(branch.id, '2026-11-19T10:20:00Z');
    await take(one.iccid, [
      { at: '2026-11-20T10:19:59Z', bytes: 5 * megabyte, country: 'JP' },
      { at: '2026-11-20T10:20:00Z', bytes: megabyte, country: 'JP' },
      { at: '2026-11-20T23:30:00Z', bytes: megabyte, country: 'JP' },
      { at: '2026-11-21T08:00:00Z', bytes: megabyte, country: 'JP' },
    ]);
    expect(await brief(one.iccid)).toEqual(['cycle 1 499', 'out-of-coverage 3 37']);
    await take(one.iccid, [{ at: '2026-11-20T10:45:00Z', bytes: 2 * megabyte, country: 'JP' }]);
    expect(await brief(one.iccid)).toEqual(['cycle 1 499', 'out-of-coverage 5 62']);
    await take(one.iccid, [{ at: '2026-11-20T09:45:00Z', bytes: 2 * megabyte, country: 'JP' }]);
    expect(await brief(one.iccid)).toEqual(['cycle 1 499', 'out-of-coverage 5 62']);
  });

  it('is the same in the list of SIMs, in cycles and orders of the SIM and in orders of the organisation', async () => {
    const one = await withBundle(branch.id, '2026-11-21T03:20:00Z', ['EU', 'TOP']);
    await take(one.iccid, [
      { at: '2026-11-21T04:00:00Z', bytes: 20 * megabyte, country: 'DE' },
      { at: '2026-11-21T05:00:00Z', bytes: megabyte, country: 'JP' },
    ]);
    const cost = await costOf(one.iccid);
    const amount = { currency: 'EUR', amount_minor: cost?.total_minor };
    expect(amount.amount_minor).toBe(100 + 250 + 499 + 8 + 12);
    const { body: list } = await admin.call(sim.list, { body: { search: one.iccid } });
    expect(list.data[0]?.cost).toEqual(amount);
    const { body: orders } = await admin.call(bundle.listOrders, { body: { iccid: one.iccid } });
    const { body: all } = await admin.call(bundle.list, { body: { search: one.iccid } });
    for (const { data } of [orders, all]) {
      expect(new Map(data.map((order) => [order.bundle.code, order.cost]))).toEqual(
        new Map<string, unknown>([
          ['EU', amount],
          ['TOP', null],
        ]),
      );
    }
    const { body: cycles } = await admin.call(bundle.listCycles, { body: { iccid: one.iccid } });
    expect(cycles.data.map(({ current, cost: shown }) => [current, shown])).toEqual([[true, amount]]);
    for (const { method, path: url } of [bundle.exportOrders, bundle.exportCycles]) {
      const sent = { method, url, headers: admin.headers, payload: { iccid: one.iccid } };
      expect((await test.app.inject(sent)).payload).toMatch(/,8\.69,EUR[,\r]/);
    }
  });

  it('filters and sorts SIMs in lists, as of the last minute', async () => {
    const org = await makeOrganisation(test, { code: 'kept', parentCode: 'acme' });
    const client = await signedInAs(test, 'admin', org);
    const [fees, more, most] = [
      await withBundle(org.id, '2026-11-21T03:20:00Z'),
      await withBundle(org.id, '2026-11-21T03:20:00Z'),
      await withBundle(org.id, '2026-11-21T03:20:00Z', ['EU', 'TOP']),
    ];
    const unpriced = await makeSim(test.database.pool, org.id);
    const listed = async (body: SimListBody) => {
      const { body: answer } = await client.call(sim.list, { body });
      return answer.data.map(({ iccid, cost }) => [iccid, cost?.amount_minor ?? null]);
    };
    await keep();
    expect(await listed({ sort: '-cost' })).toEqual([
      [most.iccid, 849],
      [more.iccid, 599],
      [fees.iccid, 599],
      [unpriced.iccid, null],
    ]);
    await take(more.iccid, [{ at: '2026-11-21T05:00:00Z', bytes: 25 * megabyte, country: 'US' }]);
    await keep();
    expect(await takeRises(test)).toContainEqual([more.id, 'EUR', 599, 599 + 25 * 150]);
    const moved = [more.iccid, 599 + 25 * 150];
    expect(await listed({ cost_min: 5.99, sort: 'cost' })).toEqual([
      ...[[fees.iccid, 599], [most.iccid, 849], moved],
    ]);
    expect(await listed({ cost_min: 8.5 })).toEqual([moved]);
    expect(await listed({ cost_max: 5.99 })).toEqual([[fees.iccid, 599]]);
    await take(more.iccid, [{ at: '2026-11-21T04:00:00Z', bytes: megabyte, country: 'JP' }]);
    const topUp = { bundleCode: 'TOP', count: 1, now: new Date('2026-11-21T06:00:00Z') };
    await inTx((tx) => orderBundle(tx, { ...topUp, iccids: [fees.iccid] }));
    await keep();
    expect(await listed({ cost_min: 8.49, cost_max: 8.49 })).toEqual([
      [fees.iccid, 849],
      [most.iccid, 849],
    ]);
    expect(await listed({ cost_min: 43.61, cost_max: 43.61 })).toEqual([[more.iccid, 599 + 25 * 150 + 12]]);
  });

  it('is announced before an activation, as the price of the bundle that starts', async () => {
    const waiting = await makeSim(test.database.pool, branch.id, { lifecycle: 'pre-activated' });
    await placeOrders(test.database.pool, [
      { simId: waiting.id, bundleCode: 'EU', orderedAt: test.clock.now() },
    ]);
    const selection = { iccids: [waiting.iccid] };
    const { body } = await admin.call(bundle.previewActivation, { body: { selection } });
    const price = { currency: 'EUR', activation_micros: 1_000_000, cycle_micros: 4_990_000 };
    const activations = [{ bundle: { code: 'EU', name: 'EU bundle' }, orders: 1, price }];
    expect(body.data).toMatchObject({ changing: 1, activations });
    const asked = await admin.call(bundle.activate, { body: { selection, preview: true } });
    expect(asked.body.data?.preview).toMatchObject({ activations });
  });

  it('is announced before bundles are renewed, added or changed, as their price today', async () => {
    await createBundle(test.database.pool, bundleOf({ code: 'B30', orderable: true }));
    const one = await withBundle(branch.id, '2026-11-21T02:00:00Z');
    const ending = await withBundle(branch.id, '2026-11-20T02:00:00Z', ['B30']);
    const body = { selection: { iccids: [one.iccid] }, preview: true };
    const renewal = { selection: { iccids: [ending.iccid] }, preview: true };
    for (const [answer, code, activation_micros] of [
      [await admin.call(bundle.topUp, { body: { ...body, bundle_code: 'TOP' } }), 'TOP', 2_500_000],
      [await admin.call(bundle.change, { body: { ...body, bundle_code: 'B30', when: 'now' } }), 'B30', 0],
      [await admin.call(bundle.renew, { body: renewal }), 'B30', 0],
    ] as const) {
      const price = { currency: 'EUR', activation_micros, cycle_micros: 0 };
      expect(answer.body.data?.preview?.lines).toMatchObject([{ bundle: { code }, price }]);
    }
  });

  it('has a price for each of its records when the record is opened', async () => {
    const own = await withBundle(branch.id, '2026-11-20T12:00:00Z');
    await take(own.iccid, [
      { at: '2026-11-21T08:00:00Z', bytes: 10 * megabyte, country: 'DE' },
      { at: '2026-11-21T09:00:00Z', bytes: 1, country: 'JP' },
      { at: '2026-11-21T10:00:00Z', bytes: 1, country: 'DE' },
    ]);
    const { body } = await admin.call(cdr.listOfSim, { params: { iccid: own.iccid }, query: {} });
    const rates = await Promise.all(
      body.data.map(
        async ({ id }) => (await admin.call(cdr.detail, { params: { recordId: id } })).body.data.rated,
      ),
    );
    const standard = { tariff: 'Standard', tariff_from: '2026-01-01', currency: 'EUR', unit: 'MB' };
    const rest = 'Rest of the world';
    expect(rates).toEqual([
      { ...standard, zone: rest, included: false, price_micros: 15_000 },
      { ...standard, zone: 'Asia', included: false, price_micros: 123_456 },
      { ...standard, zone: rest, included: true, price_micros: null },
    ]);
  });

  it('is none without a tariff or a bundle, and not found for others’ SIMs', async () => {
    const plain = await makeSim(test.database.pool, branch.id);
    expect(await costOf(plain.iccid)).toBeNull();
    const foreign = await withBundle(other.id, '2026-11-21T01:00:00Z');
    const foreigner = await signedInAs(test, 'user', other);
    expect(await costOf(foreign.iccid, foreigner)).toBeNull();
    const { http, body } = await admin.call(price.simCost, { query: { iccid: foreign.iccid } });
    expect([http, body.status.code]).toEqual([404, 'CB-01-0001']);
  });

  it('is shown to everyone who may see SIMs', async () => {
    const one = await withBundle(branch.id, '2026-11-21T02:00:00Z');
    expect(await brief(one.iccid, await signedInAs(test, 'user', branch))).toEqual([
      'activation 1 100',
      'cycle 1 499',
    ]);
  });

  it('is that of the organisation’s own tariff from the day on which it is bound', async () => {
    const later = tariff({
      code: 'special',
      currency: 'JPY',
      versions: [{ starts_on: '2026-01-01', bundles: { EU: { cycle: 120.5 } } }],
    });
    const own = await makeOrganisation(test, { code: 'own', parentCode: 'acme' });
    const client = await signedInAs(test, 'admin', own);
    const before = await withBundle(own.id, '2026-11-20T02:00:00Z');
    await inTx(async (tx) => {
      await applyTariffs(tx, [later], by());
      await bindTariff(tx, { organisation: 'own', tariff: 'special' }, by('2026-11-20'));
    });
    const after = await withBundle(own.id, '2026-11-21T02:00:00Z');
    expect(await costOf(after.iccid, client)).toMatchObject({ currency: 'JPY', total_minor: 121 });
    expect(await costOf(before.iccid, client)).toMatchObject({ currency: 'EUR', total_minor: 599 });
    await expect(
      inTx((tx) => bindTariff(tx, { organisation: 'own', tariff: 'standard', from: '2026-11-20' }, by())),
    ).rejects.toThrow('already has prices');
  });

  it('is filtered and sorted by a tariff that was bound in the meantime', async () => {
    const org = await makeOrganisation(test, { code: 'rebound', parentCode: 'acme' });
    const below = await makeOrganisation(test, { code: 'below', parentCode: 'rebound' });
    const client = await signedInAs(test, 'admin', below);
    const one = await withBundle(below.id, '2026-11-21T02:00:00Z');
    const listed = (cost: number) => client.call(sim.list, { body: { cost_min: cost, cost_max: cost } });
    const found = async (cost: number) => (await listed(cost)).body.data.map(({ iccid }) => iccid);
    await keep();
    expect(await found(5.99)).toEqual([one.iccid]);
    const bundles = { EU: { cycle: 7 } };
    await inTx(async (tx) => {
      await applyTariffs(
        tx,
        [tariff({ code: 'rebinding', versions: [{ starts_on: '2026-01-01', bundles }] })],
        by(),
      );
      await bindTariff(tx, { organisation: org.code, tariff: 'rebinding' }, by('2026-11-20'));
    });
    await keep();
    expect(await found(7)).toEqual([one.iccid]);
    expect(await found(5.99)).toEqual([]);
    await inTx((tx) => bindTariff(tx, { organisation: org.code, tariff: null }, by('2026-11-20')));
    await keep();
    expect(await found(5.99)).toEqual([one.iccid]);
  });

  it('of a transferred SIM is the new organisation’s zone usage, without earlier fees', async () => {
    const one = await withBundle(branch.id, '2026-11-21T06:10:00Z');
    const from = await signedInAs(test, 'admin', branch);
    await test.wiring.org.addMembership(test.database.pool, {
      userId: from.userId,
      orgId: acme.id,
      role: 'admin',
      oversight: false,
    });
    await take(one.iccid, [{ at: '2026-11-21T11:50:00Z', bytes: 4 * megabyte, country: 'JP' }]);
    const { body } = await from.call(sim.transfer, {
      body: { selection: { iccids: [one.iccid] }, target_code: 'acme', preview: false },
    });
    expect(body.status.code).toBe('CB-00-0000');
    const client = await signedInAs(test, 'user', acme);
    const priced = async () => (await client.call(sim.list, { body: { cost_min: 0 } })).body.data;
    await keep();
    await runJobs(test.database, test.wiring.jobs);
    expect(await priced()).toEqual([]);
    await take(one.iccid, [{ at: '2026-11-21T11:55:00Z', bytes: megabyte, country: 'JP' }]);
    expect(await brief(one.iccid, client)).toEqual(['out-of-coverage 1 12']);
    expect((await from.call(price.simCost, { query: { iccid: one.iccid } })).http).toBe(404);
    await keep();
    expect(await priced()).toMatchObject([{ iccid: one.iccid, cost: { amount_minor: 12 } }]);
  });
});

describe('the cost of a shared pool in its running cycle', () => {
  it('is its fee and what is beyond its limit; its members pay only for what they used outside of it', async () => {
    const { pool } = test.database;
    const now = new Date('2026-11-21T01:00:00Z');
    const org = await makeOrganisation(test, { code: 'pooling', parentCode: 'operator' });
    const client = await signedInAs(test, 'admin', org);
    const shared = await makePool(pool, org.id, { now, quotaBytes: megabyte, policy: 'no limit' });
    await inTx(async (tx) => {
      const bundles = { [shared.spec.bundle]: { over: '1' } };
      const versions = [{ starts_on: '2026-01-01', bundles, pool: { cycle: '25', over: '0.02' } }];
      await applyTariffs(tx, [tariff({ code: 'pooled', versions })], by());
      await bindTariff(tx, { organisation: 'pooling', tariff: 'pooled', from: '2026-01-01' }, by());
    });
    const sims = await Promise.all([1, 2].map(() => makeSim(pool, org.id, { lifecycle: 'active' })));
    const [member, leaver] = sims.map(({ iccid }) => iccid) as [string, string];
    await orderShared(pool, shared, [member, leaver], now);
    await shared.enrol(
      sims.map(({ id }) => id),
      now,
    );
    const query = { poolId: String(shared.id) };
    const cost = async () => (await client.call(price.poolCost, { query })).body.data;
    await take(member, [{ at: '2026-11-21T03:00:00Z', bytes: 5 * megabyte, country: 'DE' }]);
    await take(leaver, [{ at: '2026-11-21T03:30:00Z', bytes: 3 * megabyte, country: 'JP' }]);
    expect(await cost()).toMatchObject({
      currency: 'EUR',
      total_minor: 2500 + 12,
      tariff: { code: 'pooled' },
      lines: [
        { kind: 'pool-cycle', bundle: null, zone: null, quantity: 1, amount_minor: 2500 },
        { kind: 'over-pool-limit', quantity: 6, bytes: 6 * megabyte, amount_minor: 12 },
      ],
    });
    expect(await brief(member, client)).toEqual([]);
    expect(await brief(leaver, client)).toEqual([]);
    const { body: members } = await client.call(endpoints.pool.sims, { params: query });
    const nothing = { currency: 'EUR', amount_minor: 0 };
    expect(members.data.map((one) => one.cost)).toEqual([nothing, nothing]);

    await pool.query('update pool_members set left_at = $2 where sim_id = $1', [
      sims[1]?.id,
      new Date('2026-11-21T04:00:00Z'),
    ]);
    await take(leaver, [{ at: '2026-11-21T05:00:00Z', bytes: 2 * megabyte, country: 'DE' }]);
    expect(await brief(leaver, client)).toEqual(['over-quota 1 100']);
    expect((await cost())?.total_minor).toBe(2512);
    const foreign = await admin.call(price.poolCost, { query });
    expect([foreign.http, foreign.body.status.code]).toEqual([404, 'CB-03-0001']);
  });
});
