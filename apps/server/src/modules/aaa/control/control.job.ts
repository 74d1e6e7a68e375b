import { type SimEventReason, simEventReasonSchema } from '@simcube/contract/sim';
import { z } from 'zod';
import { groupBy } from '../../../platform/collections/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { defineJob, enqueue, enqueueMany } from '../../../platform/jobs/index.ts';

/**
 * Sends the gateways of a SIM's sessions the requests that are due. These are determined from the SIM's state when
 * the job runs, so a newer job for a SIM replaces the waiting ones.
 */
export const controlJob = defineJob({
  name: 'aaa.control-sessions',
  payload: z.object({
    simId: z.number(),
    /** The reason, if the SIM's state does not imply one. */
    reason: simEventReasonSchema,
    /** Sessions to end whatever the SIM's state, even if already closed here. */
    sessionKeys: z.array(z.number()).optional(),
    /** The sessions that have confirmed the SIM's rate: others that are open may have been accepted with the former one. */
    confirmedKeys: z.array(z.number()).optional(),
  }),
  maxAttempts: 5,
  timeoutMs: 60_000,
});

export type ControlOrder = z.output<typeof controlJob.payload>;

/** Queues what the SIMs' state makes due; with `unlessKnown`, only where no job is queued or dead-lettered already. */
export const enqueueControl = (
  tx: Sql,
  orders: readonly { simId: number; reason: SimEventReason }[],
  { unlessKnown = false } = {},
): Promise<void> =>
  enqueueMany(tx, controlJob, orders, {
    keyOf: ({ simId }) => `${controlJob.name} ${simId}`,
    skipExisting: unlessKnown,
  });

/** Queues the end of these sessions. */
export const enqueueDisconnect = (
  tx: Sql,
  sessions: readonly { simId: number; sessionKey: number }[],
  reason: SimEventReason,
): Promise<void> => {
  const orders = [...groupBy(sessions, ({ simId }) => simId)].map(([simId, ofSim]) => ({
    simId,
    reason,
    sessionKeys: ofSim.map(({ sessionKey }) => sessionKey),
  }));
  return enqueueMany(tx, controlJob, orders);
};

/** Longer than a session takes from its Access-Accept to its Start, retransmissions included. */
const startsWithinMs = 60_000;

/** Queues, after a change of a SIM's rate, the same change for sessions that start with the rate of an earlier Accept. */
export const enqueueRateCheck = (
  tx: Sql,
  { simId, reason, confirmedKeys }: Pick<ControlOrder, 'simId' | 'reason'> & { confirmedKeys: number[] },
  now: Date,
): Promise<void> =>
  enqueue(
    tx,
    controlJob,
    { simId, reason, confirmedKeys },
    { key: `${controlJob.name} ${simId} rate`, runAt: new Date(now.getTime() + startsWithinMs) },
  );
