import { type Envelope, successCode, successResult } from '@simcube/contract';
import type pg from 'pg';
import { inTransaction, type Sql } from '../platform/db/index.ts';
import { handleIdempotently, type IdempotencyDeps, type KeyedRequest } from '../platform/http/index.ts';

export const keyedRequest = (key: string, overrides: Partial<KeyedRequest> = {}): KeyedRequest => ({
  orgId: 1,
  callerId: '00000000-0000-4000-8000-000000000001',
  key,
  content: ['POST', '/test', {}],
  ...overrides,
});

export const envelopeWith = (data: unknown): Envelope<unknown> => ({
  data,
  status: { success: true, code: successCode, message: 'Success' },
  resultCode: successResult,
  trace_id: 'trace',
});

/** Inserts a row each time the work of a key is done. */
const recordWrite = (tx: Sql, key: string): Promise<unknown> =>
  tx.query('insert into installation (key, value) values (gen_random_uuid()::text, $1)', [key]);

export const countWrites = async (sql: Sql, key: string): Promise<number> =>
  (await sql.query('select from installation where value = $1', [key])).rowCount ?? 0;

/** A write that can be counted. `inside` is called in its transaction, `after` after it. */
export const countedWrite = async (
  deps: IdempotencyDeps & { pool: pg.Pool },
  key: string,
  {
    request = keyedRequest(key),
    inside = async () => undefined,
    after = async () => undefined,
  }: { request?: KeyedRequest; inside?: () => Promise<void>; after?: () => Promise<void> } = {},
): Promise<{ envelope: Envelope<unknown>; replayed: boolean }> =>
  handleIdempotently(deps, request, async () => {
    await inTransaction(deps.pool, async (tx) => {
      await recordWrite(tx, key);
      await inside();
    });
    await after();
    return envelopeWith({ written: key });
  });
