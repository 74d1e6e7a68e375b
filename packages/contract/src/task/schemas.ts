import { z } from 'zod';
import { instantSchema } from '../identifiers.ts';

/** What people's background work is (specification, section 3: Task). */
export const taskTypes = ['sim-import', 'cdr-import'] as const;
export type TaskType = (typeof taskTypes)[number];
export const taskTypeSchema = z.enum(taskTypes);

/** Specification, section 4. `issues`: it ended, but not everything was done. */
export const taskStatuses = ['processing', 'done', 'issues'] as const;
export type TaskStatus = (typeof taskStatuses)[number];
export const taskStatusSchema = z.enum(taskStatuses);

const countSchema = z.number().int().nonnegative();

/** What became of the things it was about. */
export const taskResultSchema = z.object({
  accepted: countSchema,
  duplicate: countSchema,
  refused: countSchema,
});
export type TaskResult = z.output<typeof taskResultSchema>;

export const taskSchema = z.object({
  reference_id: z.string(),
  type: taskTypeSchema,
  quantity: countSchema,
  done: countSchema,
  remark: z.string().nullable(),
  status: taskStatusSchema,
  started_at: instantSchema,
  ended_at: instantSchema.nullable(),
  /** Until now while it is processing. */
  elapsed_seconds: countSchema,
  result: taskResultSchema.nullable(),
});
export type Task = z.output<typeof taskSchema>;
