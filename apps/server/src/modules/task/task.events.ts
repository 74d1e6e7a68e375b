import { taskStatusSchema, taskTypeSchema } from '@simcube/contract/task';
import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** A task began, progressed or ended. */
export const taskProgressed = defineEvent({
  topic: 'task.progressed',
  payload: z.object({
    reference: z.string(),
    userId: z.string(),
    type: taskTypeSchema,
    status: taskStatusSchema,
    done: z.number(),
    quantity: z.number(),
  }),
  live: ({ reference, ...rest }) => [{ name: 'task.progress', data: { id: reference, ...rest } }],
});
