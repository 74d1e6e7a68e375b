import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { pageSchema } from '../paging.ts';
import { taskSchema, taskStatusSchema } from './schemas.ts';

export const taskEndpoints = {
  listMine: endpoint({
    id: 'task.listMine',
    method: 'GET',
    path: '/job-service/rest/job/my',
    summary:
      'Background tasks that the person began in this organisation in the last 7 days, the newest first',
    access: { kind: 'signed-in', member: true },
    query: pageSchema.extend({ status: taskStatusSchema.optional() }),
    response: z.array(taskSchema),
    list: true,
    errors: [],
    retry: 'safe',
  }),
} as const;
