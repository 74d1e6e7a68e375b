import { measuredSchema, triggerKindSchema } from '@simcube/contract/autoflow';
import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** Maximum number of firings in one fact. */
export const firingsPerFact = 500;

/** Rules of an organisation have fired; the firings contain the details. */
export const rulesFired = defineEvent({
  topic: 'autoflow.fired',
  payload: z.object({
    at: z.iso.datetime(),
    firings: z
      .array(
        z.object({
          id: z.number(),
          ruleId: z.number(),
          simId: z.number(),
          iccid: z.string(),
          rule: z.string(),
          trigger: triggerKindSchema,
          /** When the triggering event happened. */
          at: z.iso.datetime(),
          measured: measuredSchema,
        }),
      )
      .max(firingsPerFact),
  }),
});
