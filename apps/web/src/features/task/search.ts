import { taskStatusSchema } from '@simcube/contract/task';
import { z } from 'zod';
import { pageParams } from '../../lib/search-params/fields.ts';

/** Search parameters of the task centre. Whatever does not fit is left out. */
export const taskCentreSearchSchema = z.object({
  status: taskStatusSchema.optional().catch(undefined),
  /** Reference of the task that is looked at more closely. */
  task: z
    .string()
    .regex(/^T\d{1,20}$/)
    .optional()
    .catch(undefined),
  ...pageParams,
});
export type TaskCentreSearch = z.output<typeof taskCentreSearchSchema>;
