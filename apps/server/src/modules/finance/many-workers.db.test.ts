import { endpoints } from '@simcube/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions } from '../../platform/db/index.ts';
import { registerConsumers } from '../../platform/outbox/index.ts';
import { makeOrganisation, signedInAs, type TestApp, testApp } from '../../testing/app.ts';
import { applyPrices, makePricedBundles, makeSimWithBundles, takeRecords } from '../../testing/prices.ts';
import { runProgram } from '../../testing/run-program.ts';
import { turnDueCycles } from '../usage/cycle-turns.service.ts';
import { checkBill } from './check/check.service.ts';
import { listCustomers } from './customers.views.ts';
import { draftMonth } from './drafts/draft.service.ts';
import { publishMonth } from './publication/publication.service.ts';

const megabyte = 2 ** 20;
const customers = ['one', 'two', 'three'];
/** The 1st and the 3rd after each month, at 00:30 in UTC+8. */
const days = ['2026-08-31', '2026-09-02', '2026-09-30', '2026-10-02'].map((day) => `${day}T16:30:00Z`);
const killsADay = 2;

let test: TestApp;
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-08-01T00:00:00Z');
  await ensurePartitions(pool(), new Date('2026-07-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  await makePricedBundles(pool());
  const orgs = await Promise.all(
    customers.map((code) => makeOrganisation(test, { code, parentCode: 'operator' })),
  );
  await applyPrices(test, { organisations: customers });
  for (const org of orgs) {
    const client = await signedInAs(test, 'admin', org);
    const own = { params: { accountId: client.userId } };
    await client.call(endpoints.webhook.setUrl, {
      ...own,
      body: { url: 'https://hooks.example.test/bills' },
    });
    await client.call(endpoints.webhook.setEventTypes, { ...own, body: { event_types: ['bill.published'] } });
    await client.call(endpoints.webhook.setStatus, { ...own, body: { status: 'enabled' } });
    const sim = await makeSimWithBundles(test, { orgId: org.id, now: new Date('2026-08-01T02:00:00Z') });
    for (const month of ['08', '09']) {
      test.clock.set(`2026-${month}-20T00:00:00Z`);
      await takeRecords(test, sim.iccid, [
        { at: `2026-${month}-10T00:00:00Z`, bytes: 21 * megabyte, country: 'DE' },
        { at: `2026-${month}-11T00:00:00Z`, bytes: 3 * megabyte + 1, country: 'JP' },
      ]);
    }
  }
  await registerConsumers(pool(), test.wiring.consumers);
});
afterAll(() => test.close());

const kill = fc.oneof(
  fc.tuple(fc.constant('statement'), fc.integer({ min: 1, max: 100 })),
  fc.tuple(fc.constantFrom('before-commit', 'after-commit'), fc.integer({ min: 1, max: 7 })),
);

it('makes each bill, its publication and its event once, whenever it is killed', async () => {
  const kills = fc.array(kill, { minLength: days.length * killsADay, maxLength: days.length * killsADay });
  await fc.assert(
    fc.asyncProperty(kills, async (plan) => {
      const ends: (number | string)[] = [];
      for (const [index, at] of days.entries()) {
        await turnDueCycles({ pool: pool(), now: new Date(at) });
        for (const [step, count] of plan.slice(index * killsADay, (index + 1) * killsADay)) {
          ends.push(await runProgram('bill-steps', [test.database.url, at, step, String(count)]));
          await gone();
        }
        expect(await runProgram('bill-steps', [test.database.url, at, 'none', '1'])).toBe(0);
      }
      expect(ends).toContain('SIGKILL');
    }),
    { numRuns: 1, endOnFailure: true },
  );
  const { rows } = await pool().query<{ number: string; bill: string; facts: number; events: number }>(
    `with numbered as (
       select o.code, b.*, to_char(month_on, 'YYYY-MM') as month,
         'BILL-' || to_char(month_on, 'YYYY-MM') || '-' || lpad(serial::text, 5, '0') as number
       from bills b join organisations o on o.id = b.org_id)
     select number, concat_ws(' ', code, month, type, status) as bill,
       (select count(*)::int from outbox where topic = 'bill.published' and payload->>'number' = number) as facts,
       (select count(*)::int from webhook_events where type = 'bill.published' and strpos(body, number) > 0) as events
     from numbered order by code, month, type`,
  );
  const types = ['advance published', 'post-payment published'];
  expect(rows.map(({ bill }) => bill)).toEqual(
    customers
      .toSorted()
      .flatMap((code) =>
        ['2026-08', '2026-09'].flatMap((month) => types.map((type) => `${code} ${month} ${type}`)),
      ),
  );
  for (const { number, facts, events } of rows) {
    expect({ number, facts, events }).toEqual({ number, facts: 1, events: 1 });
    expect(await checkBill(pool(), number)).toMatchObject({ mismatches: [], late: 0 });
  }
  const { rows: ids } = await pool().query<{ all: number; distinct: number }>(
    'select count(*)::int as all, count(distinct id)::int as distinct from webhook_events',
  );
  expect(ids).toEqual([{ all: rows.length, distinct: rows.length }]);
}, 120_000);

it('drafts and publishes a month once, however many workers come to it', async () => {
  test.clock.set('2026-10-31T16:30:00Z');
  const [customer] = await listCustomers(pool(), 'one');
  if (!customer) throw new Error('No such customer');
  const now = test.clock.now();
  const work = { customer, month: '2026-10', now, since: now };
  const done = <T>(results: readonly (T | undefined)[]) => results.filter((result) => result !== undefined);
  const drafts = await Promise.all([1, 2, 3].map(() => draftMonth(pool(), work)));
  expect(done(drafts)).toEqual([1]);
  const published = await Promise.all([1, 2, 3].map(() => publishMonth(pool(), work)));
  expect(done(published)).toEqual([{ published: 1, held: 0 }]);
});

/** What a killed worker had locked is free when the database has noticed. */
const gone = () =>
  expect
    .poll(
      async () =>
        (await pool().query(`select 1 from pg_stat_activity where application_name = 'bill steps'`)).rowCount,
    )
    .toBe(0);
