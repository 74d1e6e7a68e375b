import type { Sql } from '../../../platform/db/index.ts';

/** The first password that an admin set for a new person, while the invitation is pending. */
export const findInvitedHash = async (sql: Sql, email: string, now: Date): Promise<string | undefined> =>
  (
    await sql.query<{ hash: string }>(
      `select password_hash as hash from invitations
       where lower(email) = $1 and status = 'pending' and expires_at > $2 and password_hash is not null
       order by created_at desc limit 1`,
      [email, now],
    )
  ).rows[0]?.hash;

export const isInvited = async (sql: Sql, email: string, now: Date): Promise<boolean> => {
  const { rowCount } = await sql.query(
    `select from invitations where lower(email) = lower($1) and status = 'pending' and expires_at > $2 limit 1`,
    [email, now],
  );
  return rowCount === 1;
};
