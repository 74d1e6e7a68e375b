import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { headers } from '../headers.ts';
import { pageSchema } from '../paging.ts';
import {
  fileFormatSchema,
  fileFormats,
  taskItemSchema,
  taskSchema,
  taskStartedSchema,
  taskStatusSchema,
} from './schemas.ts';

const member = { kind: 'signed-in', member: true } as const;
/** Accepts keys with fewer permissions than their account, for tasks that the key itself started. */
const callerAccess = { access: member, limitedKeys: true } as const;
/** `T` and a number. */
const taskParams = z.strictObject({ taskReference: z.string().max(24) });

export const taskEndpoints = {
  listMine: endpoint({
    id: 'task.listMine',
    method: 'GET',
    path: '/job-service/rest/job/my',
    summary: 'Background tasks that the person started in this organisation in the last 7 days, newest first',
    ...callerAccess,
    query: pageSchema.extend({ status: taskStatusSchema.optional() }),
    response: z.array(taskSchema),
    list: true,
    errors: [],
    retry: 'safe',
  }),
  getMine: endpoint({
    id: 'task.getMine',
    method: 'GET',
    path: '/job-service/rest/job/my/{taskReference}',
    summary: 'One background task',
    ...callerAccess,
    params: taskParams,
    response: taskSchema,
    errors: ['CB-09-0012'],
    retry: 'safe',
  }),
  listItems: endpoint({
    id: 'task.listItems',
    method: 'GET',
    path: '/job-service/rest/logs/provider/result/{taskReference}',
    summary: 'Result of each item of a task',
    ...callerAccess,
    params: taskParams,
    query: pageSchema.extend({ state: z.enum(['waiting', 'done', 'refused']).optional() }),
    response: z.array(taskItemSchema),
    list: true,
    errors: ['CB-09-0012'],
    retry: 'safe',
  }),
  undo: endpoint({
    id: 'task.undo',
    method: 'POST',
    path: '/job-service/rest/job/my/{taskReference}/undo',
    summary:
      'Undo the changes of a task by a new task; values changed since are left as they are and reported. Undoing that task redoes the changes',
    access: member,
    params: taskParams,
    response: taskStartedSchema,
    errors: ['CB-09-0012', 'CB-09-0015', 'CB-09-0023', 'CB-09-0024', 'CB-09-0025', 'CB-09-0026'],
    retry: 'never',
    audit: 'task.undone',
  }),
  makeDownloadToken: endpoint({
    id: 'task.makeDownloadToken',
    method: 'GET',
    path: '/job-service/rest/job/my/oneTimeToken',
    summary: 'Token to download the report of one task once, within a minute, without a session',
    ...callerAccess,
    query: z.strictObject({ taskReference: z.string().max(24), format: fileFormatSchema.default('csv') }),
    response: z.object({ token: z.string() }),
    errors: ['CB-09-0012', 'CB-09-0014'],
    retry: 'safe',
  }),
  download: endpoint({
    id: 'task.download',
    method: 'GET',
    path: '/public-sphere/rest/job/{taskReference}/download',
    summary: 'Report of a task, authenticated by the one-time token in the header',
    access: { kind: 'public' },
    params: taskParams,
    headers: z.object({ [headers.oneTimeToken]: z.string().min(20).max(100) }),
    response: 'file',
    formats: fileFormats,
    errors: ['CB-09-0012', 'CB-09-0013', 'CB-09-0014'],
    retry: 'safe',
    weight: 20,
  }),
} as const;
