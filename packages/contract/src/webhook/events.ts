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
    /** `webhook-id`: the same on every attempt and when resent. */
    id: z.uuid(),
    type: z.literal(type),
    /** When it happened. */
    time: instantSchema,
    /** Increases with each event of the organisation; 0 for a test. */
    sequence: countSchema,
    /** Code of the organisation concerned. */
    organisation: z.string(),
    data,
  });

/**
 * @param reads permission key that the account must be able to read; null: events that concern the account itself
 * @param isUsual whether the type is chosen for a new webhook
 */
const kind = <const T extends string, D extends z.ZodRawShape>(
  type: T,
  reads: PermissionKey | null,
  shape: D,
  { isUsual = true } = {},
) => ({ type, reads, isUsual, event: envelope(type, z.object(shape)) });

const iccid = z.string();

/**
 * Event types with their `data`. To add a type, declare it here and its source in the server's module `webhook`
 * (`sources.ts`); types are offered once their facts exist.
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
    /** Usage of the current cycle. */
    used_bytes: bytesSchema,
    threshold_bytes: bytesSchema,
    /** Null: no limit. */
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
    /** The message that it replies to. */
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
    /** Number of SIMs that it concerns. */
    sims: countSchema,
  }),
  kind('autoflow.fired', 'autoflow-cube', {
    rule_id: z.string(),
    rule_name: z.string(),
    trigger: triggerKindSchema,
    iccid,
    /** The compared values: octets, hours, SMS, sessions, or minor units of a currency. */
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
    /** A calendar month in the zone. */
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

/** Test event that is sent manually; not a fact of the organisation. */
export const webhookTestType = 'webhook.test';
export const webhookTestSchema = envelope(webhookTestType, z.object({ message: z.string() }));
export type WebhookTest = z.output<typeof webhookTestSchema>;
