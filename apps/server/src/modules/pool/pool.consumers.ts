import type { Clock } from '../../platform/clock/index.ts';
import { type Consumer, defineConsumer } from '../../platform/outbox/index.ts';
import { bundleOrderEnded, bundleOrderStarted } from '../bundle/index.ts';
import { simLifecycleChanged } from '../sim/index.ts';
import { enforcePool, judgePool } from './limit.service.ts';
import { followLifecycles, followOrders } from './membership.service.ts';
import { poolJudged, poolUsageCrossed } from './pool.events.ts';

/** Rows of SIMs are locked before the pool's counters, as in intake. */
const judgeUsage = (clock: Clock) =>
  defineConsumer({
    name: 'pool.judge-usage',
    from: 'beginning',
    events: [poolUsageCrossed],
    handle: async (tx, { payload: { poolId, isReached, simIds } }) => {
      const now = clock.now();
      if (simIds) await enforcePool(tx, { poolId, now, simIds });
      if (isReached) await judgePool(tx, { poolId, now });
    },
  });

const enforce = (clock: Clock) =>
  defineConsumer({
    name: 'pool.enforce',
    from: 'beginning',
    events: [poolJudged],
    handle: (tx, { payload: { poolId } }) => enforcePool(tx, { poolId, now: clock.now() }),
  });

const followBundles = (clock: Clock) =>
  defineConsumer({
    name: 'pool.follow-orders',
    from: 'beginning',
    events: [bundleOrderStarted, bundleOrderEnded],
    handle: (tx, { payload: { simId } }) => followOrders(tx, { simId, now: clock.now() }),
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
      await followLifecycles(tx, { simIds, now: clock.now() });
    },
  });

export const poolConsumers = ({ clock }: { clock: Clock }): Consumer[] => [
  judgeUsage(clock),
  enforce(clock),
  followBundles(clock),
  followSims(clock),
];
