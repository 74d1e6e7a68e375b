import { z } from 'zod';
import { defineEvent } from '../../../platform/outbox/index.ts';

/** An account of the organisation came or went, or what it is and may do changed: its open consoles ask again. */
export const accountChanged = defineEvent({
  topic: 'account.changed',
  payload: z.object({ userId: z.string() }),
  live: ({ userId }) => [{ name: 'account.changed', data: { userId } }],
});
