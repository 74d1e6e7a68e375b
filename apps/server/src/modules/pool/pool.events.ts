import { poolEventKinds } from '@simcube/contract/pool';
import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** The most SIMs that one fact names. */
export const simsPerFact = 1000;

const live = ({ poolId }: { poolId: number }) => [
  { name: 'pool.changed' as const, data: { pools: [String(poolId)] } },
];

/**
 * A counter of the pool reached the figure at which its limit has to be looked at; or members used more than their own
 * contribution while the pool is over its limit: then they are named.
 */
export const poolUsageCrossed = defineEvent({
  topic: 'pool.usage-crossed',
  payload: z.object({
    poolId: z.number(),
    /** A figure was reached. */
    isReached: z.boolean(),
    /** Members beyond their own contribution. */
    simIds: z.array(z.number()).nullable(),
  }),
});

/** What decides who is stopped was changed: the pool went over its limit or came back, or its members changed. */
export const poolJudged = defineEvent({
  topic: 'pool.judged',
  payload: z.object({ poolId: z.number() }),
  live,
});

/** Members were stopped as the pool is over its limit, or may go on. */
export const poolServiceChanged = defineEvent({
  topic: 'pool.service-changed',
  payload: z.object({
    poolId: z.number(),
    isStopped: z.boolean(),
    simIds: z.array(z.number()).max(simsPerFact),
  }),
  live,
});

/** An entry of a pool's events was written (specification, section 3, "Pool event kinds"). */
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
