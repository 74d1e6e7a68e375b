import { billTypes } from '@simcube/contract/finance';
import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** A bill, or a new version of one, was published. */
export const billPublished = defineEvent({
  topic: 'bill.published',
  payload: z.object({
    orgId: z.number(),
    number: z.string(),
    version: z.number(),
    month: z.string(),
    type: z.enum(billTypes),
    currency: z.string(),
    totalMinor: z.number(),
    dueOn: z.string(),
  }),
});
