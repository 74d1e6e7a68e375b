import { z } from 'zod';
import { instantSchema } from '../identifiers.ts';

/** Types of background work (specification, section 3: Task). */
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

/** Specification, section 4. `issues`: the task ended, but not all items were processed successfully. */
export const taskStatuses = ['processing', 'done', 'issues'] as const;
export type TaskStatus = (typeof taskStatuses)[number];
export const taskStatusSchema = z.enum(taskStatuses);

/** `T` and a number. */
export const taskReferenceSchema = z.string().regex(/^T\d{8,15}$/);

const countSchema = z.number().int().nonnegative();

/** Number of items by result. */
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
  /** Time until now if it is still processing. */
  elapsed_seconds: countSchema,
  result: taskResultSchema.nullable(),
  /** Kind of its items, named by the module that owns them; null if it has no items. */
  item_kind: z.string().nullable(),
  /** The file to download: one row per item, or the requested file. */
  report: z.object({ file_name: z.string(), bytes: countSchema.nullable() }).nullable(),
  /** Whether the person may undo it now: it made changes, ended recently, and has not been undone. */
  undoable: z.boolean(),
  /** Reference of the task that undid it or is undoing it. */
  undone_by: z.string().nullable(),
  /** Reference of the task that it undoes. */
  undoes: z.string().nullable(),
});
export type Task = z.output<typeof taskSchema>;

export const fileFormats = ['csv', 'xlsx'] as const;
export type FileFormat = (typeof fileFormats)[number];
export const fileFormatSchema = z.enum(fileFormats);
/** Formats of template files: the same as those of uploads. */
export const templateFormats = ['csv', 'xls', 'xlsx'] as const;
export type TemplateFormat = (typeof templateFormats)[number];
export const templateFormatSchema = z.enum(templateFormats);

/** An accepted task; its progress is shown in the task centre. */
export const taskStartedSchema = z.object({ reference_id: z.string(), quantity: countSchema });

/** One item of a task with its result. */
export const taskItemSchema = z.object({
  position: countSchema,
  /** Its number or name, for display. */
  label: z.string(),
  /** Whether the item exists and belongs to the organisation now, so that it can be opened. */
  own: z.boolean(),
  state: z.enum(['waiting', 'done', 'refused']),
  /** Error code and message if it was refused. */
  code: z.string().nullable(),
  message: z.string().nullable(),
});
export type TaskItem = z.output<typeof taskItemSchema>;

/** For uploads that are applied later: `replaces` is a previous upload of the same person to discard, if not yet applied. */
export const uploadQuerySchema = z.strictObject({ replaces: z.uuid().optional() });
export type UploadQuery = z.output<typeof uploadQuerySchema>;
