import { createHash } from 'node:crypto';
import { type Envelope, limits } from '@simcube/contract';
import type { Sql } from '../db/index.ts';
import { fail } from './failure.ts';

const keyForm = /^[\x21-\x7e]{1,255}$/;

export interface KeyedRequest {
  userId: string;
  key: string;
  method: string;
  url: string;
  body: unknown;
}

/**
 * Answers a write that carries an Idempotency-Key: the first time by doing it, later with what was answered then.
 * One that failed may be tried again with the same key. After a crash in the middle nobody knows whether it was done:
 * until the request would have timed out the key answers "conflict", then it is free again.
 * @throws Failure CB-00-0409 while the first one runs, CB-00-0422 when the key came with another request before
 */
export const answerOnce = async (
  sql: Sql,
  request: KeyedRequest,
  work: () => Promise<Envelope<unknown>>,
): Promise<{ envelope: Envelope<unknown>; replayed: boolean }> => {
  if (!keyForm.test(request.key))
    fail('CB-00-0400', { issues: [{ path: 'idempotency-key', key: 'invalidFormat' }] });
  const { userId, key } = request;
  const hash = createHash('sha256')
    .update(JSON.stringify([request.method, request.url, request.body ?? null]))
    .digest();
  const claimed = await sql.query(
    `insert into idempotent_requests (user_id, key, request_hash) values ($1, $2, $3)
     on conflict (user_id, key) do update set created_at = now()
       where idempotent_requests.answer is null
         and idempotent_requests.request_hash = excluded.request_hash
         and idempotent_requests.created_at < now() - make_interval(secs => $4)`,
    [userId, key, hash, limits.requestTimeoutMs / 1000],
  );
  if (claimed.rowCount === 0)
    return { envelope: await earlierAnswer(sql, { userId, key, hash }), replayed: true };
  try {
    const envelope = await work();
    await sql.query('update idempotent_requests set answer = $3 where user_id = $1 and key = $2', [
      userId,
      key,
      JSON.stringify(envelope),
    ]);
    return { envelope, replayed: false };
  } catch (error) {
    await sql.query('delete from idempotent_requests where user_id = $1 and key = $2', [userId, key]);
    throw error;
  }
};

const earlierAnswer = async (
  sql: Sql,
  { userId, key, hash }: { userId: string; key: string; hash: Buffer },
): Promise<Envelope<unknown>> => {
  const { rows } = await sql.query<{ request_hash: Buffer; answer: Envelope<unknown> | null }>(
    'select request_hash, answer from idempotent_requests where user_id = $1 and key = $2',
    [userId, key],
  );
  const [before] = rows;
  if (before && !before.request_hash.equals(hash)) return fail('CB-00-0422');
  return before?.answer ?? fail('CB-00-0409');
};

/** Keys are remembered for a day. */
export const trimIdempotentRequests = async (sql: Sql): Promise<void> => {
  await sql.query(`delete from idempotent_requests where created_at < now() - interval '1 day'`);
};
