import type { Sql } from '../../../platform/db/index.ts';

export const insertReset = async (
  sql: Sql,
  reset: { userId: string; tokenHash: Buffer; createdAt: Date; expiresAt: Date },
): Promise<void> => {
  await sql.query(
    'insert into password_resets (user_id, token_hash, created_at, expires_at) values ($1, $2, $3, $4)',
    [reset.userId, reset.tokenHash, reset.createdAt, reset.expiresAt],
  );
};

export const wasResetSentSince = async (sql: Sql, userId: string, since: Date): Promise<boolean> => {
  const { rowCount } = await sql.query(
    'select from password_resets where user_id = $1 and created_at > $2 limit 1',
    [userId, since],
  );
  return rowCount === 1;
};

/** Number of a person's valid links. */
export const countOpenResets = async (sql: Sql, userId: string, now: Date): Promise<number> =>
  (
    await sql.query<{ count: number }>(
      `select count(*)::int as count from password_resets
       where user_id = $1 and used_at is null and expires_at > $2`,
      [userId, now],
    )
  ).rows[0]?.count ?? 0;

/** The person of a valid token, which counts only together with their address. */
export const findReset = async (
  sql: Sql,
  { tokenHash, email, now }: { tokenHash: Buffer; email: string; now: Date },
): Promise<string | undefined> =>
  (
    await sql.query<{ userId: string }>(
      `select r.user_id as "userId" from password_resets r join users u on u.id = r.user_id
       where r.token_hash = $1 and lower(u.email) = $2 and r.used_at is null and r.expires_at > $3
         and u.disabled_at is null`,
      [tokenHash, email, now],
    )
  ).rows[0]?.userId;

/** @returns false when it was used concurrently */
export const consumeReset = async (sql: Sql, tokenHash: Buffer, now: Date): Promise<boolean> => {
  const { rowCount } = await sql.query(
    'update password_resets set used_at = $2 where token_hash = $1 and used_at is null and expires_at > $2',
    [tokenHash, now],
  );
  return rowCount === 1;
};

/** Links mailed before a password was set must not set another. */
export const invalidateResets = async (sql: Sql, userId: string, now: Date): Promise<void> => {
  await sql.query('update password_resets set used_at = $2 where user_id = $1 and used_at is null', [
    userId,
    now,
  ]);
};
