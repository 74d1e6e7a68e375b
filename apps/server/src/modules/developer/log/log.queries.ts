import { limits } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';
import { dropPartitionsBefore, ensureDayPartition, type Sql } from '../../../platform/db/index.ts';
import type { Account } from '../keys/keys.rules.ts';

/** A call as stored: masked and cut. */
export interface StoredCall extends Account {
  at: Date;
  traceId: string;
  keyId: string;
  keyName: string | null;
  address: string;
  method: string;
  /** Null: the path is unknown. */
  endpoint: string | null;
  path: string;
  httpCode: number;
  code: string | null;
  durationMs: number;
  header: Record<string, string>;
  body: string | null;
  bodyBytes: number;
  response: string | null;
  responseBytes: number;
}

export const insertCalls = async (sql: Sql, calls: readonly StoredCall[]): Promise<void> => {
  const all = <T>(of: (call: StoredCall) => T): T[] => calls.map(of);
  await sql.query({
    name: 'developer.insert-calls',
    text: `insert into api_calls (org_id, user_id, at, trace_id, key_id, key_name, address, method, path, http_code,
             code, duration_ms, header, body, body_bytes, response, response_bytes, endpoint)
           select * from unnest($1::bigint[], $2::uuid[], $3::timestamptz[], $4::uuid[], $5::uuid[], $6::text[],
             $7::text[], $8::text[], $9::text[], $10::smallint[], $11::text[], $12::integer[], $13::jsonb[],
             $14::text[], $15::integer[], $16::text[], $17::integer[], $18::text[])
           on conflict do nothing`,
    values: [
      all((call) => call.orgId),
      all((call) => call.userId),
      all((call) => call.at),
      all((call) => call.traceId),
      all((call) => call.keyId),
      all((call) => call.keyName),
      all((call) => call.address),
      all((call) => call.method),
      all((call) => call.path),
      all((call) => call.httpCode),
      all((call) => call.code),
      all((call) => call.durationMs),
      all((call) => JSON.stringify(call.header)),
      all((call) => call.body),
      all((call) => call.bodyBytes),
      all((call) => call.response),
      all((call) => call.responseBytes),
      all((call) => call.endpoint),
    ],
  });
};

/** Creates partitions ahead, so that no call waits for one at midnight. */
export const prepareDays = async (sql: Sql, now: Date): Promise<void> => {
  for (const ahead of [0, 1, 2])
    await ensureDayPartition(sql, 'api_calls', new Date(now.getTime() + ahead * dayMs));
};

/** @returns names of the dropped partitions */
export const dropOldCalls = (sql: Sql, now: Date): Promise<string[]> =>
  dropPartitionsBefore(sql, 'api_calls', new Date(now.getTime() - limits.apiLog.days * dayMs));
