import { lifecycleSchema } from '@simcube/contract';
import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

export const simLifecycleChanged = defineEvent({
  topic: 'sim.lifecycle-changed',
  payload: z.object({
    simId: z.number(),
    iccid: z.string(),
    from: lifecycleSchema,
    to: lifecycleSchema,
    reason: z.string(),
    /** Who: a person's name, or the part of the machine that did it. */
    actor: z.string().nullable(),
    at: z.iso.datetime(),
  }),
  live: ({ iccid, at }) => [
    { name: 'sim.event', data: { iccid, kind: 'lifecycle-changed', at } },
    { name: 'sim.changed', data: { count: 1 } },
  ],
});

/** New SIMs of one organisation, a chunk of an import at a time. */
export const simImported = defineEvent({
  topic: 'sim.imported',
  payload: z.object({ count: z.number() }),
  live: ({ count }) => [{ name: 'sim.changed', data: { count } }],
});
