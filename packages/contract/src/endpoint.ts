import type { z } from 'zod';
import type { AuditAction } from './audit/actions.ts';
import type { ErrorCode } from './errors.ts';
import type { Action, PermissionKey } from './permissions.ts';

/** Media types of the files that calls return. */
export const mediaTypes = {
  csv: 'text/csv',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  zip: 'application/zip',
} as const;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call: anybody, any signed-in person (with `member: true` if a current organisation is required too),
 * or a member who has permission for the action on the key.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'signed-in'; member: boolean }
  | {
      kind: 'permission';
      key: PermissionKey;
      action: Exclude<Action, 'all'>;
      /** Returned instead of "permission denied" where the specification defines its own message; its status is 403. */
      refused?: ErrorCode;
    };

export interface EndpointShape {
  /** `<domain>.<verb>`, unique; identifies the call in the client, the routes, OpenAPI and the tests. */
  id: string;
  method: Method;
  /** Service prefix and the specification's path, parameters as `{name}`. */
  path: `/${string}`;
  summary: string;
  access: Access;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Schema of the envelope's `data`; `stream` and `file` responses have none. */
  response: z.ZodType | 'stream' | 'file';
  /** Formats that a `file` response may have. */
  formats?: readonly (keyof typeof mediaTypes)[];
  /** True if the response is a list with `total_count` and `next_cursor`. */
  list?: boolean;
  /** Error codes specific to this call, in addition to `commonErrors`. */
  errors: readonly ErrorCode[];
  /** Whether a client may retry it automatically: reads and idempotent writes are `safe`. */
  retry: 'safe' | 'never';
  /**
   * Audit action of the change that the call makes. Every call that writes has one; `'none'` is for calls that only read (a
   * search by POST), calls whose change is recorded elsewhere (background work), and calls that change what only the caller
   * sees (the order of saved views).
   */
  audit?: AuditAction | 'none';
  /** The body is a form with one file (`file`): csv, xls or xlsx, at most `maxBytes`. */
  upload?: { maxBytes: number };
  /** Maximum size of a JSON body, if the default of 1 MB is not enough. */
  maxBodyBytes?: number;
  /** Headers of this call, in addition to those of every call. */
  headers?: z.ZodObject;
  /** The request or response contains secrets: neither is stored for an Idempotency-Key. */
  confidential?: boolean;
  /** Accepts a session but no API key: the call is about the session itself, or about the person beyond the organisation. */
  sessionOnly?: boolean;
  /** Accepts keys with fewer permissions than their account, although it requires no permission: it is about the key itself or its work. */
  limitedKeys?: boolean;
  /** Number of calls that it counts as against the rate limit; 1 by default. */
  weight?: number;
}

/** Declares one call of the gateway: the only place that defines its method, path, access, schemas and errors. */
export const endpoint = <const E extends EndpointShape>(record: E): E => record;

type Input<S> = S extends z.ZodType ? z.input<S> : undefined;
type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What a caller sends (before defaults and transforms). */
export interface RequestOf<E extends EndpointShape> {
  params: Input<E['params']>;
  query: Input<E['query']>;
  body: Input<E['body']>;
  headers: Input<E['headers']>;
}

/** What a handler receives (parsed). */
export interface ParsedRequestOf<E extends EndpointShape> {
  params: Output<E['params']>;
  query: Output<E['query']>;
  body: Output<E['body']>;
  headers: Output<E['headers']>;
}

/** The `data` of the response. */
export type ResponseOf<E extends EndpointShape> = E['response'] extends z.ZodType
  ? z.output<E['response']>
  : never;
