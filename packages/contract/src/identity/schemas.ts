import { z } from 'zod';
import { languages } from '../languages.ts';
import { limits } from '../limits.ts';
import { actions, permissionKeys, roles } from '../permissions.ts';

export const roleSchema = z.enum(roles);

/** A new password: 6-12 characters with at least one letter, one digit and one symbol (specification, section 5). */
export const passwordSchema = z
  .string()
  .min(limits.password.min)
  .max(limits.password.max)
  .regex(/\p{L}/u)
  .regex(/\p{Nd}/u)
  .regex(/[^\p{L}\p{N}\s]/u);

/** Missing fields pass here, so that sign-in can answer the specification's own message for each of them. */
export const signInBodySchema = z.object({
  email: z.string().trim().max(254).default(''),
  password: z
    .string()
    .max(limits.password.max * 10)
    .default(''),
  /** Six-digit one-time code, wanted when two-factor is on or after repeated failures. */
  code: z.string().trim().max(10).optional(),
  agreement: z.boolean().default(false),
});

export const permissionMapSchema = z.partialRecord(
  z.enum(['*', ...permissionKeys]),
  z.array(z.enum(actions)),
);

/** One organisation of the person, as kept by the browser under `rolesInfo` (specification, section 3). */
export const membershipSchema = z.object({
  code: z.string(),
  name: z.string(),
  role: roleSchema,
  tenantId: z.string(),
  default: z.boolean(),
  logo: z.string().nullable(),
});
export type MembershipInfo = z.output<typeof membershipSchema>;

export const signInResponseSchema = z.object({
  token: z.string(),
  userId: z.string(),
  username: z.string(),
  userEmail: z.string(),
  lang: z.enum(languages),
  /** How often this person has signed in, this time included; 1 shows the welcome. */
  loginsCount: z.number().int(),
  /** The default sign-in organisation; null when the person belongs to none. */
  partnerCode: z.string().nullable(),
  tenantId: z.string().nullable(),
  rolesInfo: z.array(membershipSchema),
  permissionsInfo: z.partialRecord(roleSchema, permissionMapSchema),
  sharedPool: z.array(z.string()),
});
export type SignInResponse = z.output<typeof signInResponseSchema>;
