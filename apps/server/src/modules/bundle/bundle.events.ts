import { simEventReasonSchema } from '@simcube/contract/sim';
import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** Of one fact about many. */
export const simsPerFact = 1000;

const orderFact = {
  simId: z.number(),
  iccid: z.string(),
  orderId: z.number(),
  bundleCode: z.string(),
  at: z.iso.datetime(),
};

/** A bundle order came into use on a SIM. */
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

/** An order that began or ended changed what a SIM's data may do: opened, slowed down or stopped. */
export const bundleAllowanceChanged = defineEvent({
  topic: 'bundle.allowance-changed',
  payload: z.object({
    simId: z.number(),
    iccid: z.string(),
    /** Of `dataState`: what it is from now on. */
    dataState: z.number().int(),
    rateKbps: z.number().int().nullable(),
    reason: simEventReasonSchema,
  }),
});

/** SIMs of one organisation have another end of their lifecycle ahead than before. */
export const lifecycleEndsMoved = defineEvent({
  topic: 'bundle.lifecycle-ends-moved',
  payload: z.object({ simIds: z.array(z.number()).max(simsPerFact) }),
});
