import type { Estimate } from '@simcube/contract/finance';
import type pg from 'pg';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import { inSnapshot } from '../../../platform/db/index.ts';
import { billMonth } from '../bill.rules.ts';
import { type LineBook, lineBook } from '../charges/line-book.rules.ts';
import { chargePools } from '../charges/pool-charges.service.ts';
import { chargeSims } from '../charges/section-charges.service.ts';
import { type Customer, listSections } from '../customers.views.ts';
import { eachCustomer } from '../customers-at-once.ts';
import { writeEstimate } from './kept-estimates.queries.ts';
import { listOutdated } from './kept-estimates.views.ts';
import { currenciesOf, spreadOf } from './outlook.rules.ts';
import { expectMessages, expectPools, expectSims } from './outlook.service.ts';
import { listDailyUsage } from './outlook.views.ts';

/**
 * The expected total of a customer's running month. Charges so far are what a draft of the month would contain
 * now, computed by the functions that make drafts; the rest of the month is added to three further books.
 */
export const computeEstimate = (
  pool: pg.Pool,
  { customer, now }: { customer: Customer; now: Date },
): Promise<Estimate> =>
  inSnapshot(pool, async (sql) => {
    const month = billMonth(dashboardDays.monthOf(now));
    const soFar = lineBook();
    const books = { low: lineBook(), expected: lineBook(), high: lineBook() };
    const all = together(soFar, Object.values(books));
    let unpriced = 0;
    let usageDays = 0;
    for (const orgId of await listSections(sql, customer.id)) {
      const section = {
        ...{ orgId, customerId: customer.id, month, terms: customer.terms, tariffId: null },
        source: 'counters',
      } as const;
      const days = await listDailyUsage(sql, { orgId, now });
      usageDays = Math.max(usageDays, days.length);
      const outlook = { section, now, books, spread: spreadOf({ days, now, until: month.until }) };
      for await (const { untariffed, basis } of chargeSims(sql, all, section, { corrects: true })) {
        unpriced += untariffed;
        await expectSims(sql, outlook, basis);
      }
      unpriced += await chargePools(sql, all, { section, corrects: true });
      await expectPools(sql, outlook);
      await expectMessages(sql, outlook);
    }
    return {
      ...{ month: month.month, computed_at: now.toISOString() },
      ...{ usage_days: usageDays, unpriced_cycles: unpriced },
      currencies: currenciesOf({
        soFar: soFar.bills(),
        low: books.low.bills(),
        expected: books.expected.bills(),
        high: books.high.bills(),
      }),
    };
  });

/** A book whose charges are also added to others. */
const together = (book: LineBook, others: readonly LineBook[]): LineBook => ({
  ...book,
  add: (facts, amounts) => {
    for (const other of others) other.add(facts, amounts);
    return book.add(facts, amounts);
  },
});

const hoursKept = 6;
const hourMs = 3_600_000;

/**
 * Computes the estimates that are for another month or some hours old: customers are found by their state, and
 * each is computed separately.
 */
export const estimateDue = async (
  { pool, now }: { pool: pg.Pool; now: Date },
  signal?: AbortSignal,
): Promise<void> => {
  const month = dashboardDays.monthOf(now);
  const before = new Date(now.getTime() - hoursKept * hourMs);
  await eachCustomer(pool, await listOutdated(pool, { month, before }), async (customer) => {
    if (signal?.aborted) return;
    await writeEstimate(pool, customer.id, await computeEstimate(pool, { customer, now }));
  });
};
