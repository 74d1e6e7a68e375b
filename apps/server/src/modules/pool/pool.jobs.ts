import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { defineSchedule, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { reconcilePools, rollOverPools } from './rollover.service.ts';

const rolloverJob = defineSchedule({
  name: 'pool.turn-cycles',
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
