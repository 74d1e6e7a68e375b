import { z } from 'zod';
import { instantSchema } from '../identifiers.ts';
import { limits } from '../limits.ts';
import { actions, type PermissionKey, permissionKeys } from '../permissions.ts';
import { searchSchema, textSchema } from '../text.ts';

const actionsSchema = z.array(z.enum(actions)).min(1).max(actions.length).exactOptional();
const rightsSchema = z.strictObject(
  Object.fromEntries(permissionKeys.map((key) => [key, actionsSchema])) as Record<
    PermissionKey,
    typeof actionsSchema
  >,
);

export type KeyRights = z.output<typeof rightsSchema>;

export const apiKeySchema = z.object({
  /** What `keyid` of a signature says. */
  id: z.uuid(),
  name: z.string().nullable(),
  /** PEM (SPKI). */
  public_key: z.string(),
  /** Modulus of the RSA key. */
  bits: z.number().int(),
  /** Null: all rights of the account. */
  rights: rightsSchema.nullable(),
  created_at: instantSchema,
  expires_at: instantSchema.nullable(),
  /** To the minute. */
  last_used_at: instantSchema.nullable(),
});
export type ApiKey = z.output<typeof apiKeySchema>;

export const apiKeyBodySchema = z.strictObject({
  name: textSchema({ max: limits.apiKeys.name }).optional(),
  expires_at: instantSchema.optional(),
  /** Fewer rights than the account has; whatever the account loses later, the key loses too. */
  rights: rightsSchema.optional(),
});

export const createdApiKeySchema = z.object({
  key: apiKeySchema,
  /** PEM (PKCS #8), answered this once and stored nowhere. */
  private_key: z.string(),
});

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export const apiLogFilterSchema = z.strictObject({
  from: instantSchema.optional(),
  to: instantSchema.optional(),
  /** HTTP codes, or classes of them: `404`, `5xx`. */
  http_code: z
    .array(z.string().regex(/^[1-5](\d\d|xx)$/))
    .max(limits.apiLog.codes)
    .optional(),
  method: z.array(z.enum(methods)).max(methods.length).optional(),
  /** A part of path and query. */
  path: searchSchema(limits.apiLog.path).optional(),
  key_id: z.array(z.uuid()).max(limits.apiKeys.perAccount).optional(),
  trace_id: z.uuid().optional(),
});

/** A call that was made by an API key (specification, section 3: API log). */
export const apiCallSchema = z.object({
  trace_id: z.uuid(),
  requested_at: instantSchema,
  /** The name is that of then: the key may be gone. */
  key: z.object({ id: z.uuid(), name: z.string().nullable() }),
  ip: z.string(),
  method: z.string(),
  /** With its query. */
  path: z.string(),
  http_code: z.number().int(),
  /** Of the envelope; null where the answer is a file. */
  code: z.string().nullable(),
  duration_ms: z.number().int(),
  /** Names in lower case; secrets are masked. Null when `content` is false. */
  header: z.record(z.string(), z.string()).nullable(),
  /** Masked, its first 8 kB; null when there is none, it is a file or wholly secret, or `content` is false. */
  body: z.string().nullable(),
  /** Of the whole body, as far as it came with its length. */
  body_bytes: z.number().int(),
  response: z.string().nullable(),
  response_bytes: z.number().int(),
});
export type ApiCall = z.output<typeof apiCallSchema>;
