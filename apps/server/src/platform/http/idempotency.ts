import { createHash, randomUUID } from 'node:crypto';
import type { Envelope } from '@simcube/contract';
import { type CommitGuard, guardCommits, type Sql } from '../db/index.ts';
import type { Log } from '../log/index.ts';
import { fail } from './failure.ts';

const keyPattern = /^[\x21-\x7e]{1,255}$/;
/** A claim that was not renewed for this long belongs to a process that died. */
const defaultClaimMs = 30_000;
const renewalsPerClaim = 3;
/** Maximum number of attempts to claim a key; another request may win each of them. */
const maxClaimAttempts = 5;

export interface KeyedRequest {
  /** The organisation of the call; null if it has none. */
  orgId: number | null;
  callerId: string;
  key: string;
  /** What must be equal in a repeated request: method, address, body, file. */
  content: readonly unknown[];
}

export interface IdempotencyDeps {
  sql: Sql;
  log: Log;
  claimMs?: number;
}

interface Claim extends Required<IdempotencyDeps> {
  attempt: string;
}

/**
 * Handles a write that carries an Idempotency-Key: the first request does the work, later ones get the stored
 * response. The claim is committed before the work and marked as done in the work's own transaction, so that
 * the work is never done twice. After a crash before that commit the key can be used again once the claim has
 * expired; after a crash behind it, the error says that the work was done and its response lost. An attempt
 * whose claim was taken over can no longer commit. An attempt that failed without having changed anything may
 * be repeated with the same key.
 * @throws Failure CB-00-0422 when the key was used for a different request, CB-00-0423 while the first one
 * runs, CB-00-0424 when the work was done and its response lost
 */
export const handleIdempotently = async (
  deps: IdempotencyDeps,
  request: KeyedRequest,
  work: () => Promise<Envelope<unknown>>,
): Promise<{ envelope: Envelope<unknown>; replayed: boolean }> => {
  if (!keyPattern.test(request.key))
    fail('CB-00-0400', { issues: [{ path: 'idempotency-key', key: 'invalidFormat' }] });
  const claimOrReplayed = await claimOrReplay(deps, request);
  if ('envelope' in claimOrReplayed) return { envelope: claimOrReplayed.envelope, replayed: true };
  return { envelope: await attemptOnce(claimOrReplayed, work), replayed: false };
};

const attemptOnce = async (
  claim: Claim,
  work: () => Promise<Envelope<unknown>>,
): Promise<Envelope<unknown>> => {
  const renewing = setInterval(() => renew(claim), claim.claimMs / renewalsPerClaim);
  try {
    const envelope = await guardCommits(markDone(claim), work);
    await store(claim, envelope);
    return envelope;
  } catch (error) {
    await release(claim);
    throw error;
  } finally {
    clearInterval(renewing);
  }
};

interface EarlierRequest {
  attempt: string;
  request_hash: Buffer;
  answer: Envelope<unknown> | null;
  done: boolean;
  running: boolean;
}

const claimOrReplay = async (
  deps: IdempotencyDeps,
  { orgId, callerId, key, content }: KeyedRequest,
): Promise<Claim | { envelope: Envelope<unknown> }> => {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest();
  const claim: Claim = { claimMs: defaultClaimMs, ...deps, attempt: randomUUID() };
  const { sql, claimMs } = claim;
  for (let attempts = 0; attempts < maxClaimAttempts; attempts += 1) {
    const inserted = await sql.query(
      `insert into idempotent_requests (attempt, org_id, caller_id, key, request_hash, claimed_until)
       values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
       on conflict (org_id, caller_id, key) do nothing`,
      [claim.attempt, orgId, callerId, key, hash, claimMs / 1000],
    );
    if (inserted.rowCount === 1) return claim;
    const { rows } = await sql.query<EarlierRequest>(
      `select attempt, request_hash, answer, done_at is not null as done, claimed_until > now() as running
       from idempotent_requests where org_id is not distinct from $1 and caller_id = $2 and key = $3`,
      [orgId, callerId, key],
    );
    const [earlier] = rows;
    if (!earlier) continue;
    if (!earlier.request_hash.equals(hash)) fail('CB-00-0422');
    if (earlier.answer) return { envelope: earlier.answer };
    if (earlier.running) fail('CB-00-0423', { retryAfterSeconds: 1 });
    if (earlier.done) fail('CB-00-0424');
    if (await takeOver(claim, earlier.attempt)) return claim;
  }
  return fail('CB-00-0423', { retryAfterSeconds: 1 });
};

/** Takes over an expired claim, after waiting for a transaction of the abandoned attempt that is about to commit. */
const takeOver = async ({ attempt, sql, claimMs }: Claim, abandoned: string): Promise<boolean> =>
  (
    await sql.query(
      `update idempotent_requests set attempt = $1, claimed_until = now() + make_interval(secs => $3)
       where attempt = $2 and done_at is null and claimed_until <= now()`,
      [attempt, abandoned, claimMs / 1000],
    )
  ).rowCount === 1;

/** @throws Failure CB-00-0423 when another attempt has taken over the claim: this one must not commit */
const markDone =
  ({ attempt }: Claim): CommitGuard =>
  async (tx) => {
    const { rows } = await tx.query<{ wrote: boolean; marked: boolean }>(
      `with me as materialized (select pg_current_xact_id_if_assigned() is not null as wrote),
       marked as (
         update idempotent_requests set done_at = coalesce(done_at, now()) from me
         where me.wrote and attempt = $1 returning 1)
       select me.wrote, exists (select from marked) as marked from me`,
      [attempt],
    );
    if (rows[0]?.wrote && !rows[0].marked) fail('CB-00-0423');
  };

const renew = ({ attempt, sql, log, claimMs }: Claim): void => {
  sql
    .query(
      'update idempotent_requests set claimed_until = now() + make_interval(secs => $2) where attempt = $1',
      [attempt, claimMs / 1000],
    )
    .catch((error: unknown) =>
      log.warn({ err: error }, 'the claim of an idempotency key could not be renewed'),
    );
};

/** The work is done: a response that can't be stored is sent nevertheless, and repeats report that it was lost. */
const store = async (claim: Claim, envelope: Envelope<unknown>): Promise<void> => {
  const { attempt, sql, log } = claim;
  try {
    await sql.query('update idempotent_requests set answer = $2 where attempt = $1', [
      attempt,
      JSON.stringify(envelope),
    ]);
  } catch (error) {
    log.error({ err: error }, 'the response for an idempotency key could not be stored');
    await release(claim);
  }
};

/** Frees the key or, if something was committed, ends the claim without a response. */
const release = async ({ attempt, sql, log }: Claim): Promise<void> => {
  try {
    const { rowCount } = await sql.query(
      'delete from idempotent_requests where attempt = $1 and done_at is null',
      [attempt],
    );
    if (rowCount === 1) return;
    await sql.query('update idempotent_requests set claimed_until = now() where attempt = $1', [attempt]);
  } catch (error) {
    log.warn({ err: error }, 'an idempotency key could not be released; its claim expires');
  }
};

/** Keys are stored for a day. */
export const trimIdempotentRequests = async (sql: Sql): Promise<void> => {
  await sql.query(`delete from idempotent_requests where created_at < now() - interval '1 day'`);
};
