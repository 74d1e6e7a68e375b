import { z } from 'zod';
import { defineJob, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { act, giveUp } from './actions/act.service.ts';
import { sendGathered } from './actions/gather.service.ts';
import { actJob } from './engine/act.job.ts';
import { removeOldFirings } from './engine/firings.queries.ts';
import { findTimesJob, judgeTimesJob } from './engine/time.job.ts';
import { judgeTimes, queueTimes } from './engine/time.service.ts';
import { judgeUsageJob, lookAgainJob } from './engine/usage.job.ts';
import { type JudgeOptions, judgeUsage, lookAgain } from './engine/usage.service.ts';
import { replayJob } from './replay/replay.job.ts';
import { failReplay, removeOldReplays } from './replay/replay.queries.ts';
import { type RunOptions, runReplay } from './replay/run.service.ts';

const firingsAtOnce = 5000;
/** Replays are deleted after this time. */
const replaysKeptMs = 86_400_000;

const purgeJob = defineJob({
  name: 'autoflow.purge-firings',
  payload: z.object({}),
  maxAttempts: 3,
  timeoutMs: 300_000,
  cron: '25 * * * *',
});

const gatherJob = defineJob({
  name: 'autoflow.send-gathered',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutMs: 60_000,
  cron: '* * * * *',
});

export const autoflowJobs = (options: JudgeOptions & RunOptions): JobHandler[] => [
  handlerOf(judgeUsageJob, (payload) => judgeUsage(options, payload)),
  handlerOf(lookAgainJob, (payload, { signal }) => lookAgain({ ...options, signal }, payload)),
  handlerOf(findTimesJob, () => queueTimes(options.pool)),
  handlerOf(judgeTimesJob, (payload, { signal }) => judgeTimes({ ...options, signal }, payload)),
  handlerOf(
    actJob,
    (order) => act(options, order),
    (tx, order) => giveUp(tx, order, { code: 'CB-99-0500', now: options.clock.now() }),
  ),
  handlerOf(
    replayJob,
    ({ id }, { signal }) => runReplay(options, { id, signal }),
    (tx, { id }) => failReplay(tx, id),
  ),
  handlerOf(gatherJob, () => sendGathered(options)),
  handlerOf(purgeJob, async (_, { signal }) => {
    const now = options.clock.now();
    await removeOldReplays(options.pool, new Date(now.getTime() - replaysKeptMs));
    while ((await removeOldFirings(options.pool, { now, limit: firingsAtOnce })) === firingsAtOnce) {
      if (signal.aborted) return;
    }
  }),
];
