import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** The most SIMs that one fact carries. */
export const simsPerFact = 1000;

/** Usage was counted: ICCID and bytes of each SIM of one batch. */
export const usageRecorded = defineEvent({
  topic: 'usage.recorded',
  payload: z.object({ sims: z.array(z.tuple([z.string(), z.number()])).max(simsPerFact) }),
  live: ({ sims }) => [
    {
      name: 'sim.usage',
      data: {
        sims: sims.map(([iccid, bytes]) => ({ iccid, bytes })),
        bytes: sims.reduce((sum, [, bytes]) => sum + bytes, 0),
      },
    },
  ],
});

/** A SIM's usage passed the lowest figure at which anything happens to it. */
export const usageThresholdCrossed = defineEvent({
  topic: 'usage.threshold-crossed',
  payload: z.object({
    simId: z.number(),
    iccid: z.string(),
    usedBytes: z.number(),
    thresholdBytes: z.number(),
    limitBytes: z.number().nullable(),
    overLimit: z.boolean(),
    /** Of `dataState`: what it is from now on. */
    dataState: z.number().int(),
    rateKbps: z.number().int().nullable(),
    at: z.iso.datetime(),
  }),
  live: ({ iccid, overLimit, at }) =>
    overLimit ? [{ name: 'sim.event', data: { iccid, kind: 'quota-reached', at } }] : [],
});

/** The cycle of a SIM that was slowed or stopped has turned: its data is open again. */
export const usageReopened = defineEvent({
  topic: 'usage.reopened',
  payload: z.object({ simId: z.number(), iccid: z.string(), dataStateBefore: z.number().int() }),
});
