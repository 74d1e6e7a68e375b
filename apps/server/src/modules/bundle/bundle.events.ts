import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** A bundle order came into use on a SIM. */
export const bundleOrderStarted = defineEvent({
  topic: 'bundle.order-started',
  payload: z.object({
    simId: z.number(),
    iccid: z.string(),
    orderId: z.number(),
    bundleCode: z.string(),
    at: z.iso.datetime(),
  }),
  live: ({ iccid, at }) => [{ name: 'sim.event', data: { iccid, kind: 'bundle-started', at } }],
});
