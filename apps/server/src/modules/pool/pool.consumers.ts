import type { Clock } from '../../platform/clock/index.ts';
import { type Consumer, defineConsumer } from '../../platform/outbox/index.ts';
import { bundleOrderEnded, bundleOrderStarted } from '../bundle/index.ts';
import { simLifecycleChanged } from '../sim/index.ts';
import { enforcePool, evaluatePool } from './limit.service.ts';
import { removeIneligibleMembers, syncMembership } from './membership.service.ts';
import { poolEvaluated, poolUsageCrossed } from './pool.events.ts';

/** Rows of SIMs are locked before the pool's counters, as in intake. */
const evaluateUsage = (clock: Clock) =>
  defineConsumer({
    name: 'pool.judge-usage',
    from: 'beginning',
    events: [poolUsageCrossed],
    handle: async (tx, { payload: { poolId, isReached, simIds } }) => {
      const now = clock.now();
      if (simIds) await enforcePool(tx, { poolId, now, simIds });
      if (isReached) await evaluatePool(tx, { poolId, now });
    },
  });

const enforce = (clock: Clock) =>
  defineConsumer({
    name: 'pool.enforce',
    from: 'beginning',
    events: [poolEvaluated],
    handle: (tx, { payload: { poolId } }) => enforcePool(tx, { poolId, now: clock.now() }),
  });

const followBundles = (clock: Clock) =>
  defineConsumer({
    name: 'pool.follow-orders',
    from: 'beginning',
    events: [bundleOrderStarted, bundleOrderEnded],
    handle: (tx, { payload: { simId } }) => syncMembership(tx, { simId, now: clock.now() }),
  });

const ending = new Set(['expired', 'terminated']);

const followSims = (clock: Clock) =>
  defineConsumer({
    name: 'pool.follow-lifecycles',
    from: 'beginning',
    events: [simLifecycleChanged],
    handle: async (tx, { payload: { sims, to } }) => {
      if (!ending.has(to)) return;
      const simIds = sims.map(({ simId }) => simId);
      await removeIneligibleMembers(tx, { simIds, now: clock.now() });
    },
  });

export const poolConsumers = ({ clock }: { clock: Clock }): Consumer[] => [
  evaluateUsage(clock),
  enforce(clock),
  followBundles(clock),
  followSims(clock),
];
