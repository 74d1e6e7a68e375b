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

/** A separate job, so that failing estimates do not block offers. */
const offersJob = defineJob({
  name: 'finance.offers',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutMs: 3_600_000,
  cron: '50 * * * *',
});

/** Number of months before the due one for which a tariff may still arrive. */
const awaitedMonths = 3;

/**
 * Does the work of the day: drafts of the previous month, once a day, and from the 3rd on its bills, those that
 * await a tariff once a day. Each customer's month is a transaction, found by its state: the next run continues
 * where one stops, and nothing is done twice.
 */
export const billDue = async ({ pool, clock }: FinanceOptions, signal?: AbortSignal): Promise<void> => {
  const now = clock.now();
  const { month, publishes } = workOf(now);
  const today = dashboardDays.startOf(dashboardDays.dayOf(now));
  // The oldest first: a correction must be charged before the next month is computed.
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
