import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type TestApp, testApp } from '../../testing/app.ts';
import { liveYear, yearOfBills, yearPlan } from '../../testing/bill-year.ts';
import { lastMonth, plainYear } from '../../testing/bill-year-plain.ts';
import { expectPoolsVerified } from '../../testing/pools.ts';
import { operatorActor } from '../audit/index.ts';
import { checkBill } from './check/check.service.ts';
import { billDue } from './finance.jobs.ts';
import { publishBill } from './publication/publication.service.ts';

/** Random years of ten SIMs: each takes the database some ten seconds. */
const years = 2;

it('bills a year as the records add up to it, whatever comes late, moves or changes', async () => {
  await fc.assert(
    fc.asyncProperty(yearPlan, async (plan) => {
      const test = await testApp();
      try {
        const lived = await liveYear(test, plan, async (_, day) => {
          await Promise.all([due(test), due(test)]);
          if (day < 3) return;
          await expectSums(test);
          await letGo(test);
        });
        const expected = await plainYear(test, lived);
        expect(await billedYear(test)).toEqual(Object.fromEntries([...expected].toSorted()));
        await expectChecked(test);
        await expectPoolsVerified(test.database.pool, test.clock.now());
      } finally {
        await test.close();
      }
    }),
    { numRuns: years, endOnFailure: true },
  );
}, 180_000);

const due = ({ database, clock }: TestApp) => billDue({ pool: database.pool, clock });

/** The operator lets bills go that were held as unusual. */
const letGo = async ({ database: { pool }, clock }: TestApp): Promise<void> => {
  const { rows } = await pool.query<{ number: string }>(
    `select ${number} as number from bills where status = 'draft' and held_reason is not null`,
  );
  for (const held of rows) await publishBill(pool, held.number, { actor: operatorActor(), at: clock.now() });
};

/** How many of what were billed for the months of the year, with what later bills corrected of them. */
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

/** A line is its quantity and price, rounded once; a bill the sum of its lines; and each line that of its SIMs. */
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
};

/** Every bill of the year comes to the same when it is computed again, and its publication was said once. */
const expectChecked = async ({ database: { pool } }: TestApp): Promise<void> => {
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
    expect(await checkBill(pool, of)).toMatchObject({ mismatches: [], late: 0 });
  }
};
