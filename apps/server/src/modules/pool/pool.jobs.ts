import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../platform/clock/index.ts';
import { defineJob, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { reconcilePools, rollOverPools } from './rollover.service.ts';

const rolloverJob = defineJob({
  name: 'pool.turn-cycles',
  payload: z.object({}),
  maxAttempts: 2,
  timeoutMs: 300_000,
  cron: '* * * * *',
});

export const poolJobs = ({ pool, clock }: { pool: pg.Pool; clock: Clock }): JobHandler[] => [
  handlerOf(rolloverJob, async (_, { log }) => {
    const turned = await rollOverPools({ pool, log, now: clock.now() });
    if (turned > 0) log.info({ turned }, 'cycles of pools rolled over');
    await reconcilePools({ pool, log, now: clock.now() });
  }),
];
