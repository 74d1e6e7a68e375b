import { limits } from '@simcube/contract';
import type { apiLogFilterSchema } from '@simcube/contract/developer';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { z } from 'zod';
import type { List } from '../../../platform/lists/index.ts';
import type { Account } from '../keys/keys.rules.ts';
import type { LoggedCall } from './readable.rules.ts';

/** Calls of the account's keys, or of one only: a key with fewer permissions must not see what other keys received. */
export interface CallScope extends Account {
  keyId: string | null;
}

interface Row {
  trace_id: string;
  at: Date;
  key_id: string;
  key_name: string | null;
  address: string;
  method: string;
  path: string;
  http_code: number;
  code: string | null;
  duration_ms: number;
  header: Record<string, string> | null;
  body: string | null;
  body_bytes: number;
  response: string | null;
  response_bytes: number;
  endpoint: string | null;
}

type CallFilter = z.output<typeof apiLogFilterSchema>;

const baseColumns = sql`trace_id, at, key_id, key_name, address, method, path, http_code, code,
  duration_ms, body_bytes, response_bytes, endpoint`;

const createCallList = (content: RawBuilder<unknown>): List<CallScope, CallFilter, Row, LoggedCall> => ({
  name: 'developer.calls',
  tables: [
    {
      name: 'calls',
      from: () => sql`api_calls as calls`,
      inScope: ({ scope: { orgId, userId, keyId } }) =>
        sql`org_id = ${orgId} and user_id = ${userId} and (${keyId}::uuid is null or key_id = ${keyId})`,
    },
  ],
  key: { column: 'trace_id', type: 'uuid', descending: true },
  order: [{ column: 'at', type: 'instant', descending: true }],
  filters: {
    from: (from) => sql`at >= ${from}::timestamptz`,
    to: (to) => sql`at < ${to}::timestamptz`,
    http_code: inRanges,
    method: (methods) => sql`method = any(${methods}::text[])`,
    path: (part) => sql`strpos(lower(path), lower(${part})) > 0`,
    key_id: (ids) => sql`key_id = any(${ids}::uuid[])`,
    trace_id: (id) => sql`trace_id = ${id}`,
  },
  countLimit: limits.countedTotal,
  select: sql`${baseColumns}, ${content}`,
  show: (rows) => rows.map(toLoggedCall),
});

/** For refused calls only, the condition is written as in their partial index. */
const inRanges = (codes: readonly string[]): RawBuilder<SqlBool> => {
  const ranges = codes.map(rangeOf);
  const either = sql.join(
    ranges.map(({ from, to }) => sql`http_code between ${from} and ${to}`),
    sql` or `,
  );
  return ranges.every(({ from }) => from >= 400)
    ? sql<SqlBool>`http_code >= 400 and (${either})`
    : sql<SqlBool>`(${either})`;
};

/** The HTTP status codes for `404` or a class such as `4xx`. */
const rangeOf = (code: string): { from: number; to: number } => ({
  from: Number(code.replace('xx', '00')),
  to: Number(code.replace('xx', '99')),
});

/** The newest first, with the content of requests and responses, and without. */
export const callList = createCallList(sql`header, body, response`);
export const briefCallList = createCallList(sql`null as header, null as body, null as response`);

const toLoggedCall = ({ at, key_id, key_name, address, endpoint, ...call }: Row): LoggedCall => ({
  endpoint,
  call: {
    ...call,
    requested_at: at.toISOString(),
    key: { id: key_id, name: key_name },
    ip: address,
  },
});
