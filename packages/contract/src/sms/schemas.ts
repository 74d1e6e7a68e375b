import { z } from 'zod';
import { dateSchema, iccidSchema, instantSchema } from '../identifiers.ts';
import { limits } from '../limits.ts';
import { checkOrder } from '../order.ts';
import { pageSchema } from '../paging.ts';
import { operationBody, operationResponseSchema } from '../sim/selection.ts';
import { fileFormatSchema } from '../task/schemas.ts';
import { messageSchema, searchSchema } from '../text.ts';

/** To a SIM (mobile-terminated), or from a SIM (mobile-originated). */
export const smsDirections = ['mt', 'mo'] as const;
export type SmsDirection = (typeof smsDirections)[number];

/** How an MT came to be sent. */
export const smsKinds = ['instant', 'scheduled'] as const;
export type SmsKind = (typeof smsKinds)[number];

/** Filter of messages: MT by how they were sent, or MO that are replies. */
const smsFilterKinds = [...smsKinds, 'reply'] as const;

/** States of an MT. `unknown`: its outcome was not reported, or not in time. */
export const smsStatuses = ['processing', 'sent', 'delivered', 'failed', 'unknown'] as const;
export type SmsStatus = (typeof smsStatuses)[number];
export const smsStatusSchema = z.enum(smsStatuses);

/** Encodings of messages; `binary` is shown as hexadecimal digits. */
export const smsEncodings = ['gsm7', 'ucs2', 'latin1', 'binary'] as const;
export type SmsEncoding = (typeof smsEncodings)[number];
/** The technical names, the same in every language; binary content has a translated name. */
export const smsEncodingNames: Readonly<Partial<Record<SmsEncoding, string>>> = {
  gsm7: 'GSM-7',
  ucs2: 'UCS-2',
  latin1: 'Latin-1',
};

/** Reasons why an MT failed or is unknown. Phrases: `sms.reasons`. */
export const smsReasons = [
  'refused',
  'address-invalid',
  'not-sent-in-time',
  'expired',
  'deleted',
  'undeliverable',
  'rejected',
  'no-answer',
  'no-receipt',
  /** The SIM was transferred to another organisation before the message was sent. */
  'sim-moved',
  /** The SIM expired or was terminated before the message was sent. */
  'sim-ended',
  /** A2P MT SMS was suspended for the SIM before the message was sent. */
  'sim-suspended',
] as const;
export type SmsReason = (typeof smsReasons)[number];

const countSchema = z.number().int().nonnegative();

/** Id of a message: ICCID, milliseconds since 1970, and number. */
export const smsIdSchema = z.string().regex(/^[0-9A-Za-z]{18,22}-\d{12,14}-\d{1,16}$/);
export type SmsId = z.output<typeof smsIdSchema>;

/** "Content at most 140 characters" (specification, section 5). */
export const smsContentSchema = messageSchema({ max: limits.sms.content });

const filterShape = {
  /** Start of the period, inclusive. */
  from: instantSchema.optional(),
  /** End of the period, exclusive. */
  to: instantSchema.optional(),
  /** An empty list matches no messages. */
  iccids: z.array(iccidSchema).max(limits.sms.iccids).optional(),
  /** Part of an ICCID, MSISDN or device name of the organisation's SIMs, or of the text of a message. */
  search: searchSchema(limits.sms.search).optional(),
};
const mtShape = {
  kind: z.enum(smsKinds).optional(),
  status: z.array(smsStatusSchema).max(smsStatuses.length).optional(),
};

export const smsFilterSchema = z.strictObject({
  ...filterShape,
  ...mtShape,
  kind: z.enum(smsFilterKinds).optional(),
  direction: z.enum(smsDirections).optional(),
});
export type SmsFilter = z.output<typeof smsFilterSchema>;
export const smsListBodySchema = pageSchema.extend(smsFilterSchema.shape).superRefine(checkOrder);

const replyShape = { ...filterShape, reply_to: smsIdSchema.optional() };
export const smsReplyBodySchema = pageSchema.extend(replyShape).superRefine(checkOrder);

export const smsSchema = z.object({
  id: smsIdSchema,
  direction: z.enum(smsDirections),
  at: instantSchema,
  iccid: z.string(),
  /** The SIM's number at that time. */
  msisdn: z.string(),
  /** Also null if the SIM now belongs to another organisation. */
  device_name: z.string().nullable(),
  /** Whether the SIM still belongs to the organisation, so that its page can be opened. */
  own: z.boolean(),
  /** Contains `[…]` for missing parts, and where it was truncated after `limits.sms.received` characters. */
  content: z.string(),
  encoding: z.enum(smsEncodings),
  parts: countSchema,
  /** Number of parts of a long MO that did not arrive within ten minutes, or may belong to another message with its reference. */
  missing_parts: countSchema,
  kind: z.enum(smsKinds).nullable(),
  status: smsStatusSchema.nullable(),
  reason: z.enum(smsReasons).nullable(),
  /** The network's result code, verbatim. */
  network_code: z.string().nullable(),
  sent_at: instantSchema.nullable(),
  /** When its last state became known. */
  settled_at: instantSchema.nullable(),
  /** The MT that an MO replies to: the last one in the 24 hours before it. */
  reply_to: smsIdSchema.nullable(),
  replies: countSchema,
  /** Reference of the task that sent it. */
  task: z.string().nullable(),
  sent_by: z.string().nullable(),
});
export type Sms = z.output<typeof smsSchema>;

export const smsSendBodySchema = operationBody.extend({ content: smsContentSchema });
/** Encoding and size of a text; quota and prices count parts. */
export const smsMeasureSchema = z.object({
  encoding: z.enum(smsEncodings),
  parts: countSchema,
  /** Parts of all messages together. */
  total_parts: countSchema,
  /** Rest of the month's quota before sending; null: no limit. */
  remaining: countSchema.nullable(),
});
export const smsSentSchema = operationResponseSchema.extend({
  /** Set for a preview. */
  measure: smsMeasureSchema.nullable(),
  /** The message, if it was sent to a single listed SIM: there is no task then. */
  message: smsSchema.nullable(),
});
export type SmsSent = z.output<typeof smsSentSchema>;

export const smsDownloadBodySchema = z.strictObject({
  filter: smsFilterSchema.superRefine(checkOrder),
  format: fileFormatSchema.default('csv'),
});
export const smsMoReportBodySchema = z.strictObject({
  /** All MO, or only replies. */
  filter: z.strictObject({ ...replyShape, kind: z.literal('reply').optional() }).superRefine(checkOrder),
  format: fileFormatSchema.default('csv'),
});
export const smsMtReportBodySchema = z.strictObject({
  filter: z.strictObject({ ...filterShape, ...mtShape }).superRefine(checkOrder),
  format: fileFormatSchema.default('csv'),
});

/** Parts in the month of business days, and the quota; null: no limit. */
export const smsQuotaUsageSchema = z.object({
  month: z.string().regex(/^\d{4}-\d{2}$/),
  limit: countSchema.nullable(),
  used: countSchema,
  /** The part of `used` that organisations below used, which inherit the quota. */
  used_below: countSchema,
  /** What others used of an inherited quota besides: together with `used` this is what the limit no longer leaves. */
  used_above: countSchema,
  /** Rest of the quota: the minimum over the organisation and those it inherits from. */
  remaining: countSchema.nullable(),
});
export type SmsQuotaUsage = z.output<typeof smsQuotaUsageSchema>;

/** Days and months are business days, as on the dashboard. */
export const smsUsageSchema = z.object({
  quota: smsQuotaUsageSchema,
  mt: countSchema,
  mt_parts: countSchema,
  mo: countSchema,
  /** The last 31 days. */
  days: z.array(z.object({ day: dateSchema, mt: countSchema, mt_parts: countSchema, mo: countSchema })),
});
export type SmsUsage = z.output<typeof smsUsageSchema>;

/** TS 23.040, 9.1.2.5: a number of up to 15 digits, or a name of up to 11 characters. */
export const smsSenderSchema = z.string().regex(/^(?:\d{1,15}|[A-Za-z0-9][A-Za-z0-9 .-]{0,10})$/);

export const smsServiceSchema = z.object({
  org_code: z.string(),
  org_name: z.string(),
  can_send: z.boolean(),
  can_receive: z.boolean(),
  /** Sender address of its messages; null: that of the connection. */
  sender: z.string().nullable(),
  /** Ids of notification targets that messages of its SIMs are forwarded to; null for organisations other than the caller's. */
  forward_to: z.array(z.string()).nullable(),
  /** Whether the caller may set the other fields: true for organisations below. */
  editable: z.boolean(),
});
export type SmsService = z.output<typeof smsServiceSchema>;
/** Omitted fields keep their values. An organisation sets its own `forward_to`; the organisation above it sets the rest. */
export const smsServiceBodySchema = z.strictObject({
  can_send: z.boolean().optional(),
  can_receive: z.boolean().optional(),
  sender: smsSenderSchema.nullable().optional(),
  forward_to: z
    .array(z.string().regex(/^\d{1,18}$/))
    .max(limits.sms.forwardTargets)
    .optional(),
});

export const smsOfSimQuerySchema = pageSchema.extend({
  iccid: iccidSchema,
  direction: z.enum(smsDirections).optional(),
  /** Part of the text of a message. */
  search: searchSchema(limits.sms.search).optional(),
});
