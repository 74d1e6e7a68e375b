import { type SimEventReason, simEventReasonSchema } from '@simcube/contract/sim';
import { z } from 'zod';
import type { Sql } from '../../../platform/db/index.ts';
import { defineJob, enqueueMany } from '../../../platform/jobs/index.ts';

/**
 * Asks the gateways of a SIM's sessions for what is due. What that is, is read from the SIM's state when the job runs: of
 * several orders for one SIM the last replaces those that wait.
 */
export const controlJob = defineJob({
  name: 'aaa.control-sessions',
  payload: z.object({
    simId: z.number(),
    /** Why, where the SIM's own state does not say. */
    reason: simEventReasonSchema,
    /** These are to end whatever the SIM's state, closed here already or not. */
    sessionKeys: z.array(z.number()).optional(),
  }),
  maxAttempts: 5,
  timeoutMs: 60_000,
});

export type ControlOrder = z.output<typeof controlJob.payload>;

/** Orders what is due by the SIMs' state; `unlessKnown` only where that is not ordered already and was not dead-lettered. */
export const orderDue = (
  tx: Sql,
  orders: readonly { simId: number; reason: SimEventReason }[],
  { unlessKnown = false } = {},
): Promise<void> =>
  enqueueMany(tx, controlJob, orders, { keyOf: ({ simId }) => `${controlJob.name} ${simId}`, unlessKnown });

/** Orders the end of these sessions. */
export const orderEnd = (
  tx: Sql,
  sessions: readonly { simId: number; sessionKey: number }[],
  reason: SimEventReason,
): Promise<void> => {
  const bySim = new Map<number, number[]>();
  for (const { simId, sessionKey } of sessions) {
    const keys = bySim.get(simId);
    if (keys) keys.push(sessionKey);
    else bySim.set(simId, [sessionKey]);
  }
  const orders = [...bySim].map(([simId, sessionKeys]) => ({ simId, reason, sessionKeys }));
  return enqueueMany(tx, controlJob, orders);
};
