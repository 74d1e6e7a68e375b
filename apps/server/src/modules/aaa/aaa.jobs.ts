import { z } from 'zod';
import { defineJob, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { trimRefusals } from './access/refusal-events.queries.ts';
import { type ControlOptions, controlSessions } from './control/control.service.ts';
import { closeSilentSessions } from './sessions/close-sessions.queries.ts';
import { dropOldSessions, sweepConnections, trimRejects } from './sessions/sweep.queries.ts';

const silentSessionMs = 24 * 3_600_000;

/** Tells the gateways of a SIM's open sessions to end them or to change their rate. */
export const controlJob = defineJob({
  name: 'aaa.control-sessions',
  payload: z.discriminatedUnion('action', [
    z.object({
      action: z.literal('disconnect'),
      simId: z.number(),
      reason: z.string(),
      /** These instead of the open ones. */
      sessionKeys: z.array(z.number()).optional(),
    }),
    z.object({
      action: z.literal('rate'),
      simId: z.number(),
      rateKbps: z.number().int().nullable(),
      reason: z.string(),
    }),
  ]),
  maxAttempts: 5,
  timeoutMs: 60_000,
});

const sweepJob = defineJob({
  name: 'aaa.sweep-connections',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutMs: 55_000,
  cron: '* * * * *',
});

const tidyJob = defineJob({
  name: 'aaa.tidy-sessions',
  payload: z.object({}),
  maxAttempts: 2,
  timeoutMs: 600_000,
  cron: '17 * * * *',
});

export const aaaJobs = (options: ControlOptions): JobHandler[] => {
  const { pool, clock } = options;
  return [
    handlerOf(controlJob, async (order, { log }) => {
      const outcomes = await controlSessions(options, order);
      log[outcomes.length > 0 ? 'info' : 'debug'](
        { simId: order.simId, action: order.action, outcomes },
        'gateways were told',
      );
      // The queue tries again, later and later: a gateway may be restarting.
      if (outcomes.some(({ result }) => result === 'timeout')) throw new Error('A gateway did not answer');
    }),
    handlerOf(sweepJob, async () => {
      await sweepConnections(pool, clock.now());
    }),
    handlerOf(tidyJob, async (_, { log }) => {
      const now = clock.now();
      const closed = await closeSilentSessions(pool, new Date(now.getTime() - silentSessionMs));
      const dropped = await dropOldSessions(pool, now);
      await trimRejects(pool, now);
      await trimRefusals(pool, now);
      if (closed + dropped > 0) log.info({ closed, dropped }, 'sessions were tidied up');
    }),
  ];
};
