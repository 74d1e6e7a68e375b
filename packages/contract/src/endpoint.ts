import type { z } from 'zod';
import type { AuditAction } from './audit/actions.ts';
import type { ErrorCode } from './errors.ts';
import type { Action, PermissionKey } from './permissions.ts';

/** Media types of the files that calls answer. */
export const mediaTypes = {
  csv: 'text/csv',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  zip: 'application/zip',
} as const;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call: anybody, anybody signed in (`member: true` when a current organisation is needed too),
 * or a member whose role has the action on the key.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'signed-in'; member: boolean }
  | {
      kind: 'permission';
      key: PermissionKey;
      action: Exclude<Action, 'all'>;
      /** Answered instead of "permission denied" where the specification has words of its own; its status is 403. */
      refused?: ErrorCode;
    };

export interface EndpointShape {
  /** `<domain>.<verb>`, unique; the client, the route, OpenAPI and the tests know the call by it. */
  id: string;
  method: Method;
  /** Service prefix and the specification's path, parameters as `{name}`. */
  path: `/${string}`;
  summary: string;
  access: Access;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Schema of the envelope's `data`; `stream` and `file` answers have none. */
  response: z.ZodType | 'stream' | 'file';
  /** Formats that a `file` answer may have. */
  formats?: readonly (keyof typeof mediaTypes)[];
  /** True when the answer is a list with `total_count` and `next_cursor`. */
  list?: boolean;
  /** Codes of its own, besides `commonErrors`. */
  errors: readonly ErrorCode[];
  /** Whether a client may send it again unasked: reads and idempotent writes are `safe`. */
  retry: 'safe' | 'never';
  /**
   * What the audit trail calls the change that the call makes. Every call that writes has one; `'none'` is for those that
   * only ask (a search by POST), whose change is recorded elsewhere (work in the background), or that arrange what the
   * caller alone sees (the order of saved views).
   */
  audit?: AuditAction | 'none';
  /** The body is a form with one file (`file`): csv, xls or xlsx, at most so large. */
  upload?: { maxBytes: number };
  /** The most octets of a JSON body, where a usual one (1 MB) does not do. */
  maxBodyBytes?: number;
  /** Headers of its own, besides those that every call carries. */
  headers?: z.ZodObject;
  /** Carries secrets, either way: neither request nor answer is remembered for an Idempotency-Key. */
  confidential?: boolean;
  /** Takes a session and no API key: it is about the session itself, or about the person beyond the organisation. */
  sessionOnly?: boolean;
  /** Takes keys with fewer rights than their account, though it names no permission: it is about what the key itself began. */
  limitedKeys?: boolean;
  /** Counts as so many calls against the rate limit; 1 when not said. */
  weight?: number;
}

/** Declares one call of the gateway. The one place where its method, path, access, schemas and errors are written. */
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

/** The `data` of the answer. */
export type ResponseOf<E extends EndpointShape> = E['response'] extends z.ZodType
  ? z.output<E['response']>
  : never;
