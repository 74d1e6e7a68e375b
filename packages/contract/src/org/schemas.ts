import { z } from 'zod';
import { instantSchema } from '../identifiers.ts';
import { roleSchema } from '../identity/schemas.ts';
import { limits } from '../limits.ts';
import { textSchema } from '../text.ts';

export const organisationSchema = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  country: z.string().length(2),
  tenantId: z.string(),
  default: z.boolean(),
  role: roleSchema,
  logo: z.string().nullable(),
  parent_code: z.string().nullable(),
  created_at: instantSchema,
});
export type Organisation = z.output<typeof organisationSchema>;

/** In the list of a person's organisations. */
export const listedOrganisationSchema = organisationSchema.extend({ above: z.array(z.string()) });
export type ListedOrganisation = z.output<typeof listedOrganisationSchema>;

/** ISO 3166-1 alpha-2; the server knows which exist. */
export const countrySchema = z.string().regex(/^[A-Z]{2}$/);
/** The legally registered full name (specification, section 5). */
export const organisationNameSchema = textSchema(limits.organisationName);

/** SMS quota per month: the parent's, no limit, none, or a number up to the parent's (specification, section 3). */
export const smsQuotaSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('inherit') }),
  z.strictObject({ kind: z.literal('unlimited') }),
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('custom'), messages: z.number().int().min(1).max(limits.smsQuota.max) }),
]);
export type SmsQuota = z.output<typeof smsQuotaSchema>;

/** An IPv4 or IPv6 network in CIDR notation (RFC 4632, RFC 4291). */
export const ipNetworkSchema = z.union([z.cidrv4(), z.cidrv6()]);

/** An organisation's requirements for the sign-in of its people. */
export const securitySchema = z.strictObject({
  two_factor_required: z.boolean(),
  session_idle_hours: z.number().int().min(limits.sessionIdleHours.min).max(limits.sessionIdleHours.max),
  session_hours: z.number().int().min(limits.sessionHours.min).max(limits.sessionHours.max),
  /** Access from anywhere if empty. */
  allowed_networks: z.array(ipNetworkSchema).max(limits.allowedNetworks),
});
export type SecuritySettings = z.output<typeof securitySchema>;

export const newOrganisationBodySchema = z.strictObject({
  name: organisationNameSchema,
  country: countrySchema,
  sms_quota: smsQuotaSchema,
});

/** An organisation with its settings. */
export const enterpriseSchema = organisationSchema.omit({ default: true }).extend({
  parent_name: z.string().nullable(),
  /** A direct customer of the operator: its name needs special permission. */
  first_level: z.boolean(),
  /** It is billed: it is on the first level, or was created as a settlement customer. */
  settlement: z.boolean(),
  /** It was created as a settlement customer: bills are issued to its name, which nobody can edit. */
  name_fixed: z.boolean(),
  sms_quota: smsQuotaSchema,
  /** The effective quota, from its own value and those of all organisations above; null: no limit. */
  sms_quota_messages: z.number().int().nullable(),
  sub_organisations: z.number().int(),
  /** Null for people who may not see its accounts. */
  security: securitySchema.nullable(),
});
export type Enterprise = z.output<typeof enterpriseSchema>;

/** Omitted fields keep their values, those of `security` too. */
export const enterpriseBodySchema = z.strictObject({
  code: z.string().max(40),
  name: organisationNameSchema.optional(),
  country: countrySchema.optional(),
  sms_quota: smsQuotaSchema.optional(),
  security: securitySchema.partial().optional(),
});

export const remainingSchema = z.object({
  limit: z.number().int(),
  used: z.number().int(),
  remaining: z.number().int(),
});
export type Remaining = z.output<typeof remainingSchema>;
