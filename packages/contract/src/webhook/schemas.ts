import { z } from 'zod';
import { instantSchema } from '../identifiers.ts';
import { limits } from '../limits.ts';
import { deliveryFaults, deliveryStates, httpsUrlSchema, targetStates } from '../notify/schemas.ts';
import { checkOrder } from '../order.ts';
import { digitsOr, pageSchema } from '../paging.ts';
import { searchSchema } from '../text.ts';
import { webhookEventSchema, webhookEventTypes, webhookTestType } from './events.ts';

const countSchema = z.number().int().nonnegative();
const eventTypeSchema = z.enum(webhookEventTypes);
const eventTypesSchema = z.array(eventTypeSchema).max(webhookEventTypes.length);
const loggedTypes = [...webhookEventTypes, webhookTestType] as const;
export type WebhookLoggedType = (typeof loggedTypes)[number];

export const webhookStatuses = ['enabled', 'disabled'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/** A developer's notification key and webhook (specification, section 3); a developer is an account of the organisation. */
export const webhookSchema = z.object({
  /** Id of the account. */
  id: z.string(),
  /** `whsec_` and 32 octets in base64; null until created, and if it can no longer be decrypted. */
  key: z.string().nullable(),
  key_created_at: instantSchema.nullable(),
  /** Until when requests are also signed with the previous key. */
  former_key_until: instantSchema.nullable(),
  url: z.string().nullable(),
  status: z.enum(webhookStatuses),
  /** `failing`: one event at a time is attempted; `paused`: none, until it is retried manually. */
  state: z.enum(targetStates),
  paused_for: z.enum(['failing', 'gone']).nullable(),
  failing_since: instantSchema.nullable(),
  /** Time of the next attempt if the webhook is failing. */
  next_try_at: instantSchema.nullable(),
  /** Event types that are sent. */
  event_types: eventTypesSchema,
});
export type Webhook = z.output<typeof webhookSchema>;

export const webhookStatusBodySchema = z.strictObject({ status: z.enum(webhookStatuses) });
export const webhookUrlBodySchema = z.strictObject({ url: httpsUrlSchema });
export const webhookEventTypesBodySchema = z.strictObject({ event_types: eventTypesSchema });

/** An event type: may appear in the log, and may be chosen if permitted. */
export const webhookEventTypeSchema = z.object({
  type: eventTypeSchema,
  /** Chosen for a new webhook. */
  usual: z.boolean(),
  chosen: z.boolean(),
  /** The account has permission for it. */
  permitted: z.boolean(),
});
export type WebhookEventTypeOffered = z.output<typeof webhookEventTypeSchema>;

/** Subjects of events, as lists show and link them. */
export const webhookSubjectKinds = ['sim', 'pool', 'bill', 'report', 'task'] as const;
export type WebhookSubjectKind = (typeof webhookSubjectKinds)[number];
const subjectSchema = z.object({
  kind: z.enum(webhookSubjectKinds),
  /** ICCID, pool id, bill number, month of the reports, or task reference. */
  id: z.string(),
  /** Device name of a SIM that still belongs to the organisation, or name of a pool. */
  name: z.string().nullable(),
});

const logFilterShape = {
  type: z.array(z.enum(loggedTypes)).max(loggedTypes.length).optional(),
  state: z.array(z.enum(deliveryStates)).max(deliveryStates.length).optional(),
  /** Start of the period, inclusive. */
  from: instantSchema.optional(),
  /** End of the period, exclusive. */
  to: instantSchema.optional(),
  /** A complete ICCID, event id, pool id or task reference. */
  search: searchSchema(limits.webhooks.search).optional(),
};
export const webhookLogFilterSchema = z.strictObject(logFilterShape).superRefine(checkOrder);
export type WebhookLogFilter = z.output<typeof webhookLogFilterSchema>;
export const webhookLogBodySchema = pageSchema.extend(logFilterShape).superRefine(checkOrder);

export const webhookDeliveryIdSchema = z.string().regex(/^\d{1,18}$/);

/** Delivery of one event to the webhook. */
export const webhookDeliverySchema = z.object({
  id: z.string(),
  /** `webhook-id` of every request about it. */
  event_id: z.string(),
  type: z.enum(loggedTypes),
  /** When it was queued for sending. */
  created_at: instantSchema,
  about: subjectSchema.nullable(),
  state: z.enum(deliveryStates),
  attempts: countSchema,
  /** Of the newest attempt, or why it was given up. */
  fault: z.enum(deliveryFaults).nullable(),
  /** HTTP status of the newest attempt. */
  status: z.number().int().nullable(),
  duration_ms: countSchema.nullable(),
  last_attempt_at: instantSchema.nullable(),
  next_attempt_at: instantSchema.nullable(),
});
export type WebhookDelivery = z.output<typeof webhookDeliverySchema>;

const headersSchema = z.record(z.string(), z.string());
export const webhookAttemptSchema = z.object({
  number: z.number().int(),
  at: instantSchema,
  /** Time since the end of the previous attempt. */
  waited_ms: countSchema.nullable(),
  /** Null while it runs. */
  duration_ms: countSchema.nullable(),
  fault: z.enum(deliveryFaults).nullable(),
  status: z.number().int().nullable(),
  /** The request: a POST to this URL with these headers and the delivery's body. Null if it was not stored. */
  request: z.object({ url: z.string(), headers: headersSchema }).nullable(),
  /** The response, with the beginning of its body as text. */
  response: z
    .object({ headers: headersSchema, body: z.string(), bytes: countSchema, cut: z.boolean() })
    .nullable(),
});
export type WebhookAttempt = z.output<typeof webhookAttemptSchema>;

export const webhookDeliveryDetailSchema = webhookDeliverySchema.extend({
  /** Exactly the octets that are sent and signed. */
  body: z.string(),
  /** The newest first. */
  tries: z.array(webhookAttemptSchema),
});
export type WebhookDeliveryDetail = z.output<typeof webhookDeliveryDetailSchema>;

/** Each number is counted up to 100,000. */
export const webhookCountsSchema = z.object({
  waiting: countSchema,
  delivered: countSchema,
  failed: countSchema,
});
export type WebhookCounts = z.output<typeof webhookCountsSchema>;

/** Results of the deliveries of the last 24 hours (at most the newest 10,000), also in equal parts of that time. */
export const webhookHealthSchema = webhookCountsSchema.extend({
  from: instantSchema,
  to: instantSchema,
  /** Number delivered on the first attempt. */
  first_try: countSchema,
  /** Number whose first attempt has ended, delivered or not. */
  tried: countSchema,
  /** 95th percentile of the duration of successful attempts; null if there are none. */
  p95_ms: countSchema.nullable(),
  slots: z.array(
    webhookCountsSchema.extend({ at: instantSchema, first_try: countSchema, tried: countSchema }),
  ),
});
export type WebhookHealth = z.output<typeof webhookHealthSchema>;

export const webhookResentSchema = z.object({ count: countSchema });

const webhookFeedStarts = ['oldest', 'now'] as const;
export type WebhookFeedStart = (typeof webhookFeedStarts)[number];

export const webhookFeedQuerySchema = z.strictObject({
  /** `next_cursor` of the last response. */
  cursor: z.string().max(200).optional(),
  /** Where to start without a cursor: at the oldest stored event, or with what is recorded from now on. */
  start: z.enum(webhookFeedStarts).default('oldest'),
  limit: digitsOr(z.int().min(1).max(limits.page.maxByApi)).default(limits.page.default),
});
export const webhookFeedSchema = z.object({
  /** The oldest first. */
  events: z.array(webhookEventSchema),
  /** Cursor for the next request, also if there are no more events now. */
  next_cursor: z.string(),
  has_more: z.boolean(),
});
export type WebhookFeed = z.output<typeof webhookFeedSchema>;
