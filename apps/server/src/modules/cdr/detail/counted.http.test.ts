import { endpoints } from '@simcube/contract';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, signedInAs, type TestApp, testApp } from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { makePool, orderShared } from '../../../testing/pools.ts';
import {
  applyPrices,
  importUsage,
  makePricedBundles,
  makeSimWithBundles,
  tariff,
} from '../../../testing/prices.ts';
import { operatorActor } from '../../audit/index.ts';
import { bindTariff } from '../../price/index.ts';
import { applyTariffs } from '../../price/tariffs/tariffs.service.ts';

const { cdr, sim, task } = endpoints;
const megabyte = 2 ** 20;

let test: TestApp;

beforeAll(async () => {
  test = await testApp();
  await makeOrganisation(test, { code: 'operator' });
  await makePricedBundles(test.database.pool);
});
afterAll(() => test.close());

it('a record of a SIM that was transferred away still names its bundle, its order and its price', async () => {
  const { pool } = test.database;
  const acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  const other = await makeOrganisation(test, { code: 'other', parentCode: 'operator' });
  await applyPrices(test, { organisations: ['acme'] });
  const admin = await signedInAs(test, 'admin', acme);
  await test.wiring.org.addMembership(pool, {
    userId: admin.userId,
    orgId: other.id,
    role: 'admin',
    oversight: false,
  });
  const now = new Date('2026-11-21T06:00:00Z');
  const { iccid } = await makeSimWithBundles(test, { orgId: acme.id, now });
  await importUsage(test, iccid, [{ at: '2026-11-21T08:00:00Z', bytes: megabyte, country: 'JP' }]);
  const params = { partnerCode: 'acme' };
  const seen = async () => {
    const list = await admin.call(cdr.list, { params, body: {} });
    const [row] = list.body.data;
    const { body } = await admin.call(cdr.detail, { params: { recordId: row?.id ?? '' } });
    return [
      row?.bundle,
      body.data.bundle,
      body.data.counted.order?.bundle_name,
      body.data.rated?.price_micros,
    ];
  };
  const expected = ['EU bundle', 'EU bundle', 'EU bundle', 123_456];
  expect(await seen()).toEqual(expected);

  test.clock.advance(1000);
  const selection = { iccids: [iccid] };
  await admin.call(sim.transfer, { body: { selection, target_code: 'other', preview: false } });
  await runJobs(test.database, test.wiring.jobs);
  const later = { at: '2026-11-21T11:00:00Z', bytes: 1, country: 'DE' } as const;
  await importUsage(test, iccid, [later]);
  expect(await seen()).toEqual(expected);
  const ordered = await admin.call(cdr.exportAll, {
    params: { ...params, format: 'csv' },
    body: { filter: {}, columns: ['iccid', 'bundle'] },
  });
  await runJobs(test.database, test.wiring.jobs);
  const reference = ordered.body.data.reference_id;
  expect((await admin.call(task.getMine, { params: { taskReference: reference } })).body.data.status).toBe(
    'done',
  );
  const { rows } = await pool.query<{ content: Buffer }>(
    'select content from task_files where task_id = $1 order by part',
    [Number(reference.slice(1))],
  );
  const [, ...lines] = parse(Buffer.concat(rows.map(({ content }) => content)), { bom: true }) as string[][];
  expect(lines).toEqual([[iccid, 'EU bundle']]);
  const owner = await signedInAs(test, 'user', other);
  const theirs = await owner.call(cdr.list, { params: { partnerCode: 'other' }, body: {} });
  expect(theirs.body.data.map(({ ended_at, bundle }) => [ended_at, bundle])).toEqual([
    ['2026-11-21T11:00:00.000Z', 'EU bundle'],
  ]);
});

it('a record that counted for a shared pool is rated by the pool, not against the quota of its SIM', async () => {
  const { pool, clock } = { ...test.database, clock: test.clock };
  const org = await makeOrganisation(test, { code: 'pooling', parentCode: 'operator' });
  const user = await signedInAs(test, 'user', org);
  const now = new Date('2026-11-21T01:00:00Z');
  const by = { actor: operatorActor(), at: clock.now() };
  const shared = await makePool(pool, org.id, { now, quotaBytes: megabyte, policy: 'no limit' });
  await inTransaction(pool, async (tx) => {
    const bundles = { [shared.spec.bundle]: { over: '1' } };
    const versions = [{ starts_on: '2026-01-01', bundles, pool: { over: '0.02' } }];
    await applyTariffs(tx, [tariff({ code: 'pooled', versions })], by);
    await bindTariff(tx, { organisation: 'pooling', tariff: 'pooled', from: '2026-01-01' }, by);
  });
  const { id, iccid } = await makeSim(pool, org.id, { lifecycle: 'active' });
  await orderShared(pool, shared, [iccid], now);
  await shared.enrol([id], now);
  await shared.raise(3 * megabyte, now);
  await importUsage(test, iccid, [
    { at: '2026-11-21T03:00:00Z', bytes: 3 * megabyte, country: 'DE' },
    { at: '2026-11-21T05:00:00Z', bytes: 2 * megabyte, country: 'DE' },
  ]);
  const left = new Date('2026-11-21T06:00:00Z');
  await pool.query('update pool_members set left_at = $2 where sim_id = $1', [id, left]);
  await importUsage(test, iccid, [
    { at: '2026-11-21T07:00:00Z', bytes: megabyte, country: 'DE' },
    { at: '2026-11-21T08:00:00Z', bytes: 1, country: 'DE' },
  ]);
  const { body } = await user.call(cdr.listOfSim, { params: { iccid }, query: { sort: 'ended_at' } });
  const rates = await Promise.all(
    body.data.map(async (row) => {
      const { rated } = (await user.call(cdr.detail, { params: { recordId: row.id } })).body.data;
      return [row.ended_at.slice(11, 13), rated?.included, rated?.price_micros];
    }),
  );
  expect(rates).toEqual([
    ['03', true, null],
    ['05', false, 20_000],
    ['07', true, null],
    ['08', false, 1_000_000],
  ]);
});

it('a record is included while the pool’s usage without what is charged by zone is within its limit', async () => {
  const { pool } = test.database;
  const org = await makeOrganisation(test, { code: 'zoned', parentCode: 'operator' });
  const user = await signedInAs(test, 'user', org);
  const now = new Date('2026-11-21T01:00:00Z');
  const shared = await makePool(pool, org.id, { now, quotaBytes: 4 * megabyte, policy: 'no limit' });
  await pool.query(
    "update bundles set out_of_coverage_policy = 'billing', coverage_countries = '{DE}' where code = $1",
    [shared.spec.bundle],
  );
  const zones = { asia: '0.123456', rest: '1.5' };
  const versions = [{ starts_on: '2026-01-01', bundles: {}, pool: { over: '0.02' }, zones }];
  await applyPrices(test, { tariffs: [tariff({ code: 'zoned', versions })], organisations: ['zoned'] });
  const { id, iccid } = await makeSim(pool, org.id, { lifecycle: 'active' });
  await orderShared(pool, shared, [iccid], now);
  await shared.enrol([id], now);
  await importUsage(test, iccid, [
    { at: '2026-11-21T03:00:00Z', bytes: 3 * megabyte, country: 'DE' },
    { at: '2026-11-21T05:00:00Z', bytes: 2 * megabyte, country: 'JP' },
    { at: '2026-11-21T07:00:00Z', bytes: megabyte, country: 'DE' },
    { at: '2026-11-21T09:00:00Z', bytes: 1, country: 'DE' },
  ]);
  const { body } = await user.call(cdr.listOfSim, { params: { iccid }, query: { sort: 'ended_at' } });
  const rates = await Promise.all(
    body.data.map(async (row) => {
      const { rated } = (await user.call(cdr.detail, { params: { recordId: row.id } })).body.data;
      return [rated?.included, rated?.price_micros];
    }),
  );
  expect(rates).toEqual([
    [true, null],
    [false, 123_456],
    [true, null],
    [false, 20_000],
  ]);
});

it('a record of a SIM from another organisation is rated against all usage of its cycle, like its cost', async () => {
  const acme = await makeOrganisation(test, { code: 'from', parentCode: 'operator' });
  const other = await makeOrganisation(test, { code: 'into', parentCode: 'operator' });
  await applyPrices(test, { organisations: ['from', 'into'] });
  const admin = await signedInAs(test, 'admin', acme);
  await test.wiring.org.addMembership(test.database.pool, {
    userId: admin.userId,
    orgId: other.id,
    role: 'admin',
    oversight: false,
  });
  const owner = await signedInAs(test, 'admin', other);
  const { iccid } = await makeSimWithBundles(test, { orgId: acme.id, now: new Date('2026-11-21T06:00:00Z') });
  await importUsage(test, iccid, [{ at: '2026-11-21T07:00:00Z', bytes: 9 * megabyte, country: 'DE' }]);
  const selection = { iccids: [iccid] };
  await admin.call(sim.transfer, { body: { selection, target_code: 'into', preview: false } });
  await runJobs(test.database, test.wiring.jobs);
  await importUsage(test, iccid, [
    { at: '2026-11-21T11:00:00Z', bytes: megabyte, country: 'DE' },
    { at: '2026-11-21T11:30:00Z', bytes: megabyte, country: 'DE' },
  ]);
  const { data } = (await owner.call(cdr.listOfSim, { params: { iccid }, query: { sort: 'ended_at' } })).body;
  const opened = await Promise.all(
    data.map(async ({ id }) => {
      const { counted, rated } = (await owner.call(cdr.detail, { params: { recordId: id } })).body.data;
      return [counted.used_after_bytes, rated?.included, rated?.price_micros];
    }),
  );
  expect(opened).toEqual([
    [10 * megabyte, true, null],
    [11 * megabyte, false, 15_000],
  ]);
  const listed = (await owner.call(sim.list, { body: {} })).body.data.find((one) => one.iccid === iccid);
  expect(listed?.cycle_usage_bytes).toBe(11 * megabyte);
  expect(listed?.cost).toEqual({ currency: 'EUR', amount_minor: 2 });
});
