import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** Maximum number of SIMs in one fact. */
export const risesPerFact = 500;

/** The running cycles of these SIMs cost more than before; in millionths of the currency. */
export const costsRisen = defineEvent({
  topic: 'price.costs-risen',
  payload: z.object({
    sims: z
      .array(
        z.object({
          simId: z.number(),
          cycleStartedAt: z.iso.datetime(),
          currency: z.string(),
          /** 0 if the cycle had cost nothing. */
          formerMicros: z.number(),
          micros: z.number(),
          /** The part that usage does not cause; absent in facts of previous versions. */
          feesMicros: z.number().optional(),
        }),
      )
      .max(risesPerFact),
  }),
});
