import { measuredSchema, triggerKindSchema } from '@simcube/contract/autoflow';
import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** The most firings that one fact carries. */
export const firingsPerFact = 500;

/** Rules of an organisation have fired; their firings say for what. */
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
          /** When what it fired for happened. */
          at: z.iso.datetime(),
          measured: measuredSchema,
        }),
      )
      .max(firingsPerFact),
  }),
});
