import { z } from 'zod';
import { instantSchema } from '../identifiers.ts';
import { limits } from '../limits.ts';
import { deliveryFaults, deliveryStates, httpsUrlSchema, targetStates } from '../notify/schemas.ts';
import { pageSchema } from '../paging.ts';
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
  /** Of the account. */
  id: z.string(),
  /** `whsec_` and 32 octets in base64; null until one is made, and where it can no longer be read. */
  key: z.string().nullable(),
  key_created_at: instantSchema.nullable(),
  /** Until when requests are signed with the key before it, too. */
  former_key_until: instantSchema.nullable(),
  url: z.string().nullable(),
  status: z.enum(webhookStatuses),
  /** `failing`: one event at a time is tried; `paused`: none, until it is tried again by hand. */
  state: z.enum(targetStates),
  paused_for: z.enum(['failing', 'gone']).nullable(),
  failing_since: instantSchema.nullable(),
  /** When a failing one is tried again. */
  next_try_at: instantSchema.nullable(),
  /** Types that are sent. */
  event_types: eventTypesSchema,
});
export type Webhook = z.output<typeof webhookSchema>;

export const webhookStatusBodySchema = z.strictObject({ status: z.enum(webhookStatuses) });
export const webhookUrlBodySchema = z.strictObject({ url: httpsUrlSchema });
export const webhookEventTypesBodySchema = z.strictObject({ event_types: eventTypesSchema });

/** Of the log: what may stand there, and what the account may choose. */
export const webhookEventTypeSchema = z.object({
  type: eventTypeSchema,
  /** Chosen for a new webhook. */
  usual: z.boolean(),
  chosen: z.boolean(),
  /** The account's rights allow it. */
  permitted: z.boolean(),
});
export type WebhookEventTypeOffered = z.output<typeof webhookEventTypeSchema>;

/** What an event is about, as lists show and link it. */
export const webhookSubjectKinds = ['sim', 'pool', 'bill', 'report', 'task'] as const;
export type WebhookSubjectKind = (typeof webhookSubjectKinds)[number];
const subjectSchema = z.object({
  kind: z.enum(webhookSubjectKinds),
  /** ICCID, id of the pool, number of the bill, month of the reports, reference of the task. */
  id: z.string(),
  /** Device name of a SIM that the organisation still has; name of a pool. */
  name: z.string().nullable(),
});

const logFilterShape = {
  type: z.array(z.enum(loggedTypes)).max(loggedTypes.length).optional(),
  state: z.array(z.enum(deliveryStates)).max(deliveryStates.length).optional(),
  /** From then on. */
  from: instantSchema.optional(),
  /** Until before then. */
  to: instantSchema.optional(),
  /** An ICCID, id of an event, id of a pool or reference of a task, whole. */
  search: searchSchema(limits.webhooks.search).optional(),
};
export const webhookLogFilterSchema = z.strictObject(logFilterShape);
export type WebhookLogFilter = z.output<typeof webhookLogFilterSchema>;
export const webhookLogBodySchema = pageSchema.extend(logFilterShape);

export const webhookDeliveryIdSchema = z.string().regex(/^\d{1,18}$/);

/** One event on its way to the webhook. */
export const webhookDeliverySchema = z.object({
  id: z.string(),
  /** `webhook-id` of every request about it. */
  event_id: z.string(),
  type: z.enum(loggedTypes),
  /** When it was to be sent. */
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
  /** Since the end of the attempt before it. */
  waited_ms: countSchema.nullable(),
  /** Null while it runs. */
  duration_ms: countSchema.nullable(),
  fault: z.enum(deliveryFaults).nullable(),
  status: z.number().int().nullable(),
  /** What was sent: a POST to this URL with these headers and the delivery's body. Null where it was not kept. */
  request: z.object({ url: z.string(), headers: headersSchema }).nullable(),
  /** What came back; the body's beginning as text. */
  response: z
    .object({ headers: headersSchema, body: z.string(), bytes: countSchema, cut: z.boolean() })
    .nullable(),
});
export type WebhookAttempt = z.output<typeof webhookAttemptSchema>;

export const webhookDeliveryDetailSchema = webhookDeliverySchema.extend({
  /** As it is sent and signed, octet for octet. */
  body: z.string(),
  /** The newest first. */
  tries: z.array(webhookAttemptSchema),
});
export type WebhookDeliveryDetail = z.output<typeof webhookDeliveryDetailSchema>;

/** Each counted up to 100,000. */
export const webhookCountsSchema = z.object({
  waiting: countSchema,
  delivered: countSchema,
  failed: countSchema,
});
export type WebhookCounts = z.output<typeof webhookCountsSchema>;

/** How the newest deliveries went, those of 24 hours and at most 10,000, as a strip of equal parts of that time. */
export const webhookHealthSchema = webhookCountsSchema.extend({
  from: instantSchema,
  to: instantSchema,
  /** Delivered by their first attempt. */
  first_try: countSchema,
  /** 95 % of the attempts that delivered took at most so long; null without any. */
  p95_ms: countSchema.nullable(),
  slots: z.array(webhookCountsSchema.extend({ at: instantSchema, first_try: countSchema })),
});
export type WebhookHealth = z.output<typeof webhookHealthSchema>;

export const webhookResentSchema = z.object({ count: countSchema });

export const webhookFeedQuerySchema = z.strictObject({
  /** `next_cursor` of the last answer; without one the feed begins with the oldest event that is kept. */
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(limits.page.maxByApi).default(limits.page.default),
});
export const webhookFeedSchema = z.object({
  /** The oldest first. */
  events: z.array(webhookEventSchema),
  /** Where the next question goes on, also when there is nothing more now. */
  next_cursor: z.string(),
  has_more: z.boolean(),
});
export type WebhookFeed = z.output<typeof webhookFeedSchema>;
