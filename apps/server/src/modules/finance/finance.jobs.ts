import { hourMs } from '@simcube/contract/time';
import type pg from 'pg';
import { addMonths, dashboardDays } from '../../platform/clock/business-day.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { defineSchedule, handlerOf, type JobContext, type JobHandler } from '../../platform/jobs/index.ts';
import { awaitedMonths, billingWork } from './bill.rules.ts';
import { checkInBackground, checkJob } from './check/request-check.service.ts';
import { type Customer, listDueCustomers, listLateCustomers } from './customers.views.ts';
import { type DraftWork, draftMonth } from './drafts/draft.service.ts';
import { computeDueEstimates } from './estimate/estimate.service.ts';
import { type CustomerFailure, throwFailures, tryEachCustomer } from './for-each-customer.ts';
import { computeDueOffers } from './offers/offers.service.ts';
import { MonthUnprocessed, publishMonth } from './publication/publication.service.ts';

export interface FinanceOptions {
  pool: pg.Pool;
  clock: Clock;
}

const billJob = defineSchedule({
  name: 'finance.bill',
  maxAttempts: 1,
  timeoutMs: hourMs,
  cron: '25 * * * *',
});

const estimateJob = defineSchedule({
  name: 'finance.estimate',
  maxAttempts: 1,
  timeoutMs: hourMs,
  cron: '40 * * * *',
});

/** A separate job, so that failing estimates do not block offers. */
const offersJob = defineSchedule({
  name: 'finance.offers',
  maxAttempts: 1,
  timeoutMs: hourMs,
  cron: '50 * * * *',
});

/**
 * Does the work of the day: drafts of the previous month, once a day, and from the 3rd on its bills, those that
 * await a tariff once a day. Before that, bills of earlier months that were not published when they were due. Each
 * customer's month is a transaction, found by its state: the next run continues where one stops, and nothing is done
 * twice. A month of which something is still to be processed waits for a later run. A customer whose month fails blocks
 * only its own later months; all failures are thrown at the end.
 */
export const runDueBilling = async (
  { pool, clock }: FinanceOptions,
  { signal, log }: Partial<Pick<JobContext, 'signal' | 'log'>> = {},
): Promise<void> => {
  const now = clock.now();
  const { month, shouldPublish } = billingWork(now);
  const today = dashboardDays.startOf(dashboardDays.dayOf(now));
  const publish = async (work: DraftWork): Promise<void> => {
    try {
      await publishMonth(pool, work);
    } catch (error) {
      if (!(error instanceof MonthUnprocessed)) throw error;
      log?.warn(
        { customer: work.customer.code, month: work.month, sims: error.sims },
        'bills wait for SIMs whose ended cycles or orders are not processed',
      );
      await draftMonth(pool, { ...work, since: today });
    }
  };
  const failures: CustomerFailure[] = [];
  const forEach = async (
    of: string,
    customers: readonly Customer[],
    work: (customer: Customer) => Promise<unknown>,
  ): Promise<void> => {
    const failed = new Set(failures.map(({ customer }) => customer.id));
    const found = await tryEachCustomer(
      pool,
      customers.filter(({ id }) => !failed.has(id)),
      async (customer) => {
        if (!signal?.aborted) await work(customer);
      },
    );
    for (const { customer, error } of found)
      log?.error({ err: error, customer: customer.code, month: of }, 'the bills of a customer failed');
    failures.push(...found);
  };
  // The oldest first: a correction must be charged before the next month is computed.
  for (let before = awaitedMonths; before > 0; before -= 1) {
    const late = addMonths(month, -before);
    await forEach(late, await listLateCustomers(pool, { month: late, today }), (customer) =>
      publish({ customer, month: late, now, since: today }),
    );
  }
  const due = await listDueCustomers(pool, { month, shouldPublish, today });
  await forEach(month, due, (customer) => {
    const work = { customer, month, now };
    return shouldPublish ? publish(work) : draftMonth(pool, { ...work, since: today });
  });
  throwFailures(failures);
};

export const financeJobs = (options: FinanceOptions): JobHandler[] => [
  handlerOf(billJob, (_, context) => runDueBilling(options, context)),
  handlerOf(estimateJob, (_, { signal }) =>
    computeDueEstimates({ pool: options.pool, now: options.clock.now() }, signal),
  ),
  handlerOf(offersJob, (_, { signal }) =>
    computeDueOffers({ pool: options.pool, now: options.clock.now() }, signal),
  ),
  handlerOf(checkJob, (bill) => checkInBackground(options, bill)),
];
