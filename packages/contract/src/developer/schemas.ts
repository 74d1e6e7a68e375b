import { z } from 'zod';
import { instantSchema } from '../identifiers.ts';
import { permissionMapSchema, roleSchema, userIdSchema } from '../identity/schemas.ts';
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
  /** The `keyid` of signatures. */
  id: z.uuid(),
  name: z.string().nullable(),
  /** PEM (SPKI). */
  public_key: z.string(),
  /** Modulus of the RSA key. */
  bits: z.number().int(),
  /** Null: all permissions of the account. */
  rights: rightsSchema.nullable(),
  created_at: instantSchema,
  expires_at: instantSchema.nullable(),
  /** Accurate to the minute. */
  last_used_at: instantSchema.nullable(),
});
export type ApiKey = z.output<typeof apiKeySchema>;

export const apiKeyBodySchema = z.strictObject({
  name: textSchema({ max: limits.apiKeys.name }).optional(),
  expires_at: instantSchema.optional(),
  /** Restricts the key to fewer permissions than the account has; permissions that the account loses later, the key loses too. */
  rights: rightsSchema.optional(),
});

/** Who calls, as a program needs it to make other calls. */
export const callerSchema = z.object({
  account_id: userIdSchema,
  organisation: z.object({ tenant_id: z.string(), code: z.string(), name: z.string() }),
  role: roleSchema,
  /** What this call's sender may do: the permissions of the account, limited to the rights of the key. */
  permissions: permissionMapSchema,
  /** The API key that signed the call; null in a session. */
  key: apiKeySchema.pick({ id: true, name: true, expires_at: true }).nullable(),
  /** Hours by which the installation's business days are ahead of UTC. */
  day_offset: z.number().int().min(limits.dayOffset.min).max(limits.dayOffset.max),
});
export type Caller = z.output<typeof callerSchema>;

export const createdApiKeySchema = z.object({
  key: apiKeySchema,
  /** PEM (PKCS #8), returned only in this response and not stored. */
  private_key: z.string(),
});

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export const apiLogFilterSchema = z.strictObject({
  from: instantSchema.optional(),
  to: instantSchema.optional(),
  /** HTTP status codes or classes: `404`, `5xx`. */
  http_code: z
    .array(z.string().regex(/^[1-5](\d\d|xx)$/))
    .max(limits.apiLog.codes)
    .optional(),
  method: z.array(z.enum(methods)).max(methods.length).optional(),
  /** Part of the path with its query. */
  path: searchSchema(limits.apiLog.path).optional(),
  key_id: z.array(z.uuid()).max(limits.apiKeys.perAccount).optional(),
  trace_id: z.uuid().optional(),
});

/** A call made with an API key (specification, section 3: API log). */
export const apiCallSchema = z.object({
  trace_id: z.uuid(),
  requested_at: instantSchema,
  /** The name at the time of the call: the key may have been removed. */
  key: z.object({ id: z.uuid(), name: z.string().nullable() }),
  ip: z.string(),
  method: z.string(),
  /** Includes the query. */
  path: z.string(),
  http_code: z.number().int(),
  /** Code of the envelope; null if the response is a file. */
  code: z.string().nullable(),
  duration_ms: z.number().int(),
  /** Names in lower case; secrets are masked. Null, as are body and response, when `content` is false or the caller may not make such a call. */
  header: z.record(z.string(), z.string()).nullable(),
  /** The first 8 kB, with secrets masked; null if there is no body, it is a file or entirely secret, or it is left out. */
  body: z.string().nullable(),
  /** Size of the whole body, if the request stated its length. */
  body_bytes: z.number().int(),
  response: z.string().nullable(),
  response_bytes: z.number().int(),
});
export type ApiCall = z.output<typeof apiCallSchema>;
