import type pg from 'pg';
import { z } from 'zod';
import { addMonths, dashboardDays } from '../../platform/clock/business-day.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { defineJob, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { workOf } from './bill.rules.ts';
import { checkInBackground, checkJob } from './check/shown-check.service.ts';
import { listAwaiting, listDueCustomers } from './customers.views.ts';
import { eachCustomer } from './customers-at-once.ts';
import { draftMonth } from './drafts/draft.service.ts';
import { estimateDue } from './estimate/estimate.service.ts';
import { offersDue } from './offers/offers.service.ts';
import { publishMonth } from './publication/publication.service.ts';

export interface FinanceOptions {
  pool: pg.Pool;
  clock: Clock;
}

const billJob = defineJob({
  name: 'finance.bill',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutMs: 3_600_000,
  cron: '25 * * * *',
});

const estimateJob = defineJob({
  name: 'finance.estimate',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutMs: 3_600_000,
  cron: '40 * * * *',
});

/** A job of its own: estimates that fail keep no offers back. */
const offersJob = defineJob({
  name: 'finance.offers',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutMs: 3_600_000,
  cron: '50 * * * *',
});

/** Months before the one that is due, for which a tariff may still come. */
const awaitedMonths = 3;

/**
 * Makes what the day asks for: drafts of the month before, once a day, and from the 3rd on its bills, those that await a
 * tariff once a day. Each customer's month
 * is a transaction, found by its state: what a run does not reach the next one does, and nothing is done twice.
 */
export const billDue = async ({ pool, clock }: FinanceOptions, signal?: AbortSignal): Promise<void> => {
  const now = clock.now();
  const { month, publishes } = workOf(now);
  const today = dashboardDays.startOf(dashboardDays.dayOf(now));
  // The oldest first: what one corrects is charged before the next one looks.
  for (let before = awaitedMonths; before > 0; before -= 1) {
    const awaited = addMonths(month, -before);
    await eachCustomer(pool, await listAwaiting(pool, { month: awaited, today }), async (customer) => {
      if (!signal?.aborted) await publishMonth(pool, { customer, month: awaited, now, since: today });
    });
  }
  await eachCustomer(pool, await listDueCustomers(pool, { month, publishes, today }), async (customer) => {
    if (signal?.aborted) return;
    const work = { customer, month, now };
    await (publishes ? publishMonth(pool, work) : draftMonth(pool, { ...work, since: today }));
  });
};

export const financeJobs = (options: FinanceOptions): JobHandler[] => [
  handlerOf(billJob, (_, { signal }) => billDue(options, signal)),
  handlerOf(estimateJob, (_, { signal }) =>
    estimateDue({ pool: options.pool, now: options.clock.now() }, signal),
  ),
  handlerOf(offersJob, (_, { signal }) =>
    offersDue({ pool: options.pool, now: options.clock.now() }, signal),
  ),
  handlerOf(checkJob, (bill) => checkInBackground(options, bill)),
];
