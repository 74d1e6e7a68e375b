import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { defineSchedule, handlerOf, type JobHandler } from '../../../platform/jobs/index.ts';
import { endGraces, endOrders, endPreActivations } from './lifecycle.service.ts';

/*
 * What is due is decided by the SIMs' state, never by when a job last ran: a late run does what was missed, as
 * of the instants at which it was due, and a repeated run finds nothing.
 */

const preActivationsJob = defineSchedule({
  name: 'bundle.end-pre-activations',
  maxAttempts: 2,
  timeoutMs: 600_000,
  cron: '* * * * *',
});

const ordersJob = defineSchedule({
  name: 'bundle.end-orders',
  maxAttempts: 2,
  timeoutMs: 600_000,
  cron: '* * * * *',
});

const gracesJob = defineSchedule({
  name: 'bundle.end-graces',
  maxAttempts: 2,
  timeoutMs: 600_000,
  cron: '*/5 * * * *',
});

export const lifecycleJobs = ({ pool, clock }: { pool: pg.Pool; clock: Clock }): JobHandler[] =>
  (
    [
      [preActivationsJob, endPreActivations],
      [ordersJob, endOrders],
      [gracesJob, endGraces],
    ] as const
  ).map(([job, run]) =>
    handlerOf(job, async (_, { signal, log }) => {
      const count = await run({ pool, now: clock.now(), signal });
      if (count > 0) log.info({ count }, 'SIM lifecycles advanced');
    }),
  );
