import { z } from 'zod';
import { triggerKindSchema } from '../autoflow/rule.ts';
import { measuredSchema } from '../autoflow/schemas.ts';
import { billMonthSchema, billNumberSchema, billTypes } from '../finance/schemas.ts';
import { bytesSchema, dateSchema, imeiSchema, instantSchema } from '../identifiers.ts';
import type { PermissionKey } from '../permissions.ts';
import { poolEventKinds } from '../pool/schemas.ts';
import { minorSchema } from '../price/cost.ts';
import { reportKindSchema, reportMonthSchema } from '../report/schemas.ts';
import { simEventReasonSchema } from '../sim/events.ts';
import { connections, lifecycleSchema } from '../sim/schemas.ts';
import { smsEncodings, smsReasons, smsStatusSchema } from '../sms/schemas.ts';
import { taskStatuses, taskTypeSchema } from '../task/schemas.ts';

const countSchema = z.number().int().nonnegative();

const envelope = <const T extends string, D extends z.ZodType>(type: T, data: D) =>
  z.object({
    /** `webhook-id`: the same on every attempt and when sent again. */
    id: z.uuid(),
    type: z.literal(type),
    /** When it happened. */
    time: instantSchema,
    /** Grows with each event of the organisation; 0 for a test. */
    sequence: countSchema,
    /** Code of the organisation that it happened to. */
    organisation: z.string(),
    data,
  });

/**
 * @param reads what an account must have the right to read; null: what concerns the account itself
 * @param isUsual chosen for a new webhook
 */
const kind = <const T extends string, D extends z.ZodRawShape>(
  type: T,
  reads: PermissionKey | null,
  shape: D,
  { isUsual = true } = {},
) => ({ type, reads, isUsual, event: envelope(type, z.object(shape)) });

const iccid = z.string();

/**
 * What organisations are sent events about, with the `data` of each. A further type stands here and has its source in the
 * server's module `webhook` (`sources.ts`); types are offered when their facts exist.
 */
const kinds = [
  kind('sim.lifecycle-changed', 'sim', {
    iccid,
    from: lifecycleSchema,
    to: lifecycleSchema,
    reason: simEventReasonSchema,
  }),
  kind('sim.connection-changed', 'sim', { iccid, status: z.enum(connections) }, { isUsual: false }),
  kind('sim.imei-changed', 'sim', {
    iccid,
    from: imeiSchema,
    to: imeiSchema,
  }),
  kind('sim.usage-threshold', 'sim', {
    iccid,
    /** Of the running cycle. */
    used_bytes: bytesSchema,
    threshold_bytes: bytesSchema,
    /** Null: without a limit. */
    limit_bytes: bytesSchema.nullable(),
    percent: z.number().int().nullable(),
    over_limit: z.boolean(),
  }),
  kind('sms.mo', 'cube-schedule-sms', {
    iccid,
    message_id: z.string(),
    /** `binary`: hexadecimal digits. */
    content: z.string(),
    encoding: z.enum(smsEncodings),
    /** The message that it answers. */
    reply_to: z.string().nullable(),
  }),
  kind('sms.status', 'cube-schedule-sms', {
    iccid,
    message_id: z.string(),
    status: smsStatusSchema,
    reason: z.enum(smsReasons).nullable(),
  }),
  kind('pool.event', 'shared-pool-cube', {
    pool_id: z.string(),
    pool_name: z.string(),
    kind: z.enum(poolEventKinds),
    limit_before_bytes: bytesSchema,
    limit_after_bytes: bytesSchema,
    used_bytes: bytesSchema,
    /** SIMs that it was about. */
    sims: countSchema,
  }),
  kind('autoflow.fired', 'autoflow-cube', {
    rule_id: z.string(),
    rule_name: z.string(),
    trigger: triggerKindSchema,
    iccid,
    /** What was compared with what; octets, hours, SMS, sessions, or minor units of a currency. */
    ...measuredSchema.pick({ value: true, threshold: true, unit: true }).shape,
  }),
  kind('bill.published', 'customer-bill-cube', {
    number: billNumberSchema,
    version: z.number().int().positive(),
    month: billMonthSchema,
    type: z.enum(billTypes),
    currency: z.string().length(3),
    /** Before tax. */
    total_minor: minorSchema,
    due_on: dateSchema,
  }),
  kind('report.ready', 'sim-report-cube', {
    /** A calendar month of the zone. */
    month: reportMonthSchema,
    time_zone: z.string(),
    kinds: z.array(reportKindSchema),
  }),
  kind('task.finished', null, {
    reference_id: z.string(),
    type: taskTypeSchema,
    status: z.enum(taskStatuses).exclude(['processing']),
    quantity: countSchema,
    done: countSchema,
  }),
] as const;

type Kind = (typeof kinds)[number];
export type WebhookEventType = Kind['type'];
export const webhookEvents = Object.fromEntries(kinds.map((one) => [one.type, one])) as unknown as {
  [K in Kind as K['type']]: K;
};
export const webhookEventTypes = kinds.map(({ type }) => type) as [WebhookEventType, ...WebhookEventType[]];

/** The body of a request, and an entry of the change feed. */
export const webhookEventSchema = z.discriminatedUnion(
  'type',
  kinds.map(({ event }) => event) as [Kind['event'], ...Kind['event'][]],
);
export type WebhookEvent = z.output<typeof webhookEventSchema>;
export type WebhookEventData<T extends WebhookEventType> = Extract<WebhookEvent, { type: T }>['data'];

/** Sent by hand to see whether a webhook works; no fact of the organisation. */
export const webhookTestType = 'webhook.test';
export const webhookTestSchema = envelope(webhookTestType, z.object({ message: z.string() }));
