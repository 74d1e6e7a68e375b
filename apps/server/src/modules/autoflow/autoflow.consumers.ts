import type { z } from 'zod';
import type { Clock } from '../../platform/clock/index.ts';
import { inChunks } from '../../platform/collections/index.ts';
import { enqueueMany } from '../../platform/jobs/index.ts';
import { type Consumer, defineBatchConsumer, defineConsumer } from '../../platform/outbox/index.ts';
import { taskProgressed } from '../task/index.ts';
import { usageWatchReached } from '../usage/index.ts';
import { settleTask } from './actions/perform-action.service.ts';
import { countConsumers } from './engine/counts.consumers.ts';
import { factConsumers } from './engine/facts.consumers.ts';
import { timeConsumers } from './engine/time.consumers.ts';
import { evaluateUsageJob, simsPerJob } from './engine/usage.job.ts';

/** Evaluates the records of many intake batches together. */
const evaluateRecords = defineBatchConsumer({
  name: 'autoflow.judge-usage',
  from: 'beginning',
  events: [usageWatchReached],
  handleAll: async (tx, facts) => {
    const seenByOrg = new Map<number, [simId: number, at: number][]>();
    for (const { orgId, payload } of facts) {
      const { sims } = payload as z.output<typeof usageWatchReached.payload>;
      if (orgId !== null) seenByOrg.set(orgId, [...(seenByOrg.get(orgId) ?? []), ...sims]);
    }
    await enqueueMany(
      tx,
      evaluateUsageJob,
      [...seenByOrg].flatMap(([orgId, seen]) =>
        inChunks(seen, simsPerJob).map((part) => ({ orgId, seen: part })),
      ),
    );
    return facts.length;
  },
});

const settle = (clock: Clock) =>
  defineConsumer({
    name: 'autoflow.settle-tasks',
    from: 'beginning',
    events: [taskProgressed],
    handle: async (tx, { payload: { reference, status } }) => {
      if (status !== 'processing') await settleTask(tx, { reference, now: clock.now() });
    },
  });

export const autoflowConsumers = ({ clock }: { clock: Clock }): Consumer[] => [
  evaluateRecords,
  settle(clock),
  ...factConsumers(clock),
  ...timeConsumers(clock),
  ...countConsumers(clock),
];
