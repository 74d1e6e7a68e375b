import { type Estimate, issueDay } from '@simcube/contract/finance';
import { hourMs } from '@simcube/contract/time';
import type pg from 'pg';
import { addMonths, dashboardDays } from '../../../platform/clock/business-day.ts';
import { inSnapshot } from '../../../platform/db/index.ts';
import { retainedSince } from '../../usage/index.ts';
import { billMonth } from '../bill.rules.ts';
import { createLineBook, type LineBook } from '../charges/line-book.rules.ts';
import { chargePools } from '../charges/pool-charges.service.ts';
import { chargeSims } from '../charges/section-charges.service.ts';
import { type Customer, listSections } from '../customers.views.ts';
import { forEachCustomer } from '../for-each-customer.ts';
import { currenciesOf, spreadOf } from './outlook.rules.ts';
import { addExpectedMessages, addExpectedPools, addExpectedSims } from './outlook.service.ts';
import { listDailyUsage } from './outlook.views.ts';
import { writeEstimate } from './stored-estimates.queries.ts';
import { listOutdated } from './stored-estimates.views.ts';

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
    const soFar = createLineBook();
    const books = { low: createLineBook(), expected: createLineBook(), high: createLineBook() };
    const all = combineBooks(soFar, Object.values(books));
    const corrects = { hoursSince: retainedSince('usage_hourly', now) };
    let unpriced = 0;
    let usageDays = 0;
    for (const orgId of await listSections(sql, customer.id)) {
      const section = {
        orgId,
        customerId: customer.id,
        month,
        terms: customer.terms,
        tariffId: null,
        source: 'counters',
      } as const;
      const days = await listDailyUsage(sql, { orgId, now });
      usageDays = Math.max(usageDays, days.length);
      const outlook = { section, now, books, spread: spreadOf({ days, now, until: month.until }) };
      for await (const { withoutTariff, basis } of chargeSims(sql, all, section, { corrects })) {
        unpriced += withoutTariff;
        await addExpectedSims(sql, outlook, basis);
      }
      unpriced += await chargePools(sql, all, { section, corrects, begunBy: now });
      await addExpectedPools(sql, outlook);
      await addExpectedMessages(sql, outlook);
    }
    return {
      month: month.month,
      computed_at: now.toISOString(),
      usage_days: usageDays,
      unpriced_cycles: unpriced,
      currencies: currenciesOf({
        soFar: soFar.bills(),
        low: books.low.bills(),
        expected: books.expected.bills(),
        high: books.high.bills(),
      }),
    };
  });

/** A book whose charges are also added to others. */
const combineBooks = (book: LineBook, others: readonly LineBook[]): LineBook => ({
  ...book,
  add: (facts, amounts) => {
    for (const other of others) other.add(facts, amounts);
    return book.add(facts, amounts);
  },
});

const maxAgeHours = 6;

/**
 * Computes the estimates that are for another month or some hours old: customers are found by their state, and
 * each is computed separately.
 */
export const computeDueEstimates = async (
  { pool, now }: { pool: pg.Pool; now: Date },
  signal?: AbortSignal,
): Promise<void> => {
  const month = dashboardDays.monthOf(now);
  const before = new Date(now.getTime() - maxAgeHours * hourMs);
  // After that day, drafts failed: this must not hold up the running month.
  const awaitsDrafts = dashboardDays.dayOf(now) <= issueDay(addMonths(month, -1));
  const outdated = await listOutdated(pool, { month, before, awaitsDrafts });
  await forEachCustomer(pool, outdated, async (customer) => {
    if (signal?.aborted) return;
    await writeEstimate(pool, customer.id, await computeEstimate(pool, { customer, now }));
  });
};
