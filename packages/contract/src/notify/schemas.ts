import { z } from 'zod';
import { instantSchema, phoneSchema } from '../identifiers.ts';
import { emailSchema } from '../identity/schemas.ts';
import type { IssueKey } from '../issues.ts';
import { limits } from '../limits.ts';
import { searchSchema, textSchema } from '../text.ts';
import { versionSchema } from '../versions.ts';

/** Channels of notifications; each target has one. */
export const channels = ['email', 'sms', 'api'] as const;
export type Channel = (typeof channels)[number];

/** Kinds of notifications. Their texts are `notifications.<kind>` in packages/phrases, with `-` for the dot. */
export const notificationKinds = [
  'test',
  'target.failing',
  'target.paused',
  'schedule.ran',
  'schedule.missed',
  'autoflow.fired',
  'autoflow.tried',
  'autoflow.failed',
  'sms.received',
  'report.ready',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** Why an attempt failed, or a delivery was given up. */
export const deliveryFaults = [
  /** Faults of the address: inside the server's own network, or with a port or scheme that is not allowed. */
  'address',
  'port',
  'scheme',
  /** Faults of the response. */
  'redirect',
  'status',
  'gone',
  'time',
  'connection',
  /** The receiver's certificate is not valid. */
  'certificate',
  /** The mail server does not accept mail for this address. */
  'refused',
  /** The mail server does not accept this mail for any address, because of its text or its size. */
  'content',
  /** Faults of SMS: the network does not know the number, or reported that the message was not delivered. */
  'number',
  'undelivered',
  /** The number is that of a SIM of another organisation, or of one that may not be sent messages. */
  'sim',
  /** The organisation may not send SMS, or has used up its quota. */
  'forbidden',
  'quota',
  /** This installation has no connection for the channel. */
  'unavailable',
  /** The secret can't be read: a new one is needed. */
  'secret',
  /** The process ended during the attempt. */
  'interrupted',
  /** The target is paused. */
  'paused',
  /** The webhook was disabled. */
  'disabled',
  /** The webhook no longer receives events of this type: it was removed, or the account may no longer read it. */
  'type',
  /** Not delivered in time. */
  'expired',
] as const;
export type DeliveryFault = (typeof deliveryFaults)[number];

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
const deliveryStateSchema = z.enum(deliveryStates);

/** The newest delivery of a target. */
const lastDeliverySchema = z.object({ at: instantSchema, state: deliveryStateSchema }).nullable();
export type LastDelivery = z.output<typeof lastDeliverySchema>;

/** Email addresses or phone numbers that are notified together (specification, section 3: address group, SMS subscriber). */
export const addressGroupSchema = z.object({
  id: z.string(),
  version: versionSchema,
  name: z.string(),
  emails: z.array(z.string()),
  created_at: instantSchema,
  last_delivery: lastDeliverySchema,
});
export type AddressGroup = z.output<typeof addressGroupSchema>;
export const smsGroupSchema = z.object({
  id: z.string(),
  version: versionSchema,
  name: z.string(),
  phones: z.array(z.string()),
  created_at: instantSchema,
  last_delivery: lastDeliverySchema,
});
export type SmsGroup = z.output<typeof smsGroupSchema>;

/** `failing`: one delivery at a time is attempted; `paused`: none, until somebody resumes the target. */
export const targetStates = ['active', 'failing', 'paused'] as const;
export type TargetState = (typeof targetStates)[number];

/** A program that is notified by signed HTTPS requests (specification, section 3: API target). */
export const apiTargetSchema = z.object({
  id: z.string(),
  version: versionSchema,
  name: z.string(),
  url: z.string(),
  state: z.enum(targetStates),
  paused_for: z.enum(['failing', 'gone']).nullable(),
  /** Creation time of the newest secret. */
  secret_created_at: instantSchema,
  /** Until when requests are also signed with the previous secret. */
  former_secret_until: instantSchema.nullable(),
  created_at: instantSchema,
  last_delivery: lastDeliverySchema,
});
export type ApiTarget = z.output<typeof apiTargetSchema>;

/** A target as shown to people who may choose targets for a rule or a schedule, but not read their addresses. */
export const targetChoiceSchema = z.object({
  id: z.string(),
  kind: z.enum(channels),
  name: z.string(),
  /** Number of its addresses. */
  addresses: z.number().int(),
  /** Of an API target; null for callers who may not read targets. */
  url: z.string().nullable(),
});
export type TargetChoice = z.output<typeof targetChoiceSchema>;

/** The only response that contains a secret: `whsec_` and 32 octets in base64, as in Standard Webhooks. */
export const targetSecretSchema = z.object({ target: apiTargetSchema, secret: z.string() });
export type TargetSecret = z.output<typeof targetSecretSchema>;

/** A list without duplicates: the issue is reported at the second of two equal items. */
const uniqueList = <S extends z.ZodType<string>>(item: S, max: number) =>
  z
    .array(item)
    .min(1)
    .max(max)
    .superRefine((items, context) => {
      for (const [index, value] of items.entries()) {
        if (items.indexOf(value) < index)
          context.addIssue({ code: 'custom', message: 'duplicate', path: [index] });
      }
    });

const notHttps: IssueKey = 'httpsUrl';
/** Section 5: HTTPS. Without user name and password, which logs would show, and without a fragment, which is never sent. */
export const httpsUrlSchema = z
  .url({ protocol: /^https$/, hostname: /./, normalize: true, error: notHttps })
  .max(limits.notifications.url)
  .refine((url) => !/^[^/]*\/\/[^/?#]*@|#/.test(url), notHttps);

const groupName = textSchema({ max: limits.addressGroups.name });
export const addressGroupBodySchema = z.strictObject({
  name: groupName,
  emails: uniqueList(emailSchema, limits.addressGroups.emails),
});
export const smsGroupBodySchema = z.strictObject({
  name: groupName,
  phones: uniqueList(phoneSchema, limits.addressGroups.phones),
});

export const apiTargetBodySchema = z.strictObject({ name: groupName, url: httpsUrlSchema });

/** Delivery of one notification to one address of a target. */
export const deliverySchema = z.object({
  id: z.string(),
  /** The same for each address and attempt: the `webhook-id` of requests. */
  notification_id: z.string(),
  kind: z.enum(notificationKinds),
  address: z.string(),
  state: deliveryStateSchema,
  attempts: z.number().int(),
  /** Fault of the newest attempt, or the reason why the delivery was given up. */
  fault: z.enum(deliveryFaults).nullable(),
  /** HTTP status of the newest attempt. */
  status: z.number().int().nullable(),
  duration_ms: z.number().int().nullable(),
  created_at: instantSchema,
  last_attempt_at: instantSchema.nullable(),
  next_attempt_at: instantSchema.nullable(),
});
export type Delivery = z.output<typeof deliverySchema>;

export const deliveryAttemptSchema = z.object({
  number: z.number().int(),
  at: instantSchema,
  /** Null while it runs. */
  duration_ms: z.number().int().nullable(),
  fault: z.enum(deliveryFaults).nullable(),
  status: z.number().int().nullable(),
});
export const deliveryDetailSchema = deliverySchema.extend({ tries: z.array(deliveryAttemptSchema) });
export type DeliveryDetail = z.output<typeof deliveryDetailSchema>;

export const targetIdSchema = z.string().regex(/^\d{1,18}$/);

/** Search for groups by part of their name or of one of their addresses. */
export const groupSearchSchema = z.strictObject({
  search: searchSchema(limits.addressGroups.search).optional(),
  /** Returns only this group. */
  groupId: targetIdSchema.optional(),
});
