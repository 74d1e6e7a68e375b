import { z } from 'zod';
import { triggerKindSchema } from '../autoflow/rule.ts';
import { measuredSchema } from '../autoflow/schemas.ts';
import { instantSchema } from '../identifiers.ts';
import { limits } from '../limits.ts';
import { smsEncodings, smsIdSchema } from '../sms/schemas.ts';
import type { NotificationKind } from './schemas.ts';

const countSchema = z.number().int().nonnegative();
/** Text for people, or another name of a field: kept for receivers that were written for earlier versions. */
const kept = <S extends z.ZodType>(schema: S): S => schema.meta({ deprecated: true });

const request = <const K extends NotificationKind, D extends z.ZodRawShape>(
  kind: K,
  summary: string,
  shape: D,
) => ({
  kind,
  summary,
  request: z.object({
    type: z.literal(kind),
    /** When the notification was made. */
    timestamp: instantSchema,
    data: z.object(shape),
  }),
});

/** The ids of rule and runs are null if a rule is only tried out. */
const firedShape = <S extends z.ZodType>(idSchema: S) => ({
  rule_id: idSchema,
  rule_name: z.string(),
  trigger: triggerKindSchema,
  /** Number of firings. */
  sims: countSchema,
  /** The first ones; the run history of the rule has all of them. */
  firings: z
    .array(
      z.object({
        run_id: idSchema,
        iccid: z.string(),
        happened_at: instantSchema,
        ...measuredSchema.shape,
      }),
    )
    .max(limits.notifications.firings),
  rule: kept(z.string()),
  time: kept(z.string()),
  iccid: kept(z.string()),
  comparison: kept(z.string()),
});

/** The kinds of notifications that API targets receive, with the `data` of their requests. */
const kinds = [
  request('test', 'somebody tests the target', { target_id: z.string(), target: z.string() }),
  request('autoflow.fired', 'a rule fired, for one SIM or, if it gathers firings, for several', {
    ...firedShape(z.string()),
    id: kept(z.string()),
  }),
  request('autoflow.tried', 'somebody tries out a rule with a SIM of their choice', firedShape(z.null())),
  request('sms.received', 'a message of a SIM is forwarded to the target', {
    message_id: smsIdSchema,
    iccid: z.string(),
    msisdn: z.string(),
    /** The destination that the device used. */
    to: z.string(),
    /** `binary`: hexadecimal digits. */
    content: z.string(),
    encoding: z.enum(smsEncodings),
    parts: countSchema,
    missing_parts: countSchema,
    at: instantSchema,
    id: kept(z.string()),
  }),
] as const;

type Kind = (typeof kinds)[number];
export type NotificationRequestKind = Kind['kind'];
export const notificationRequests = Object.fromEntries(kinds.map((one) => [one.kind, one])) as unknown as {
  [K in Kind as K['kind']]: K;
};

/** The body of a request to an API target. */
export const notificationRequestSchema = z.discriminatedUnion(
  'type',
  kinds.map((one) => one.request) as [Kind['request'], ...Kind['request'][]],
);
export type NotificationRequest = z.output<typeof notificationRequestSchema>;
export type NotificationData<K extends NotificationRequestKind> = Extract<
  NotificationRequest,
  { type: K }
>['data'];
