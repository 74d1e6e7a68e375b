import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

const hourMs = 3_600_000;

/** The most SIMs that one fact carries. */
export const simsPerFact = 1000;

/** The most hours that a fact names; of a batch with more, screens ask again. */
export const hoursPerFact = 48;

/** Usage was counted by one batch. */
export const usageRecorded = defineEvent({
  topic: 'usage.recorded',
  payload: z.object({
    /** Facts of former versions go without this, the third figure of a SIM, and the hours. */
    at: z.iso.datetime().optional(),
    /** ICCID, bytes, and the usage of the running cycle from then on. */
    sims: z.array(z.tuple([z.string(), z.number(), z.number().optional()])).max(simsPerFact),
    /** What the organisation used in all, by the hour (counted since 1970). */
    hours: z
      .array(z.tuple([z.number().int(), z.number()]))
      .max(hoursPerFact)
      .optional(),
  }),
  live: ({ at = null, sims, hours }) => [
    {
      name: 'sim.usage',
      data: {
        at,
        sims: sims.map(([iccid, bytes, used = null]) => ({ iccid, bytes, used })),
        bytes: sims.reduce((sum, [, bytes]) => sum + bytes, 0),
        hours: hours?.map(([hour, bytes]) => ({ at: new Date(hour * hourMs).toISOString(), bytes })) ?? null,
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

/** Records of SIMs came at which what their organisation watches for may have happened. */
export const usageWatchReached = defineEvent({
  topic: 'usage.watch-reached',
  payload: z.object({
    /** SIM and when the record ended, milliseconds. */
    sims: z.array(z.tuple([z.number(), z.number()])).max(simsPerFact),
  }),
});

/** The cycle of a SIM that was slowed or stopped has turned: its data is open again. */
export const usageReopened = defineEvent({
  topic: 'usage.reopened',
  payload: z.object({ simId: z.number(), iccid: z.string(), dataStateBefore: z.number().int() }),
});
