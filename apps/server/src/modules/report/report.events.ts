import { reportKindSchema } from '@simcube/contract/report';
import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** All reports of an organisation's month are made. */
export const reportsReady = defineEvent({
  topic: 'report.ready',
  payload: z.object({
    orgId: z.number(),
    month: z.string(),
    timeZone: z.string(),
    kinds: z.array(reportKindSchema),
  }),
});
