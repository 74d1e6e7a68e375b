import { type Consumer, defineConsumer } from '../../platform/outbox/index.ts';
import { bundleAllowanceChanged, bundleOrderStarted, goesOnAfterTest } from '../bundle/index.ts';
import { poolServiceChanged } from '../pool/index.ts';
import { dataState } from '../sim/index.ts';
import { usageReopened, usageThresholdCrossed } from '../usage/index.ts';
import { heardWithoutService, networkEntered } from './aaa.events.ts';
import { isOutsideCoverage } from './aaa.rules.ts';
import { simConsumers } from './aaa.sim-consumers.ts';
import { findCoverage } from './access/access.queries.ts';
import { enqueueControl } from './control/control.job.ts';
import { listOpenSessions } from './control/sessions.views.ts';

/** A SIM that goes on with its next bundle is activated by another consumer, and then has what that bundle allows. */
const enforceUsage = defineConsumer({
  name: 'aaa.enforce-usage',
  from: 'beginning',
  events: [usageThresholdCrossed],
  handle: async (tx, { payload: { simId, dataState: state } }) => {
    if (state === dataState.open || (await goesOnAfterTest(tx, simId))) return;
    await enqueueControl(tx, [{ simId, reason: 'quota-used' }]);
  },
});

/** A stopped SIM has no session; a slowed one gets its full rate back. */
const liftRate = defineConsumer({
  name: 'aaa.lift-rate',
  from: 'beginning',
  events: [usageReopened],
  handle: async (tx, { payload: { simId, dataStateBefore } }) => {
    if (dataStateBefore === dataState.slowed) await enqueueControl(tx, [{ simId, reason: 'cycle-turned' }]);
  },
});

/** Orders that begin or end change the limit, and therefore what a session may do. */
const followAllowance = defineConsumer({
  name: 'aaa.follow-allowance',
  from: 'beginning',
  events: [bundleAllowanceChanged],
  handle: (tx, { payload: { simId, reason } }) => enqueueControl(tx, [{ simId, reason }]),
});

/** Disconnects members of a shared pool that is used up. */
const enforcePools = defineConsumer({
  name: 'aaa.enforce-pools',
  from: 'beginning',
  events: [poolServiceChanged],
  handle: async (tx, { payload: { isStopped, simIds } }) => {
    if (!isStopped) return;
    const online = new Set((await listOpenSessions(tx, simIds)).map(({ simId }) => simId));
    await enqueueControl(
      tx,
      [...online].map((simId) => ({ simId, reason: 'pool-used-up' })),
    );
  },
});

/** Ends a session that began or continues although the SIM must not be online. The sweep retries dead-lettered orders. */
const endWithoutService = defineConsumer({
  name: 'aaa.end-without-service',
  from: 'beginning',
  events: [heardWithoutService],
  handle: (tx, { payload: { sims } }) => enqueueControl(tx, sims, { unlessKnown: true }),
});

/** Ends a session outside the bundle's coverage; the next Access-Request from there is rejected. */
const mindCoverage = defineConsumer({
  name: 'aaa.mind-coverage',
  from: 'beginning',
  events: [networkEntered, bundleOrderStarted],
  handle: async (tx, { payload }) => {
    const { simId } = payload;
    const coverage = await findCoverage(tx, { simId, plmn: 'plmn' in payload ? payload.plmn : null });
    if (!coverage || !isOutsideCoverage(coverage, coverage.country)) return;
    await enqueueControl(tx, [{ simId, reason: 'outside-coverage' }]);
  },
});

export const aaaConsumers: Consumer[] = [
  enforceUsage,
  liftRate,
  followAllowance,
  mindCoverage,
  endWithoutService,
  enforcePools,
  ...simConsumers,
];
