import { z } from 'zod';
import { instantSchema } from '../identifiers.ts';

/** What people's background work is (specification, section 3: Task). */
export const taskTypes = [
  'sim-import',
  'cdr-import',
  'sim-activate',
  'sim-suspend',
  'sim-resume',
  'sim-data-off',
  'sim-slow-down',
  'sim-terminate-order',
  'sim-reset',
  'sim-terminate',
  'sim-renew',
  'sim-top-up',
  'sim-change-bundle',
  'sim-device-name',
  'sim-notes',
  'sim-tags',
  'sim-transfer',
  'sim-update-info',
  'pool-enrol',
  'pool-exit',
  'sms-send',
  'sms-schedule',
  'sms-suspend',
  'sms-resume',
  'sim-undo',
  'sim-export',
  'service-export',
  'cdr-export',
  'sms-mt-report',
  'sms-mo-report',
] as const;
export type TaskType = (typeof taskTypes)[number];
export const taskTypeSchema = z.enum(taskTypes);

/** Specification, section 4. `issues`: it ended, but not everything was done. */
export const taskStatuses = ['processing', 'done', 'issues'] as const;
export type TaskStatus = (typeof taskStatuses)[number];
export const taskStatusSchema = z.enum(taskStatuses);

/** `T` and a number, as people quote it. */
export const taskReferenceSchema = z.string().regex(/^T\d{8,15}$/);

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
  /** What it works on, item by item, as the module that owns them names them; null when it has no items. */
  item_kind: z.string().nullable(),
  /** What can be downloaded: a row for each item, or the file that was asked for. */
  report: z.object({ file_name: z.string(), bytes: countSchema.nullable() }).nullable(),
  /** Whether the person may undo it now: it changed something, ended not long ago, and nothing has undone it. */
  undoable: z.boolean(),
  /** Reference of the task that undid it, or is doing so. */
  undone_by: z.string().nullable(),
  /** Reference of the task that it undoes. */
  undoes: z.string().nullable(),
});
export type Task = z.output<typeof taskSchema>;

export const fileFormats = ['csv', 'xlsx'] as const;
export type FileFormat = (typeof fileFormats)[number];
export const fileFormatSchema = z.enum(fileFormats);
/** Of files to fill in: those that uploads may have. */
export const templateFormats = ['csv', 'xls', 'xlsx'] as const;
export type TemplateFormat = (typeof templateFormats)[number];
export const templateFormatSchema = z.enum(templateFormats);

/** A task was accepted; it is followed in the task centre. */
export const taskStartedSchema = z.object({ reference_id: z.string(), quantity: countSchema });

/** One item of a task and what became of it. */
export const taskItemSchema = z.object({
  position: countSchema,
  /** What people call it: its number or name. */
  label: z.string(),
  /** Whether there is such a thing, and it is the organisation's now: then it can be opened. */
  own: z.boolean(),
  state: z.enum(['waiting', 'done', 'refused']),
  /** Code of the catalogue and its words, when refused. */
  code: z.string().nullable(),
  message: z.string().nullable(),
});
export type TaskItem = z.output<typeof taskItemSchema>;

/** With a file that is read to be applied later: the person's own that it is given in place of, if that still waits. */
export const uploadQuerySchema = z.strictObject({ replaces: z.uuid().optional() });
export type UploadQuery = z.output<typeof uploadQuerySchema>;
