import { enqueue } from '../../platform/jobs/index.ts';
import { type Consumer, defineConsumer } from '../../platform/outbox/index.ts';
import { simLifecycleChanged } from '../sim/index.ts';
import { dataState, usageReopened, usageThresholdCrossed } from '../usage/index.ts';
import { controlJob } from './aaa.jobs.ts';

/** Lifecycles that may have service; whether they do is decided at the next Access-Request. */
const withService = new Set(['active', 'pre-activated']);

const enforceUsage = defineConsumer({
  name: 'aaa.enforce-usage',
  events: [usageThresholdCrossed],
  handle: async (tx, { payload }) => {
    const { simId } = payload;
    if (payload.dataState === dataState.stopped) {
      await enqueue(tx, controlJob, { action: 'disconnect', simId, reason: 'quota-used' });
    } else if (payload.dataState === dataState.slowed) {
      await enqueue(tx, controlJob, {
        action: 'rate',
        simId,
        rateKbps: payload.rateKbps,
        reason: 'quota-used',
      });
    }
  },
});

/** One that was stopped has no session; one that was slowed gets its speed back. */
const liftRate = defineConsumer({
  name: 'aaa.lift-rate',
  events: [usageReopened],
  handle: async (tx, { payload: { simId, dataStateBefore } }) => {
    if (dataStateBefore !== dataState.slowed) return;
    await enqueue(tx, controlJob, { action: 'rate', simId, rateKbps: null, reason: 'cycle-turned' });
  },
});

const disconnectWithoutService = defineConsumer({
  name: 'aaa.disconnect-without-service',
  events: [simLifecycleChanged],
  handle: async (tx, { payload: { simId, to } }) => {
    if (withService.has(to)) return;
    await enqueue(tx, controlJob, { action: 'disconnect', simId, reason: to });
  },
});

export const aaaConsumers: Consumer[] = [enforceUsage, liftRate, disconnectWithoutService];
