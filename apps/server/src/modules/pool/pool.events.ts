import { poolEventKinds } from '@simcube/contract/pool';
import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** Maximum number of SIMs in one fact. */
export const simsPerFact = 1000;

const live = ({ poolId }: { poolId: number }) => [
  { name: 'pool.changed' as const, data: { pools: [String(poolId)] } },
];

/**
 * A counter of the pool reached the figure at which the limit must be checked; or members used more than their own
 * contribution while the pool is over its limit, and are listed.
 */
export const poolUsageCrossed = defineEvent({
  topic: 'pool.usage-crossed',
  payload: z.object({
    poolId: z.number(),
    /** The cycle in which it was counted: for late records, one that is over. Facts of earlier versions lack it. */
    cycleStartedAt: z.iso.datetime({ offset: true }).optional(),
    /** Whether a figure was reached. */
    isReached: z.boolean(),
    /** Members beyond their own contribution. */
    simIds: z.array(z.number()).nullable(),
  }),
});

/** The basis for stopping members changed: the pool went over its limit or came back, or its members changed. */
export const poolEvaluated = defineEvent({
  topic: 'pool.judged',
  payload: z.object({ poolId: z.number() }),
  live,
});

/** Members were stopped because the pool is over its limit, or were released. */
export const poolServiceChanged = defineEvent({
  topic: 'pool.service-changed',
  payload: z.object({
    poolId: z.number(),
    isStopped: z.boolean(),
    simIds: z.array(z.number()).max(simsPerFact),
  }),
  live: (fact) => [...live(fact), { name: 'sim.changed', data: { count: fact.simIds.length } }],
});

/** A pool event was recorded (specification, section 3, "Pool event kinds"). */
export const poolEventRecorded = defineEvent({
  topic: 'pool.event-recorded',
  payload: z.object({
    poolId: z.number(),
    poolName: z.string(),
    at: z.iso.datetime({ offset: true }),
    kind: z.enum(poolEventKinds),
    limitBefore: z.number(),
    limitAfter: z.number(),
    used: z.number(),
    sims: z.number(),
  }),
});
