import { z } from 'zod';
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

/** `enabled` and `disabled` are the specification's (section 4); `ended`: enabled, but without upcoming runs. */
export const scheduleStates = ['enabled', 'disabled', 'ended'] as const;
export type ScheduleState = (typeof scheduleStates)[number];

/**
 * States of a run. `running`: its task is running or about to start. `missed`: it did not run at its time, and it was too late
 * to run it. `refused`: it could not start.
 */
export const scheduleRunStates = ['running', 'ended', 'missed', 'refused'] as const;
export type ScheduleRunState = (typeof scheduleRunStates)[number];

/** A zone of the IANA database, such as `Europe/Madrid`. Offsets are not accepted: a zone's offset changes. */
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
/** A day of the week (ISO 8601: 1 is Monday) and a local time. */
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
  /** Local time in the zone. */
  at: z.iso.datetime({ local: true, precision: -1 }).regex(/^[12]\d{3}-.{11}$/),
});
const weeklySchema = z
  .strictObject({
    mode: z.literal('weekly'),
    times: weekTimesSchema,
    /** First and last day of runs, in the zone's calendar; null: no last day. */
    from: dateSchema,
    until: dateSchema.nullable(),
  })
  .refine(({ from, until }) => until === null || until >= from, { error: 'endBeforeStart', path: ['until'] });
export const scheduleWhenSchema = z.discriminatedUnion('mode', [onceSchema, weeklySchema]);
export type ScheduleWhen = z.output<typeof scheduleWhenSchema>;

export const scheduleIdSchema = z.string().regex(/^\d{1,18}$/);

const timing = { when: scheduleWhenSchema, time_zone: timeZoneSchema };
const editableFields = {
  name: textSchema({ max: limits.schedules.name }),
  content: smsContentSchema,
  ...timing,
  /** The address group that receives a report of each run. */
  groupId: scheduleIdSchema.nullable(),
  /** Report only runs with failures. */
  only_failures: z.boolean(),
};
export const scheduleBodySchema = z.strictObject({
  ...editableFields,
  /** Resolved once, now: every run sends to these SIMs. */
  selection: simSelectionSchema,
  enabled: z.boolean().default(true),
});
export const scheduleUpdateBodySchema = z.strictObject({
  scheduleId: scheduleIdSchema,
  ...editedVersion,
  ...editableFields,
  /** If omitted, the SIMs are not changed. */
  selection: simSelectionSchema.optional(),
});

/** Outcome of a run. Messages that are not counted in any state are still in progress. */
export const scheduleRunSchema = z.object({
  /** When it was due. */
  run_at: instantSchema,
  state: z.enum(scheduleRunStates),
  /** Error code and message of a refused run. */
  code: z.string().nullable(),
  message: z.string().nullable(),
  started_at: instantSchema.nullable(),
  /** When the last of its messages reached a final state; null until then. */
  settled_at: instantSchema.nullable(),
  /** Reference of its task. */
  task: z.string().nullable(),
  /** Number of SIMs of the schedule at that time. */
  quantity: countSchema,
  /** SIMs left out: transferred, terminated, suspended, or beyond the quota. The task's report lists them. */
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
  /** A run is in progress: the schedule can't be deleted then, and one that runs once can't be edited. */
  in_progress: z.boolean(),
  next_run_at: instantSchema.nullable(),
  last_run_at: instantSchema.nullable(),
  last_run_state: z.enum(scheduleRunStates).nullable(),
  created_at: instantSchema,
  updated_at: instantSchema,
  /** The person on whose behalf it runs: the last one who saved or enabled it. */
  owner: z.string().nullable(),
});
export type Schedule = z.output<typeof scheduleSchema>;

export const scheduleListBodySchema = pageSchema.extend({
  /** Part of the name or the text. */
  search: searchSchema(limits.schedules.search).optional(),
  state: z.enum(scheduleStates).optional(),
  mode: z.enum(scheduleModes).optional(),
});

/** A SIM of a schedule, and the last message that a run sent to it. */
export const scheduleSimSchema = z.object({
  iccid: z.string(),
  device_name: z.string().nullable(),
  /** Whether the SIM still belongs to the organisation; otherwise nothing more is sent to it. */
  own: z.boolean(),
  /** Error code and message if the next run would leave the SIM out. */
  code: z.string().nullable(),
  message: z.string().nullable(),
  last_message: z.object({ at: instantSchema, status: smsStatusSchema }).nullable(),
});
export type ScheduleSim = z.output<typeof scheduleSimSchema>;

/** For the editor: SIMs of a selection, or of a stored schedule. */
export const scheduleAudienceBodySchema = z.strictObject({
  selection: simSelectionSchema.optional(),
  scheduleId: scheduleIdSchema.optional(),
  time_zone: timeZoneSchema,
});
export const scheduleAudienceSchema = z.object({
  preview: previewSchema,
  /** Percentage of the SIMs that were online, by hour of the week: seven days from Monday, 24 hours each. */
  online: z.array(z.array(z.number().min(0).max(100)).length(24)).length(7),
  /** Number of SIMs on which this is based: a sample if there are many. */
  sampled: countSchema,
});
export type ScheduleAudience = z.output<typeof scheduleAudienceSchema>;

/** For the editor: the effect of times before they are saved. */
export const scheduleForecastBodySchema = z.strictObject({
  ...timing,
  /** If omitted, a message of one part is assumed. */
  content: smsContentSchema.optional(),
  sims: z.number().int().min(0).max(limits.simsOfOperation),
  /** The schedule that is being edited; excluded from the other schedules. */
  scheduleId: scheduleIdSchema.optional(),
});
export const scheduleForecastSchema = z.object({
  /** Encoding and parts of one message. */
  encoding: z.enum(smsEncodings),
  parts: countSchema,
  /** Upcoming runs, next one first: those of this month and the next (business days), but at least the next few. */
  runs: z.array(instantSchema),
  /** The next change of the zone's offset: minutes ahead of UTC before and after it. */
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
      /** Negative if the quota is exceeded. */
      remaining: z.number().int().nullable(),
    }),
  ),
});
export type ScheduleForecast = z.output<typeof scheduleForecastSchema>;
