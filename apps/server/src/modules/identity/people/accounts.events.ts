import { z } from 'zod';
import { defineEvent } from '../../../platform/outbox/index.ts';

/** An account of the organisation was added, removed or changed: its open consoles reload. */
export const accountChanged = defineEvent({
  topic: 'account.changed',
  payload: z.object({ userId: z.string() }),
  live: ({ userId }) => [{ name: 'account.changed', data: { userId } }],
});
