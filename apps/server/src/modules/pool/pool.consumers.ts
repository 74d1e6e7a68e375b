import type { z } from 'zod';
import type { Clock } from '../../platform/clock/index.ts';
import { groupBy } from '../../platform/collections/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { type Consumer, defineBatchConsumer, type Fact } from '../../platform/outbox/index.ts';
import { bundleOrderEnded, bundleOrderStarted } from '../bundle/index.ts';
import { simLifecycleChanged } from '../sim/index.ts';
import { enforcePools, evaluatePool } from './limit/limit.service.ts';
import { findDueSims, removeIneligibleMembers, syncMemberships } from './membership/membership.service.ts';
import { poolEvaluated, poolUsageCrossed, simsPerFact } from './pool.events.ts';
import { evaluateEndedCycle } from './rollover.service.ts';

/*
 * Facts are handled in batches, and each batch locks all rows of SIMs before anything of a pool, as in intake. One by
 * one, a fact would lock SIMs while the counter of the one before it is locked.
 */

const unique = (ids: readonly number[]): number[] => [...new Set(ids)].toSorted((a, b) => a - b);

const evaluateUsage = (clock: Clock) =>
  defineBatchConsumer({
    name: 'pool.judge-usage',
    from: 'beginning',
    events: [poolUsageCrossed],
    handleAll: async (tx, facts) => {
      const now = clock.now();
      const crossings = facts.map(({ payload }) => payload as z.output<typeof poolUsageCrossed.payload>);
      const above = crossings.filter(({ simIds }) => simIds !== null);
      const simIds = unique(above.flatMap((one) => one.simIds ?? []));
      if (simIds.length > 0)
        await enforcePools(tx, { poolIds: unique(above.map(({ poolId }) => poolId)), now, simIds });
      const reached = groupBy(
        crossings.filter(({ isReached }) => isReached),
        ({ poolId }) => poolId,
      );
      for (const poolId of unique([...reached.keys()])) {
        const starts = new Set((reached.get(poolId) ?? []).map(({ cycleStartedAt }) => cycleStartedAt));
        await evaluateCycles(tx, { poolId, starts, now });
      }
      return facts.length;
    },
  });

/** `starts`: of the cycles in which a figure was reached; undefined: the running one. */
const evaluateCycles = async (
  tx: Sql,
  { poolId, starts, now }: { poolId: number; starts: ReadonlySet<string | undefined>; now: Date },
): Promise<void> => {
  let isRunning = false;
  for (const start of starts) {
    const isOver =
      start !== undefined && (await evaluateEndedCycle(tx, { poolId, startedAt: new Date(start), now }));
    isRunning ||= !isOver;
  }
  if (isRunning) await evaluatePool(tx, { poolId, now });
};

const enforce = (clock: Clock) =>
  defineBatchConsumer({
    name: 'pool.enforce',
    from: 'beginning',
    events: [poolEvaluated],
    handleAll: async (tx, facts) => {
      const poolIds = unique(
        facts.map(({ payload }) => (payload as z.output<typeof poolEvaluated.payload>).poolId),
      );
      await enforcePools(tx, { poolIds, now: clock.now() });
      return facts.length;
    },
  });

/** An order that began and one that ended say the same: which SIM to look at. */
const simOf = ({ payload }: Fact): number => (payload as z.output<typeof bundleOrderStarted.payload>).simId;

const followBundles = (clock: Clock) =>
  defineBatchConsumer({
    name: 'pool.follow-orders',
    from: 'beginning',
    events: [bundleOrderStarted, bundleOrderEnded],
    handleAll: async (tx, facts) => {
      const simIds = facts.map(simOf);
      await syncMemberships(tx, { simIds: unique(simIds), now: clock.now() });
      // A SIM that left one pool and joins another does so with its next fact, in another transaction: pools are
      // locked in the order of ids.
      const seen = new Set<number>();
      const repeated = simIds.flatMap((simId, index) => {
        if (seen.has(simId)) return [{ simId, index }];
        seen.add(simId);
        return [];
      });
      if (repeated.length === 0) return facts.length;
      const due = await findDueSims(tx, unique(repeated.map(({ simId }) => simId)));
      return repeated.find(({ simId }) => due.has(simId))?.index ?? facts.length;
    },
  });

const ending = new Set(['expired', 'terminated']);

const followSims = (clock: Clock) =>
  defineBatchConsumer({
    name: 'pool.follow-lifecycles',
    from: 'beginning',
    events: [simLifecycleChanged],
    handleAll: async (tx, facts) => {
      const simIds: number[] = [];
      let handled = 0;
      for (const { payload } of facts) {
        const { sims, to } = payload as z.output<typeof simLifecycleChanged.payload>;
        const own = ending.has(to) ? sims.map(({ simId }) => simId) : [];
        if (handled > 0 && simIds.length + own.length > simsPerFact) break;
        simIds.push(...own);
        handled += 1;
      }
      if (simIds.length > 0) await removeIneligibleMembers(tx, { simIds: unique(simIds), now: clock.now() });
      return handled;
    },
  });

export const poolConsumers = ({ clock }: { clock: Clock }): Consumer[] => [
  evaluateUsage(clock),
  enforce(clock),
  followBundles(clock),
  followSims(clock),
];
