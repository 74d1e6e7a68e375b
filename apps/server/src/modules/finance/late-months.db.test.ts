import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../testing/app.ts';
import { bundleOf } from '../../testing/bundles.ts';
import { makeSim } from '../../testing/inventory.ts';
import { applyPrices, makePricedBundles, makeSimWithBundles, tariff } from '../../testing/prices.ts';
import { createBundle } from '../bundle/index.ts';
import { endOrders, endPreActivations } from '../bundle/lifecycle/lifecycle.service.ts';
import { orderBundle } from '../bundle/lifecycle/ordering.service.ts';
import { turnDueCycles } from '../usage/cycle-turns.service.ts';
import { listCustomers } from './customers.views.ts';
import { runDueBilling } from './finance.jobs.ts';
import { publishMonth } from './publication/publication.service.ts';

let test: TestApp;
let orgId: number;
let made = 0;
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-09-01T00:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-07-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  await makePricedBundles(pool());
  await createBundle(
    pool(),
    bundleOf({ code: 'MONTH', type: 'postpaid bundle', reset_cycle: 'month', duration_days: null }),
  );
  await createBundle(
    pool(),
    bundleOf({ code: 'DAY', type: 'postpaid bundle', reset_cycle: 'day', duration_days: null }),
  );
  await createBundle(
    pool(),
    bundleOf({ code: 'TEN', type: 'postpaid bundle', reset_cycle: 'full month', duration_days: 10 }),
  );
  const bundles = { MONTH: { cycle: '4.99' }, DAY: { cycle: '1' }, TEN: { activation: '10' } };
  const versions = [{ starts_on: '2026-01-01', bundles }];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['operator'] });
});
beforeEach(async () => {
  test.clock.set('2026-09-01T00:00:00Z');
  made += 1;
  orgId = (await makeOrganisation(test, { code: `customer-${made}`, parentCode: 'operator' })).id;
  await makeSimWithBundles(test, { orgId, now: new Date('2026-09-01T02:00:00Z'), bundles: ['MONTH'] });
});
afterAll(() => test.close());

const turnCycles = () => turnDueCycles({ pool: pool(), now: test.clock.now() });
const bill = () => runDueBilling({ pool: pool(), clock: test.clock });
const workAt = async (now: string) => {
  test.clock.set(now);
  await turnCycles();
  await bill();
};
const published = async () =>
  (
    await pool().query<{ text: string }>(
      `select concat_ws(' ', to_char(month_on, 'YYYY-MM'), status, total_minor, (issued_at at time zone 'UTC')::date) as text
       from bills where org_id = $1 order by month_on`,
      [orgId],
    )
  ).rows.map(({ text }) => text);

it('months that ended while no worker ran are billed when it runs again, once', async () => {
  await workAt('2026-10-02T16:30:00Z');
  await workAt('2026-12-02T16:30:00Z');
  await workAt('2026-12-02T17:30:00Z');
  expect(await published()).toEqual([
    '2026-09 published 499 2026-10-02',
    '2026-10 published 499 2026-12-02',
    '2026-11 published 499 2026-12-02',
  ]);
});

it('a first month that was drafted, but not published in time, is billed', async () => {
  await workAt('2026-09-30T16:30:00Z');
  await workAt('2026-11-02T16:30:00Z');
  expect(await published()).toEqual(['2026-09 published 499 2026-11-02', '2026-10 published 499 2026-11-02']);
});

it('bills of a new customer begin with the due month', async () => {
  await workAt('2026-11-02T16:30:00Z');
  expect(await published()).toEqual(['2026-10 published 499 2026-11-02']);
});

it('a customer whose late month fails blocks only its own later months', async () => {
  const ids = [orgId, (await makeOrganisation(test, { code: `next-${made}`, parentCode: 'operator' })).id];
  const codes = [`customer-${made}`, `next-${made}`];
  await makeSimWithBundles(test, { orgId: ids[1] ?? 0, now: test.clock.now(), bundles: ['MONTH'] });
  await workAt('2026-09-30T16:30:00Z');
  await pool().query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse before update on bills for each row
      when (new.org_id = ${orgId} and new.month_on = '2026-09-01') execute function refuse()`);
  const logged: unknown[] = [];
  const log = { error: (facts: object) => logged.push(facts) } as unknown as Log;
  test.clock.set('2026-11-02T16:30:00Z');
  await turnCycles();
  const run = runDueBilling({ pool: pool(), clock: test.clock }, { log });
  await expect(run).rejects.toThrow(`${codes[0]}: refused`);
  expect(logged).toEqual([expect.objectContaining({ customer: codes[0], month: '2026-09' })]);
  expect((await published()).map((text) => text.slice(0, 13))).toEqual(['2026-09 draft']);
  await pool().query('drop trigger refuse on bills');
  const [first, next] = ids;
  orgId = next ?? 0;
  const both = ['2026-09 published 499 2026-11-02', '2026-10 published 499 2026-11-02'];
  expect(await published()).toEqual(both);
  orgId = first ?? 0;
  await bill();
  expect(await published()).toEqual(both);
});

describe('bills after a downtime wait for', () => {
  const begin = new Date('2026-09-01T02:00:00Z');
  const run = () => ({ pool: pool(), now: test.clock.now() });
  const waiting = { DAY: ['DAY'], TEN: ['TEN', 'TEN', 'TEN'] };
  const makeSimWith = (bundle: keyof typeof waiting) =>
    makeSimWithBundles(test, { orgId, now: begin, bundles: waiting[bundle] });
  const makePreActivated = async () => {
    const { iccid } = await makeSim(pool(), orgId, { lifecycle: 'pre-activated' });
    await pool().query('update sims set pre_activation_ends_at = $2 where iccid = $1', [
      iccid,
      '2026-09-20T00:00:00Z',
    ]);
    await inTransaction(pool(), (tx) =>
      orderBundle(tx, { iccids: [iccid], bundleCode: 'MONTH', count: 1, now: begin }),
    );
  };

  it.each([
    // 30 days of September.
    ['cycles', () => makeSimWith('DAY'), turnCycles, 499 + 3000],
    // Begun on the 1st, 11th and 21st.
    ['orders', () => makeSimWith('TEN'), () => endOrders(run()), 499 + 3000],
    ['pre-activation periods', makePreActivated, () => endPreActivations(run()), 499 + 499],
  ])('%s that ended in their month', async (_, makeWaiting, process, total) => {
    test.clock.set('2026-10-02T16:30:00Z');
    await turnCycles();
    await makeWaiting();
    const [customer] = (await listCustomers(pool())).filter(({ id }) => id === orgId);
    if (!customer) throw new Error('The customer was not made');
    const work = { customer, month: '2026-09', now: test.clock.now() };
    await bill();
    expect((await published()).map((text) => text.split(' ')[1])).toEqual(['draft']);
    await expect(publishMonth(pool(), work)).rejects.toThrow(
      `${customer.code} 2026-09: cycles, orders or pre-activation periods of 1 SIMs ended`,
    );
    await process();
    await turnCycles();
    await bill();
    expect(await published()).toEqual([`2026-09 published ${total} 2026-10-02`]);
  });

  it('SIMs of their own customer alone', async () => {
    await makeSimWith('DAY');
    const other = await makeOrganisation(test, { code: `other-${made}`, parentCode: 'operator' });
    test.clock.set('2026-10-02T16:30:00Z');
    await bill();
    const { rows } = await pool().query(
      'select from bill_months where org_id = $1 and published_at is not null',
      [other.id],
    );
    expect(rows).toHaveLength(1);
  });
});
