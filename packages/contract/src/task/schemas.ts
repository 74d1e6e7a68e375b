import { z } from 'zod';
import { instantSchema, phoneSchema } from '../identifiers.ts';
import { emailSchema } from '../identity/schemas.ts';
import { limits } from '../limits.ts';
import { searchSchema, textSchema } from '../text.ts';

/** What people's background work is (specification, section 3: Task). */
export const taskTypes = [
  'sim-import',
  'cdr-import',
  'sim-activate',
  'sim-suspend',
  'sim-resume',
  'sim-reset',
  'sim-device-name',
  'sim-notes',
  'sim-tags',
  'sim-transfer',
  'sim-update-info',
  'sim-export',
  'service-export',
] as const;
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
  /** What can be downloaded: a row for each SIM, or the file that was asked for. */
  report: z.object({ file_name: z.string(), bytes: countSchema.nullable() }).nullable(),
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

/** One thing of a task and what became of it. */
export const taskItemSchema = z.object({
  position: countSchema,
  iccid: z.string(),
  state: z.enum(['waiting', 'done', 'refused']),
  /** Code of the catalogue and its words, when refused. */
  code: z.string().nullable(),
  message: z.string().nullable(),
});
export type TaskItem = z.output<typeof taskItemSchema>;

/** People or phones that are notified together (specification, section 3: address group, SMS subscriber). */
export const addressGroupSchema = z.object({
  id: z.string(),
  name: z.string(),
  emails: z.array(z.string()),
  created_at: instantSchema,
});
export type AddressGroup = z.output<typeof addressGroupSchema>;
export const smsGroupSchema = z.object({
  id: z.string(),
  name: z.string(),
  phones: z.array(z.string()),
  created_at: instantSchema,
});
export type SmsGroup = z.output<typeof smsGroupSchema>;

/** A list without repetitions: the second of two that are the same is the one that is wrong. */
const each = <S extends z.ZodType<string>>(one: S, max: number) =>
  z
    .array(one)
    .min(1)
    .max(max)
    .superRefine((all, context) => {
      for (const [index, value] of all.entries()) {
        if (all.indexOf(value) < index)
          context.addIssue({ code: 'custom', message: 'duplicate', path: [index] });
      }
    });

const groupName = textSchema({ max: limits.addressGroups.name });
export const addressGroupBodySchema = z.strictObject({
  name: groupName,
  emails: each(emailSchema, limits.addressGroups.emails),
});
export const smsGroupBodySchema = z.strictObject({
  name: groupName,
  phones: each(phoneSchema, limits.addressGroups.phones),
});

/** Groups are found by a part of their name or of one of their addresses. */
export const groupSearchSchema = z.strictObject({
  search: searchSchema(limits.addressGroups.search).optional(),
});
