import { dayMs } from '@simcube/contract/time';
import { defineSchedule, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { sendGathered } from './actions/gather.service.ts';
import { giveUp, performAction } from './actions/perform-action.service.ts';
import { removeOldFirings } from './engine/firings.queries.ts';
import { performActionJob } from './engine/perform-action.job.ts';
import { evaluateTimesJob, findTimesJob } from './engine/time.job.ts';
import { evaluateTimes, queueTimeEvaluations } from './engine/time.service.ts';
import { evaluateUsageJob, reevaluateUsageJob } from './engine/usage.job.ts';
import { evaluateUsage, type JudgeOptions, reevaluateUsage } from './engine/usage.service.ts';
import { replayJob } from './replay/replay.job.ts';
import { failReplay, removeOldReplays } from './replay/replay.queries.ts';
import { type RunOptions, runReplay } from './replay/run.service.ts';

const batchSize = 5000;
/** Replays are deleted after this time. */
const replayRetentionMs = dayMs;

const purgeJob = defineSchedule({
  name: 'autoflow.purge-firings',
  maxAttempts: 3,
  timeoutMs: 300_000,
  cron: '25 * * * *',
});

const gatherJob = defineSchedule({
  name: 'autoflow.send-gathered',
  maxAttempts: 1,
  timeoutMs: 60_000,
  cron: '* * * * *',
});

export const autoflowJobs = (options: JudgeOptions & RunOptions): JobHandler[] => [
  handlerOf(evaluateUsageJob, (payload) => evaluateUsage(options, payload)),
  handlerOf(reevaluateUsageJob, (payload, { signal }) => reevaluateUsage({ ...options, signal }, payload)),
  handlerOf(findTimesJob, () => queueTimeEvaluations(options.pool)),
  handlerOf(evaluateTimesJob, (payload, { signal }) => evaluateTimes({ ...options, signal }, payload)),
  handlerOf(
    performActionJob,
    (order) => performAction(options, order),
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
    await removeOldReplays(options.pool, new Date(now.getTime() - replayRetentionMs));
    while ((await removeOldFirings(options.pool, { now, limit: batchSize })) === batchSize) {
      if (signal.aborted) return;
    }
  }),
];
