import { hourMs } from '@simcube/contract/time';
import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { defineSchedule, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { turnDueCycles } from './cycle-turns.service.ts';
import { refreshDailyFigures } from './usage-figures.queries.ts';
import { refreshRanks } from './usage-figures.service.ts';
import { createUpcomingPartitions, dropOldPartitions } from './usage-partitions.service.ts';

const partitionsJob = defineSchedule({
  name: 'usage.keep-partitions',
  maxAttempts: 5,
  timeoutMs: 120_000,
  cron: '5 */6 * * *',
});

const retentionJob = defineSchedule({
  name: 'usage.drop-old-partitions',
  maxAttempts: 3,
  // Writing a month of a large installation to its file takes hours.
  timeoutMs: 12 * hourMs,
  cron: '35 3 * * *',
});

const rankJob = defineSchedule({
  name: 'usage.refresh-ranks',
  maxAttempts: 1,
  timeoutMs: 240_000,
  cron: '*/5 * * * *',
});

const figuresJob = defineSchedule({
  name: 'usage.refresh-daily-figures',
  maxAttempts: 2,
  timeoutMs: 300_000,
  cron: '2,32 * * * *',
});

const cyclesJob = defineSchedule({
  name: 'usage.turn-cycles',
  maxAttempts: 2,
  timeoutMs: 600_000,
  cron: '1,11,21,31,41,51 * * * *',
});

export interface UsageJobsOptions {
  pool: pg.Pool;
  clock: Clock;
  /** Directory for archive files of months past their retention. */
  archiveDir?: string | undefined;
}

export const usageJobs = ({ pool, clock, archiveDir }: UsageJobsOptions): JobHandler[] => [
  handlerOf(partitionsJob, () => createUpcomingPartitions(pool, clock.now())),
  handlerOf(retentionJob, async (_, { signal, log }) => {
    const { names, archived, waiting } = await dropOldPartitions({
      pool,
      archiveDir,
      signal,
      now: clock.now(),
    });
    if (names.length > 0) log.info({ names, archived }, 'month partitions past their retention were removed');
    if (waiting.length > 0)
      log.warn({ waiting }, 'partitions are waiting for an archive: SIMCUBE_ARCHIVE_DIR is not set');
  }),
  handlerOf(rankJob, () => refreshRanks(pool, clock.now())),
  handlerOf(figuresJob, () => refreshDailyFigures(pool, clock.now())),
  handlerOf(cyclesJob, async (_, { signal, log }) => {
    const turned = await turnDueCycles({ pool, now: clock.now(), signal });
    if (turned > 0) log.info({ turned }, 'usage cycles rolled over');
  }),
];
