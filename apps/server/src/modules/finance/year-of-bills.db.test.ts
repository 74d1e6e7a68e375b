import { endpoints, limits } from '@simcube/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dashboardDays, setDayOffset } from '../../platform/clock/business-day.ts';
import { registerConsumers } from '../../platform/outbox/index.ts';
import { signedInAs, type TestApp, testApp } from '../../testing/app.ts';
import { type OrgCode, simulateYear, type YearPlan, yearOfBills, yearPlan } from '../../testing/bill-year.ts';
import { expectedYear, lastMonth } from '../../testing/bill-year-expected.ts';
import { expectPoolsVerified } from '../../testing/pools.ts';
import { runProgram } from '../../testing/run-program.ts';
import { operatorActor } from '../audit/index.ts';
import { checkBill } from './check/check.service.ts';
import { runDueBilling } from './finance.jobs.ts';
import { publishBill } from './publication/publication.service.ts';

/** It takes the database some ten seconds, and two starts of the program, per month. */
const oneYear = { numRuns: 1, endOnFailure: true };

/** How each month's work is killed, once, on one of its first three days. */
const death = fc.record({
  day: fc.integer({ min: 1, max: 3 }),
  step: fc.oneof(
    fc.tuple(fc.constant('statement'), fc.integer({ min: 1, max: 100 })),
    fc.tuple(fc.constantFrom('before-commit', 'after-commit'), fc.integer({ min: 1, max: 10 })),
  ),
});
/** Two more months contain the corrections of the last one. */
const deaths = fc.array(death, { minLength: yearOfBills.months + 2, maxLength: yearOfBills.months + 2 });

it('bills a year in agreement with the records despite late records, transfers and changes, and publishes each bill once despite crashes', async () => {
  await fc.assert(
    fc.asyncProperty(yearPlan, deaths, async (plan, dying) => {
      const ends: (number | string)[] = [];
      const left = dying.values();
      let next = left.next().value;
      await billed(plan, {
        begin: async (test, orgs) => {
          for (const id of Object.values(orgs)) await makeDeveloper(test, id);
          await registerConsumers(test.database.pool, test.wiring.consumers);
        },
        before: async (test, dayOfMonth) => {
          if (next?.day === dayOfMonth) ends.push(await runAndDie(test, next.step));
          if (dayOfMonth === 3) next = left.next().value;
        },
        end: async (test) => {
          await runAndDie(test, ['none', 1]);
          await expectSaidOnce(test);
        },
      });
      expect(ends.filter((end) => end === 'SIGKILL').length).toBeGreaterThan(dying.length / 3);
    }),
    oneYear,
  );
}, 400_000);

interface Around {
  begin: (test: TestApp, orgs: Readonly<Record<OrgCode, number>>) => Promise<void>;
  before: (test: TestApp, dayOfMonth: number) => Promise<void>;
  end: (test: TestApp) => Promise<void>;
}

const billed = async (plan: YearPlan, around: Around): Promise<void> => {
  setDayOffset(plan.hours);
  const test = await testApp();
  try {
    const lived = await simulateYear(test, plan, {
      begin: (orgs) => around.begin(test, orgs),
      beforeCycles: (_, day) => around.before(test, day),
      afterCycles: async (_, day) => {
        await Promise.all([due(test), due(test)]);
        if (day < 3) return;
        await expectSums(test);
        await letGo(test);
      },
    });
    await around.end(test);
    const expected = await expectedYear(test, lived);
    expect(await billedYear(test)).toEqual(Object.fromEntries([...expected].toSorted()));
    await expectChecked(test);
    await expectPoolsVerified(test.database.pool, test.clock.now());
  } finally {
    // Later test files run in the same process.
    setDayOffset(limits.dayOffset.usual);
    await test.close();
  }
};

/**
 * Does a day's work on cycles, pools and bills in a separate process, which is killed at a step, and waits
 * until all its locks are released.
 */
const runAndDie = async (
  { clock, database: { url, pool } }: TestApp,
  [step, count]: readonly [string, number],
): Promise<number | string> => {
  const end = await runProgram('bill-steps', [
    ...[url, clock.now().toISOString(), step, String(count), String(dashboardDays.offsetMinutes / 60)],
  ]);
  const sessions = "select 1 from pg_stat_activity where application_name = 'bill steps'";
  await expect.poll(async () => (await pool.query(sessions)).rowCount).toBe(0);
  return end;
};

/** A developer who is sent an event for each bill of an organisation. */
const makeDeveloper = async (test: TestApp, id: number): Promise<void> => {
  const { rows } = await test.database.pool.query<{ code: string; tenantId: string }>(
    'select code, tenant_id as "tenantId" from organisations where id = $1',
    [id],
  );
  const [org] = rows;
  if (!org) throw new Error('No such organisation');
  const client = await signedInAs(test, 'admin', { id, ...org });
  const own = { params: { accountId: client.userId } };
  const { setUrl, setEventTypes, setStatus } = endpoints.webhook;
  await client.call(setUrl, { ...own, body: { url: 'https://hooks.example.test/bills' } });
  await client.call(setEventTypes, { ...own, body: { event_types: ['bill.published'] } });
  await client.call(setStatus, { ...own, body: { status: 'enabled' } });
};

/** Expects each issued bill to be one event for the developers of its organisation. */
const expectSaidOnce = async ({ database: { pool } }: TestApp): Promise<void> => {
  const { rows } = await pool.query<{ number: string; events: number }>(
    `select ${number} as number, (select count(*)::int from webhook_events
       where type = 'bill.published' and strpos(body, ${number}) > 0) as events
     from bills where status <> 'draft'`,
  );
  expect(rows.length).toBeGreaterThan(yearOfBills.months);
  expect(rows.filter(({ events }) => events !== 1)).toEqual([]);
  const { rows: ids } = await pool.query('select count(*)::int as n from webhook_events');
  expect(ids).toEqual([{ n: rows.length }]);
};

const due = ({ database, clock }: TestApp) => runDueBilling({ pool: database.pool, clock });

/** The operator releases bills that were held as unusual. */
const letGo = async ({ database: { pool }, clock }: TestApp): Promise<void> => {
  const { rows } = await pool.query<{ number: string }>(
    `select ${number} as number from bills where status = 'draft' and held_reason is not null`,
  );
  for (const held of rows) await publishBill(pool, held.number, { actor: operatorActor(), at: clock.now() });
};

/** Quantities billed for the months of the year, including corrections by later bills. */
const billedYear = async ({ database: { pool } }: TestApp): Promise<Record<string, bigint>> => {
  const { rows } = await pool.query<{ what: string; quantity: string }>(
    `select concat_ws(' ', to_char(coalesce(n.corrects_on, b.month_on), 'YYYY-MM'), o.code, n.kind,
         coalesce(n.bundle_code, n.zone_code, n.pool_id::text), n.price_micros) as what, sum(n.quantity)::text as quantity
     from bill_lines n join bills b on b.id = n.bill_id join organisations o on o.id = n.org_id
     where coalesce(n.corrects_on, b.month_on) <= $1 group by 1 having sum(n.quantity) <> 0`,
    [`${lastMonth}-01`],
  );
  return Object.fromEntries(
    rows
      .map(({ what, quantity }) => [what, BigInt(quantity)] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
};

const number = `'BILL-' || to_char(month_on, 'YYYY-MM') || '-' || lpad(serial::text, 5, '0')`;
const minorDigits: Record<string, number> = { EUR: 2, JPY: 0, KWD: 3 };

/** Half away from zero, in minor units. */
const rounded = (micros: bigint, currency: string): bigint => {
  const unit = 10n ** BigInt(6 - (minorDigits[currency] ?? 2));
  const size = micros < 0n ? -micros : micros;
  const whole = size / unit + (2n * (size % unit) >= unit ? 1n : 0n);
  return micros < 0n ? -whole : whole;
};

/**
 * Expects a line to be its quantity at its price, rounded once; a pool's line to have a quantity; a bill to be
 * the sum of its lines; and each line the sum of its SIMs.
 */
const expectSums = async ({ database: { pool } }: TestApp): Promise<void> => {
  const { rows: lines } = await pool.query<{
    bill_id: number;
    currency: string;
    total: string;
    exact: string;
    amount: string;
    of_sims: string | null;
    quantity: string;
  }>(
    `select b.id as bill_id, b.currency, b.total_minor::text as total, (n.quantity * n.price_micros)::text as exact,
       n.amount_minor::text as amount, n.quantity::text, case when n.pool_id is null then (
         select coalesce(sum(c.quantity), 0)::text from bill_charges c where c.bill_id = b.id and c.line = n.line) end as of_sims
     from bills b join bill_lines n on n.bill_id = b.id`,
  );
  const totals = new Map<number, { total: bigint; sum: bigint }>();
  for (const line of lines) {
    const amount = rounded(BigInt(line.exact), line.currency);
    expect(BigInt(line.amount)).toBe(amount);
    expect(line.of_sims ?? line.quantity).toBe(line.quantity);
    expect(line.of_sims ?? BigInt(line.quantity)).not.toBe(0n);
    const sums = totals.get(line.bill_id) ?? { total: BigInt(line.total), sum: 0n };
    totals.set(line.bill_id, { ...sums, sum: sums.sum + amount });
  }
  for (const { total, sum } of totals.values()) expect(total).toBe(sum);
  const { rows: unlike } = await pool.query(
    `select bill_id, sim_id from (
       select c.bill_id, c.sim_id, sum(c.quantity * n.price_micros) as micros
       from bill_charges c join bill_lines n using (bill_id, line) group by 1, 2) as k
     full join bill_sims s using (bill_id, sim_id) where k.micros is distinct from s.amount_micros`,
  );
  expect(unlike).toEqual([]);
  const { rows: unlikeLines } = await pool.query(
    `select bill_id, line, sim_id from bill_charges group by 1, 2, 3
     having count(sim_quantity) <> 1 or sum(sim_quantity) <> sum(quantity)`,
  );
  expect(unlikeLines).toEqual([]);
  expect((await pool.query('select from bill_charges where quantity = 0')).rowCount).toBe(0);
};

/** Expects every bill of the year to be the same when computed again, and to be announced once. */
const expectChecked = async ({ database: { pool }, clock }: TestApp): Promise<void> => {
  const { rows: bills } = await pool.query<{ number: string; facts: number; currency: string }>(
    `select ${number} as number, currency,
       (select count(*)::int from outbox f where f.topic = 'bill.published' and f.payload->>'number' = ${number}) as facts
     from bills b where month_on <= $1 order by 1`,
    [`${lastMonth}-01`],
  );
  expect(bills.length).toBeGreaterThan(yearOfBills.months);
  expect([...new Set(bills.map(({ currency }) => currency))].toSorted()).toEqual(['EUR', 'JPY', 'KWD']);
  for (const { number: of, facts } of bills) {
    expect(`${of} ${facts}`).toBe(`${of} 1`);
    expect(await checkBill(pool, of, { now: clock.now() })).toMatchObject({ mismatches: [], late: 0 });
  }
};
