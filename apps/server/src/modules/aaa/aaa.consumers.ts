import { enqueue, enqueueMany } from '../../platform/jobs/index.ts';
import { type Consumer, defineConsumer } from '../../platform/outbox/index.ts';
import { bundleAllowanceChanged, bundleOrderStarted, dataState } from '../bundle/index.ts';
import { usageReopened, usageThresholdCrossed } from '../usage/index.ts';
import { heardWithoutService, networkEntered } from './aaa.events.ts';
import { controlJob } from './aaa.jobs.ts';
import { isOutsideCoverage } from './aaa.rules.ts';
import { simConsumers } from './aaa.sim-consumers.ts';
import { findCoverage } from './access/access.queries.ts';

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

/** Orders that begin and end change the limit, and with it what a session may do. */
const followAllowance = defineConsumer({
  name: 'aaa.follow-allowance',
  events: [bundleAllowanceChanged],
  handle: async (tx, { payload: { simId, dataState: state, rateKbps, reason } }) => {
    await enqueue(
      tx,
      controlJob,
      state === dataState.stopped
        ? { action: 'disconnect', simId, reason }
        : { action: 'rate', simId, rateKbps, reason },
    );
  },
});

/** A session that began, or goes on, although the SIM must not be online, ends. */
const endWithoutService = defineConsumer({
  name: 'aaa.end-without-service',
  events: [heardWithoutService],
  handle: (tx, { payload: { sims } }) =>
    enqueueMany(
      tx,
      controlJob,
      sims.map((sim) => ({ action: 'disconnect' as const, ...sim })),
    ),
});

/** A session that is where the bundle does not reach ends; the next Access-Request from there is refused. */
const mindCoverage = defineConsumer({
  name: 'aaa.mind-coverage',
  events: [networkEntered, bundleOrderStarted],
  handle: async (tx, { payload }) => {
    const { simId } = payload;
    const found = await findCoverage(tx, { simId, plmn: 'plmn' in payload ? payload.plmn : null });
    if (!found || !isOutsideCoverage(found, found.country)) return;
    await enqueue(tx, controlJob, { action: 'disconnect', simId, reason: 'outside-coverage' });
  },
});

export const aaaConsumers: Consumer[] = [
  enforceUsage,
  liftRate,
  followAllowance,
  mindCoverage,
  endWithoutService,
  ...simConsumers,
];
