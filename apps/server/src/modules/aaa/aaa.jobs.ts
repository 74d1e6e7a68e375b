import { dayMs } from '@simcube/contract/time';
import { defineSchedule, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { trimRefusals } from './access/refusal-events.queries.ts';
import { controlJob } from './control/control.job.ts';
import { describeFailure } from './control/control.requests.ts';
import { type ControlOptions, createControl } from './control/control.service.ts';
import { createReconciliation } from './control/reconciliation.service.ts';
import { trimRefusedPackets } from './refused/refused-packets.queries.ts';
import { closeSilentSessions } from './sessions/close-sessions.service.ts';
import { dropExpired } from './sessions/drop-expired.service.ts';
import { dropOldSessions } from './sessions/old-sessions.service.ts';
import { sweepConnections } from './sessions/sweep.service.ts';
import { trimUnknownSims } from './unknown/unknown-sims.queries.ts';

const silentSessionMs = dayMs;

const reconcileJob = defineSchedule({
  name: 'aaa.reconcile-network',
  maxAttempts: 1,
  timeoutMs: 55_000,
  cron: '* * * * *',
});

const sweepJob = defineSchedule({
  name: 'aaa.sweep-connections',
  maxAttempts: 1,
  timeoutMs: 55_000,
  cron: '* * * * *',
});

const tidyJob = defineSchedule({
  name: 'aaa.tidy-sessions',
  maxAttempts: 2,
  timeoutMs: 600_000,
  cron: '17 * * * *',
});

export const aaaJobs = (options: ControlOptions): JobHandler[] => {
  const { pool, clock } = options;
  const control = createControl(options);
  const reconciliation = createReconciliation({ pool, clock, control });
  return [
    handlerOf(
      controlJob,
      async (order, { log, attempt }) => {
        // Failures that repeat on each attempt become SIM events only at the first and the last attempt.
        const includeFailures = attempt === 1 || attempt === controlJob.maxAttempts;
        const outcomes = await control.execute(order, { includeFailures });
        log[outcomes.length > 0 ? 'info' : 'debug'](
          { simId: order.simId, reason: order.reason, outcomes },
          'due Disconnects and CoAs sent',
        );
        // The queue retries with growing delays: the gateway may be restarting.
        const failed = outcomes.filter(({ isDone }) => !isDone);
        if (failed.length > 0) throw new Error(failed.map(describeFailure).join('; '));
      },
      (tx, order, { attempts }) => control.recordGivenUp(tx, order, attempts),
    ),
    handlerOf(reconcileJob, async (_, { signal, log }) => {
      const outcome = await reconciliation.run(signal);
      if (outcome.resolved + outcome.ordered > 0) log.info(outcome, 'reconciliation with the network done');
    }),
    handlerOf(sweepJob, async () => {
      await sweepConnections(pool, clock.now());
    }),
    handlerOf(tidyJob, async (_, { log, signal }) => {
      const now = clock.now();
      const closed = await closeSilentSessions(pool, new Date(now.getTime() - silentSessionMs));
      const dropped = await dropOldSessions(pool, now);
      await trimRefusals(pool, now);
      await trimRefusedPackets(pool, now);
      await trimUnknownSims(pool, now);
      await dropExpired(pool, now, { signal });
      if (closed + dropped > 0) log.info({ closed, dropped }, 'stale sessions closed and old ones deleted');
    }),
  ];
};
