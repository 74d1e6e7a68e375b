import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** The most SIMs that one fact carries. */
export const risesPerFact = 500;

/** The running cycles of these SIMs cost more than before; millionths of the currency. */
export const costsRisen = defineEvent({
  topic: 'price.costs-risen',
  payload: z.object({
    sims: z
      .array(
        z.object({
          simId: z.number(),
          cycleStartedAt: z.iso.datetime(),
          currency: z.string(),
          /** 0 where the cycle had cost nothing. */
          formerMicros: z.number(),
          micros: z.number(),
        }),
      )
      .max(risesPerFact),
  }),
});
