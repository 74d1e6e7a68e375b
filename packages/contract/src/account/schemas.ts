import { z } from 'zod';
import { instantSchema } from '../identifiers.ts';
import {
  accountNameSchema,
  emailSchema,
  languageSchema,
  passwordSchema,
  permissionMapSchema,
  roleSchema,
} from '../identity/schemas.ts';
import { limits } from '../limits.ts';
import { actions, permissionKeys } from '../permissions.ts';
import { textSchema } from '../text.ts';

/** `pending`: invited, not accepted yet. */
export const accountStatuses = ['active', 'disabled', 'pending'] as const;
export type AccountStatus = (typeof accountStatuses)[number];
export const accountStatusSchema = z.enum(accountStatuses);

/**
 * Parts of an account that the viewer can't change here: the account itself (a superadmin's), the person's data (name,
 * language), the password.
 */
export const fixedParts = ['account', 'person', 'password'] as const;
export type FixedPart = (typeof fixedParts)[number];

/** Columns by which the list of accounts can be sorted. */
export const accountSorts = [
  'name',
  'email',
  'role',
  'created_at',
  'last_sign_in_at',
  'sign_in_count',
] as const;

/** A person's membership in the organisation, or an open invitation to it (specification, section 3: Account). */
export const accountSchema = z.object({
  /** The person's id; for an open invitation, the invitation's id, whether or not the address is known. */
  id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  locale: languageSchema,
  role: roleSchema,
  oversight: z.boolean(),
  status: accountStatusSchema,
  two_factor: z.boolean(),
  created_at: instantSchema,
  sign_in_count: z.number().int(),
  last_sign_in_at: instantSchema.nullable(),
  /** The open invitation, which can be sent again or revoked. */
  pending_invitation: z.object({ id: z.string(), expires_at: instantSchema }).nullable(),
  /** The permissions differ from those of the role. */
  permissions_changed: z.boolean(),
  fixed: z.array(z.enum(fixedParts)),
});
export type Account = z.output<typeof accountSchema>;

export const accountBodySchema = z.strictObject({
  first_name: accountNameSchema,
  last_name: accountNameSchema,
  role: roleSchema,
  locale: languageSchema,
});
export const newAccountBodySchema = accountBodySchema.extend({
  email: emailSchema,
  oversight: z.boolean().default(false),
  /** A first password, handed over by the admin; if omitted, the person sets one when accepting. */
  password: passwordSchema.optional(),
});

/** An organisation of the account's person: one in which the caller may also manage accounts, or any if it is the caller. */
export const partnerSchema = z.object({
  code: z.string(),
  name: z.string(),
  role: roleSchema,
  default: z.boolean(),
  oversight: z.boolean(),
  disabled: z.boolean(),
  joined_at: instantSchema,
});
export type Partner = z.output<typeof partnerSchema>;

export const permissionKeySchema = z.enum(permissionKeys);
export const accountPermissionsSchema = z.object({
  role: roleSchema,
  /** Effective permissions: those of the role with the changes applied. */
  effective: permissionMapSchema,
  of_role: permissionMapSchema,
  changes: permissionMapSchema,
  /** Name of the set of changes, such as "night shift". */
  name: z.string().nullable(),
  /** False for roles that have all permissions. */
  changeable: z.boolean(),
});
export type AccountPermissions = z.output<typeof accountPermissionsSchema>;

/** Actions that replace those of the role on one permission key; an empty list denies all of them. */
export const permissionChangeSchema = z.strictObject({
  actions: z.array(z.enum(actions)).max(actions.length),
});
export const permissionNameSchema = z.strictObject({
  userId: z.uuid(),
  name: textSchema({ min: 0, max: limits.accountName.max }).nullable(),
});
export const permissionBatchSchema = z.strictObject({
  userId: z.uuid(),
  keys: z.array(permissionKeySchema).min(1).max(permissionKeys.length),
});
