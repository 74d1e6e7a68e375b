import type { Sql } from '../../../platform/db/index.ts';
import type { AttemptKind, Failures } from './attempts.rules.ts';

/** The key under which attempts are counted: a hash, so that the table contains no addresses. */
export interface CounterKey {
  kind: AttemptKind;
  key: Buffer;
}

/** Creates the row that `lockFailures` locks, so that two concurrent first attempts count as two. */
export const ensureFailures = async (sql: Sql, { kind, key }: CounterKey, now: Date): Promise<void> => {
  await sql.query(
    `insert into sign_in_failures (kind, address_key, failures, began_at, last_failed_at)
     values ($1, $2, 0, $3, $3) on conflict (kind, address_key) do nothing`,
    [kind, key, now],
  );
};

export const lockFailures = async (sql: Sql, { kind, key }: CounterKey): Promise<Failures | undefined> =>
  (
    await sql.query<Failures>(
      `select failures, began_at as "beganAt", last_failed_at as "lastFailedAt", locked_until as "lockedUntil"
       from sign_in_failures where kind = $1 and address_key = $2 for update`,
      [kind, key],
    )
  ).rows[0];

export const writeFailures = async (sql: Sql, { kind, key }: CounterKey, known: Failures): Promise<void> => {
  await sql.query(
    `update sign_in_failures set failures = $3, began_at = $4, last_failed_at = $5, locked_until = $6
     where kind = $1 and address_key = $2`,
    [kind, key, known.failures, known.beganAt, known.lastFailedAt, known.lockedUntil],
  );
};

export const clearFailures = async (sql: Sql, { kind, key }: CounterKey): Promise<void> => {
  await sql.query('delete from sign_in_failures where kind = $1 and address_key = $2', [kind, key]);
};
