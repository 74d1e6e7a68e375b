import type { Sql } from '../../platform/db/index.ts';

/** What is purged from each table, by the column with the time of its end. */
const purged = [
  { table: 'user_sessions', keys: 'id', column: 'last_used_at', before: 'sessions' },
  { table: 'sign_in_failures', keys: 'kind, address_key', column: 'last_failed_at', before: 'failures' },
  { table: 'password_resets', keys: 'token_hash', column: 'expires_at', before: 'mailed' },
  // Whatever their outcome: the audit trail has it.
  { table: 'invitations', keys: 'id', column: 'expires_at', before: 'mailed' },
  { table: 'mailed_codes', keys: 'address_key', column: 'expires_at', before: 'mailed' },
] as const;

/**
 * Deletes one batch, so that no purge holds locks for long.
 * @returns whether there may be more
 */
export const purgeBatch = async (
  sql: Sql,
  before: { sessions: Date; failures: Date; mailed: Date; batch: number },
): Promise<boolean> => {
  let mayBeMore = false;
  for (const { table, keys, column, before: since } of purged) {
    const { rowCount } = await sql.query(
      `delete from ${table} where (${keys}) in
         (select ${keys} from ${table} where ${column} < $1 limit $2 for update skip locked)`,
      [before[since], before.batch],
    );
    mayBeMore ||= rowCount === before.batch;
  }
  return mayBeMore;
};
