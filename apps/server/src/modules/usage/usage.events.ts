import { hourMs } from '@simcube/contract/time';
import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** Maximum number of SIMs in one fact. */
export const simsPerFact = 1000;

/** Maximum number of hours in one fact; for a batch with more, screens query again. */
export const hoursPerFact = 48;

/** Usage was counted by one batch. */
export const usageRecorded = defineEvent({
  topic: 'usage.recorded',
  payload: z.object({
    /** Facts of earlier versions lack this, the third figure of a SIM, and the hours. */
    at: z.iso.datetime().optional(),
    /** ICCID, bytes, and the resulting usage of the running cycle. */
    sims: z.array(z.tuple([z.string(), z.number(), z.number().optional()])).max(simsPerFact),
    /** Total usage of the organisation by hour (since 1970). */
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
    /** The new state, one of `dataState`. */
    dataState: z.number().int(),
    rateKbps: z.number().int().nullable(),
    at: z.iso.datetime(),
  }),
  live: ({ iccid, overLimit, at }) =>
    overLimit ? [{ name: 'sim.event', data: { iccid, kind: 'quota-reached', at } }] : [],
});

/** Records of SIMs arrived that may have triggered what their organisation watches for. */
export const usageWatchReached = defineEvent({
  topic: 'usage.watch-reached',
  payload: z.object({
    /** SIM, and when the record ended, milliseconds. */
    sims: z.array(z.tuple([z.number(), z.number()])).max(simsPerFact),
  }),
});

/** The cycle of a slowed or stopped SIM has turned: its data is open again. */
export const usageReopened = defineEvent({
  topic: 'usage.reopened',
  payload: z.object({ simId: z.number(), iccid: z.string(), dataStateBefore: z.number().int() }),
  live: () => [{ name: 'sim.changed', data: { count: 1 } }],
});
