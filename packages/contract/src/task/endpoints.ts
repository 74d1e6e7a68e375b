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
/** Of a key with fewer rights than its account: what the key itself began. */
const ofCaller = { access: member, limitedKeys: true } as const;
/** `T` and a number, as people quote it. */
const byReference = z.strictObject({ taskReference: z.string().max(24) });

export const taskEndpoints = {
  listMine: endpoint({
    id: 'task.listMine',
    method: 'GET',
    path: '/job-service/rest/job/my',
    summary:
      'Background tasks that the person began in this organisation in the last 7 days, the newest first',
    ...ofCaller,
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
    summary: 'One of them',
    ...ofCaller,
    params: byReference,
    response: taskSchema,
    errors: ['CB-09-0012'],
    retry: 'safe',
  }),
  listItems: endpoint({
    id: 'task.listItems',
    method: 'GET',
    path: '/job-service/rest/logs/provider/result/{taskReference}',
    summary: 'What became of each item of a task',
    ...ofCaller,
    params: byReference,
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
      'Undo what a task changed, by a task of its own; what was changed since is left as it is and reported. Undone itself, it is done again',
    access: member,
    params: byReference,
    response: taskStartedSchema,
    errors: ['CB-09-0012', 'CB-09-0015', 'CB-09-0023', 'CB-09-0024', 'CB-09-0025', 'CB-09-0026'],
    retry: 'never',
    audit: 'task.undone',
  }),
  makeDownloadToken: endpoint({
    id: 'task.makeDownloadToken',
    method: 'GET',
    path: '/job-service/rest/job/my/oneTimeToken',
    summary:
      'A token with which the report of one task can be fetched once, within a minute, without a session',
    ...ofCaller,
    query: z.strictObject({ taskReference: z.string().max(24), format: fileFormatSchema.default('csv') }),
    response: z.object({ token: z.string() }),
    errors: ['CB-09-0012', 'CB-09-0014'],
    retry: 'safe',
  }),
  download: endpoint({
    id: 'task.download',
    method: 'GET',
    path: '/public-sphere/rest/job/{taskReference}/download',
    summary: 'Report of a task; the one-time token of the header stands for the sign-in',
    access: { kind: 'public' },
    params: byReference,
    headers: z.object({ [headers.oneTimeToken]: z.string().min(20).max(100) }),
    response: 'file',
    formats: fileFormats,
    errors: ['CB-09-0012', 'CB-09-0013', 'CB-09-0014'],
    retry: 'safe',
    weight: 20,
  }),
} as const;
