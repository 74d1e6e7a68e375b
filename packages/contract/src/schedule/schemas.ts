import { z } from 'zod';
import { auditEntrySchema } from '../audit/schemas.ts';
import { dateSchema, instantSchema } from '../identifiers.ts';
import type { IssueKey } from '../issues.ts';
import { limits } from '../limits.ts';
import { pageSchema } from '../paging.ts';
import { previewSchema, simSelectionSchema } from '../sim/selection.ts';
import { smsContentSchema, smsEncodings, smsStatusSchema } from '../sms/schemas.ts';
import { searchSchema, textSchema } from '../text.ts';
import { editedVersion, versionSchema } from '../versions.ts';

const countSchema = z.number().int().nonnegative();
const isoDay = z.number().int().min(1).max(7);
const notAllowed: IssueKey = 'notAllowed';

/** "Once, or repeated weekly" (specification, section 3). */
export const scheduleModes = ['once', 'weekly'] as const;
export type ScheduleMode = (typeof scheduleModes)[number];

/** `enabled` and `disabled` are the specification's (section 4); `ended`: enabled, and no run is to come. */
export const scheduleStates = ['enabled', 'disabled', 'ended'] as const;
export type ScheduleState = (typeof scheduleStates)[number];

/**
 * Of a run. `running`: its task works, or is to begin. `missed`: nothing ran at that time, and it was too late to make up for
 * it. `refused`: it could not begin.
 */
export const scheduleRunStates = ['running', 'ended', 'missed', 'refused'] as const;
export type ScheduleRunState = (typeof scheduleRunStates)[number];

/** A zone of the IANA database, such as `Europe/Madrid`. Offsets are none: clocks of a zone change. */
export const timeZoneSchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/)
  .max(60)
  .refine(isTimeZone, notAllowed);

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const clockTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);
/** A day of the week (ISO 8601: 1 is Monday) and a time of its clock. */
export const weekTimeSchema = z.strictObject({ day: isoDay, time: clockTime });
export type WeekTime = z.output<typeof weekTimeSchema>;

const weekTimesSchema = z
  .array(weekTimeSchema)
  .min(1)
  .max(limits.schedules.times)
  .superRefine((times, context) => {
    const seen = new Set<string>();
    for (const [index, { day, time }] of times.entries()) {
      const key = `${day} ${time}`;
      if (seen.has(key)) context.addIssue({ code: 'custom', message: 'duplicate', path: [index] });
      seen.add(key);
    }
  });

const onceSchema = z.strictObject({
  mode: z.literal('once'),
  /** Of the clocks of the zone. */
  at: z.iso.datetime({ local: true, precision: -1 }).regex(/^[12]\d{3}-.{11}$/),
});
const weeklySchema = z
  .strictObject({
    mode: z.literal('weekly'),
    times: weekTimesSchema,
    /** First and last day that it may run on, of the calendar of the zone; null: it never ends. */
    from: dateSchema,
    until: dateSchema.nullable(),
  })
  .refine(({ from, until }) => until === null || until >= from, { error: 'endBeforeStart', path: ['until'] });
export const scheduleWhenSchema = z.discriminatedUnion('mode', [onceSchema, weeklySchema]);
export type ScheduleWhen = z.output<typeof scheduleWhenSchema>;

export const scheduleIdSchema = z.string().regex(/^\d{1,18}$/);

const timing = { when: scheduleWhenSchema, time_zone: timeZoneSchema };
const wanted = {
  name: textSchema({ max: limits.schedules.name }),
  content: smsContentSchema,
  ...timing,
  /** The address group that gets a report of each run. */
  groupId: scheduleIdSchema.nullable(),
  /** A report only of runs with which something was wrong. */
  only_failures: z.boolean(),
};
export const scheduleBodySchema = z.strictObject({
  ...wanted,
  /** The SIMs that it finds now are those that each run sends to. */
  selection: simSelectionSchema,
  enabled: z.boolean().default(true),
});
export const scheduleUpdateBodySchema = z.strictObject({
  scheduleId: scheduleIdSchema,
  ...editedVersion,
  ...wanted,
  /** Without it, the SIMs stay. */
  selection: simSelectionSchema.optional(),
});

/** What became of a run. Messages that are not counted in another state are still under way. */
export const scheduleRunSchema = z.object({
  /** When it was to be. */
  run_at: instantSchema,
  state: z.enum(scheduleRunStates),
  /** Code of the catalogue, and its words, for one that was refused. */
  code: z.string().nullable(),
  message: z.string().nullable(),
  started_at: instantSchema.nullable(),
  /** When the last of its messages was settled; null until then. */
  settled_at: instantSchema.nullable(),
  /** Reference of its task. */
  task: z.string().nullable(),
  /** SIMs of the schedule then. */
  quantity: countSchema,
  /** Left out: no longer the organisation's, terminated, suspended, or beyond the quota. The task's report names each. */
  left_out: countSchema,
  sent: countSchema,
  delivered: countSchema,
  failed: countSchema,
  unknown: countSchema,
  replies: countSchema,
});
export type ScheduleRun = z.output<typeof scheduleRunSchema>;

export const scheduleSchema = z.object({
  id: z.string(),
  version: versionSchema,
  name: z.string(),
  content: z.string(),
  encoding: z.enum(smsEncodings),
  parts: countSchema,
  ...timing,
  sims: countSchema,
  group: z.object({ id: z.string(), name: z.string(), addresses: countSchema }).nullable(),
  only_failures: z.boolean(),
  state: z.enum(scheduleStates),
  /** A run of it is under way: then it can't be deleted, and one that runs once can't be edited. */
  in_progress: z.boolean(),
  next_run_at: instantSchema.nullable(),
  last_run_at: instantSchema.nullable(),
  last_run_state: z.enum(scheduleRunStates).nullable(),
  created_at: instantSchema,
  updated_at: instantSchema,
  /** In whose name it runs: who saved or enabled it last. */
  owner: z.string().nullable(),
});
export type Schedule = z.output<typeof scheduleSchema>;

export const scheduleListBodySchema = pageSchema.extend({
  /** A part of the name or the text. */
  search: searchSchema(limits.schedules.search).optional(),
  state: z.enum(scheduleStates).optional(),
  mode: z.enum(scheduleModes).optional(),
});

/** A SIM of a schedule, and the last message that a run sent to it. */
export const scheduleSimSchema = z.object({
  iccid: z.string(),
  device_name: z.string().nullable(),
  /** Whether it is still the organisation's; one that is not gets nothing more. */
  own: z.boolean(),
  /** Code of the catalogue, and its words, if the next run would leave it out. */
  code: z.string().nullable(),
  message: z.string().nullable(),
  last_message: z.object({ at: instantSchema, status: smsStatusSchema }).nullable(),
});
export type ScheduleSim = z.output<typeof scheduleSimSchema>;

/** Who changed it, and how: its entries of the audit trail, without addresses and hashes. */
export const scheduleLogSchema = auditEntrySchema.pick({
  number: true,
  at: true,
  action: true,
  actor: true,
  before: true,
  after: true,
});
export type ScheduleLogEntry = z.output<typeof scheduleLogSchema>;

/** Of the editor: which SIMs, of a selection or as they stand in a schedule. */
export const scheduleAudienceBodySchema = z.strictObject({
  selection: simSelectionSchema.optional(),
  scheduleId: scheduleIdSchema.optional(),
  time_zone: timeZoneSchema,
});
export const scheduleAudienceSchema = z.object({
  preview: previewSchema,
  /** The shares of them, in percent, that were online in an hour of the week: seven days from Monday, 24 hours each. */
  online: z.array(z.array(z.number().min(0).max(100)).length(24)).length(7),
  /** SIMs that this was read of: a sample where there are many. */
  sampled: countSchema,
});
export type ScheduleAudience = z.output<typeof scheduleAudienceSchema>;

/** Of the editor: what would come of times, before they are saved. */
export const scheduleForecastBodySchema = z.strictObject({
  ...timing,
  /** Without a text, of one part. */
  content: smsContentSchema.optional(),
  sims: z.number().int().min(0).max(limits.simsOfOperation),
  /** The schedule that is edited, which is not one of the others then. */
  scheduleId: scheduleIdSchema.optional(),
});
export const scheduleForecastSchema = z.object({
  /** Of one message. */
  encoding: z.enum(smsEncodings),
  parts: countSchema,
  /** The runs to come, the next first: those of this month and the next (business days), but at least the next few. */
  runs: z.array(instantSchema),
  /** The next change of the zone's clocks: minutes ahead of UTC before and after it. */
  clock_change: z
    .object({ at: instantSchema, before_minutes: z.number().int(), after_minutes: z.number().int() })
    .nullable(),
  /** This month and the next (business days), in parts. */
  months: z.array(
    z.object({
      month: z.string().regex(/^\d{4}-\d{2}$/),
      runs: countSchema,
      /** Null: no limit. */
      limit: countSchema.nullable(),
      used: countSchema,
      this_schedule: countSchema,
      others: countSchema,
      other_schedules: countSchema,
      /** Below zero: so many are missing. */
      remaining: z.number().int().nullable(),
    }),
  ),
});
export type ScheduleForecast = z.output<typeof scheduleForecastSchema>;
