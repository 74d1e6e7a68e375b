import { z } from 'zod';
import { instantSchema } from '../identifiers.ts';
import type { IssueKey } from '../issues.ts';
import { languages } from '../languages.ts';
import { limits } from '../limits.ts';
import { actions, permissionKeys, roles } from '../permissions.ts';
import { normaliseWidth, textSchema } from '../text.ts';

export const roleSchema = z.enum(roles);
export const languageSchema = z.enum(languages);
/** Typed or pasted text: may contain full-width forms of East Asian keyboards, or invisible characters that were copied. */
const typedText = () => z.string().overwrite(normaliseWidth).trim();
export const emailSchema = typedText().toLowerCase().max(254).pipe(z.email());
export const userIdSchema = z.uuid();
/** First or last name (specification, section 5: 1-30 characters). */
export const accountNameSchema = textSchema(limits.accountName);

/** All rules of new passwords share the specification's message. */
const passwordRule: IssueKey = 'passwordRule';
/** Normalises equivalent spellings of a password (RFC 8265, 4.2.2): letters with accents, and spaces. */
const passwordText = () =>
  z.string().overwrite((password) => password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC'));
/** No invisible characters (RFC 8264, 4.3.3): they are pasted by accident, and cannot be typed again. */
const visibleOnly = /^[^\p{Control}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]*$/u;
/** A new password: length, and at least one letter, one digit and one symbol (specification, section 5). */
export const passwordSchema = passwordText()
  .min(limits.password.min, passwordRule)
  .max(limits.password.max, passwordRule)
  // As fields of browsers count, so that every password can be typed: a character beyond U+FFFF is two.
  .refine((password) => password.length <= limits.password.max, passwordRule)
  .regex(/\p{L}/u, passwordRule)
  .regex(/\p{Nd}/u, passwordRule)
  .regex(/[^\p{L}\p{M}\p{N}\s]/u, passwordRule)
  .regex(visibleOnly, passwordRule);

/** A password entered for authentication: one that is too long to be valid is only a wrong password. */
const typedPasswordSchema = passwordText().max(limits.password.max * 10);
/** One-time code of six digits, or a recovery code. */
const typedCodeSchema = typedText().max(20);
/** A token from an email: 256 bits. */
const mailedTokenSchema = z.string().min(20).max(100);

/** Missing fields are accepted here, so that sign-in can return the specification's message for each of them. */
export const signInBodySchema = z.strictObject({
  email: typedText().max(254).default(''),
  password: typedPasswordSchema.default(''),
  /** Six-digit one-time code, required if two-factor is on or after repeated failures; or a recovery code. */
  code: typedCodeSchema.optional(),
  agreement: z.boolean().default(false),
});

/** Accepts an invitation and signs in a person who already has a password. */
export const invitedSignInBodySchema = signInBodySchema.omit({ email: true }).extend({
  token: mailedTokenSchema,
});

export const permissionMapSchema = z.partialRecord(
  z.enum(['*', ...permissionKeys]),
  z.array(z.enum(actions)),
);

/** One organisation of the person, as stored by the browser under `rolesInfo` (specification, section 3). */
export const membershipSchema = z.object({
  code: z.string(),
  name: z.string(),
  role: roleSchema,
  tenantId: z.string(),
  default: z.boolean(),
  logo: z.string().nullable(),
  /** Permissions changed for this account only; applied to those of the role, they give the effective permissions. */
  changes: permissionMapSchema.optional(),
});
export type MembershipInfo = z.output<typeof membershipSchema>;

export const signInResponseSchema = z.object({
  token: z.string(),
  userId: z.string(),
  username: z.string(),
  userEmail: z.string(),
  lang: languageSchema,
  /** Number of sign-ins of this person, including this one; 1 shows the welcome. */
  loginsCount: z.number().int(),
  /** The default sign-in organisation; null when the person belongs to none. */
  partnerCode: z.string().nullable(),
  tenantId: z.string().nullable(),
  rolesInfo: z.array(membershipSchema),
  permissionsInfo: z.partialRecord(roleSchema, permissionMapSchema),
  /** Ids of the organisation's shared pools; empty for callers who may not read pools. */
  sharedPool: z.array(z.string()),
  /** Hours by which the installation's business days are ahead of UTC. */
  dayOffset: z.number().int().min(limits.dayOffset.min).max(limits.dayOffset.max),
});
export type SignInResponse = z.output<typeof signInResponseSchema>;

export const resetPasswordBodySchema = z.strictObject({ token: mailedTokenSchema, password: passwordSchema });
export const changePasswordBodySchema = z.strictObject({
  oldPassword: typedPasswordSchema.min(1),
  password: passwordSchema,
});

export const invitationTokenSchema = z.strictObject({ token: mailedTokenSchema });
/** What the invited person sees before accepting. */
export const invitationSchema = z.object({
  email: z.string(),
  organisation: z.string(),
  inviter: z.string(),
  role: roleSchema,
  language: languageSchema,
  expires_at: instantSchema,
  /** The person with this address already has a password, which is requested instead of a new one. */
  known: z.boolean(),
  first_name: z.string(),
  last_name: z.string(),
});
export type Invitation = z.output<typeof invitationSchema>;

export const acceptBodySchema = invitationTokenSchema.extend({
  /** Required if the address is not known yet. */
  person: z
    .strictObject({ first_name: accountNameSchema, last_name: accountNameSchema, password: passwordSchema })
    .optional(),
  agreement: z.boolean().default(false),
});

export const inviteBodySchema = z.strictObject({
  email: emailSchema,
  role: roleSchema,
  language: languageSchema,
  oversight: z.boolean().default(false),
  first_name: accountNameSchema.optional(),
  last_name: accountNameSchema.optional(),
});

/** The person's own profile. */
export const profileSchema = z.object({
  id: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  language: languageSchema,
  created_at: instantSchema,
  last_sign_in_at: instantSchema.nullable(),
  sign_in_count: z.number().int(),
  two_factor: z.object({ enabled: z.boolean(), recovery_codes_left: z.number().int() }),
  /** At least one organisation of the person requires two-factor authentication. */
  two_factor_required: z.boolean(),
});
export type Profile = z.output<typeof profileSchema>;
export const profileBodySchema = z.strictObject({
  first_name: accountNameSchema,
  last_name: accountNameSchema,
  language: languageSchema,
});

export const sessionSchema = z.object({
  id: z.string(),
  current: z.boolean(),
  /** Of the sign-in; of the current session, the address of this call. */
  address: z.string().nullable(),
  user_agent: z.string().nullable(),
  created_at: instantSchema,
  last_used_at: instantSchema,
});
export type SignInSession = z.output<typeof sessionSchema>;

/** RFC 6238 with SHA-1, six digits and thirty seconds, which every authenticator app supports. */
export const twoFactorSetupSchema = z.object({
  /** Base 32, to type in by hand. */
  secret: z.string(),
  /** `otpauth://` address, for a QR code. */
  uri: z.string(),
});
export const passwordProofSchema = z.strictObject({ password: typedPasswordSchema.min(1) });
export const twoFactorConfirmSchema = z.strictObject({
  /** Apps show codes in two groups. */
  code: typedText()
    .overwrite((code) => code.replaceAll(/\s/g, ''))
    .regex(/^\d{6}$/),
});
export const twoFactorProofSchema = passwordProofSchema.extend({ code: typedCodeSchema.min(6) });
export const recoveryCodesSchema = z.object({ recovery_codes: z.array(z.string()) });
