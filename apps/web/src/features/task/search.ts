import { limits, taskStatusSchema } from '@simcube/contract';
import { z } from 'zod';

const sizes: readonly number[] = limits.page.sizes;
const wholeNumber = z.coerce.number().int();

/** Search parameters of the task centre. Whatever does not fit is left out. */
export const taskCentreSearchSchema = z.object({
  status: taskStatusSchema.optional().catch(undefined),
  /** Reference of the task that is looked at more closely. */
  task: z
    .string()
    .regex(/^T\d{1,20}$/)
    .optional()
    .catch(undefined),
  page: wholeNumber.min(1).max(100_000).optional().catch(undefined),
  size: wholeNumber
    .refine((size) => sizes.includes(size))
    .optional()
    .catch(undefined),
});
export type TaskCentreSearch = z.output<typeof taskCentreSearchSchema>;

export type OnTaskSearch = (next: TaskCentreSearch, how?: 'push' | 'replace') => void;
