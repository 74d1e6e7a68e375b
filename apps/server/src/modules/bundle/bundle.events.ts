import { simEventReasonSchema } from '@simcube/contract/sim';
import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** Maximum number of SIMs in one fact. */
export const simsPerFact = 1000;

const orderFact = {
  simId: z.number(),
  iccid: z.string(),
  orderId: z.number(),
  bundleCode: z.string(),
  at: z.iso.datetime(),
};

/** A bundle order started on a SIM. */
export const bundleOrderStarted = defineEvent({
  topic: 'bundle.order-started',
  payload: z.object(orderFact),
  live: ({ iccid, at }) => [{ name: 'sim.event', data: { iccid, kind: 'bundle-started', at } }],
});

/** A bundle order is no longer in use. */
export const bundleOrderEnded = defineEvent({
  topic: 'bundle.order-ended',
  payload: z.object({ ...orderFact, reason: simEventReasonSchema }),
  live: ({ iccid, at }) => [{ name: 'sim.event', data: { iccid, kind: 'bundle-ended', at } }],
});

/** The start or end of an order changed the SIM's data state: open, slowed or stopped. */
export const bundleAllowanceChanged = defineEvent({
  topic: 'bundle.allowance-changed',
  payload: z.object({
    simId: z.number(),
    iccid: z.string(),
    /** The new value of `dataState`. */
    dataState: z.number().int(),
    rateKbps: z.number().int().nullable(),
    reason: simEventReasonSchema,
  }),
});

/** The expected end of SIMs of one organisation changed. */
export const lifecycleEndsMoved = defineEvent({
  topic: 'bundle.lifecycle-ends-moved',
  payload: z.object({
    simIds: z.array(z.number()).max(simsPerFact),
    /** The task that did it. */
    task: z.string().optional(),
  }),
});
