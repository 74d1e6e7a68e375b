import type { Sql } from '../../../platform/db/index.ts';

export interface UserRow {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  passwordHash: string;
  locale: string;
  disabledAt: Date | null;
  /** Sealed with the installation's key; two-factor is on from `totpEnabledAt`. */
  totpSecret: Buffer | null;
  totpEnabledAt: Date | null;
  /** The time step of the last code accepted. */
  totpLastStep: number | null;
}

const userColumns = `id, email, first_name as "firstName", last_name as "lastName",
  password_hash as "passwordHash", locale, disabled_at as "disabledAt", totp_secret as "totpSecret",
  totp_enabled_at as "totpEnabledAt", totp_last_step as "totpLastStep"`;

export const findUserByEmail = async (sql: Sql, email: string): Promise<UserRow | undefined> =>
  (await sql.query<UserRow>(`select ${userColumns} from users where lower(email) = $1`, [email])).rows[0];

export const findUser = async (sql: Sql, userId: string): Promise<UserRow | undefined> =>
  (await sql.query<UserRow>(`select ${userColumns} from users where id = $1`, [userId])).rows[0];

/** Every change of a person locks the row, so that decisions based on the old values hold until the commit. */
export const lockUser = async (sql: Sql, userId: string): Promise<UserRow | undefined> =>
  (await sql.query<UserRow>(`select ${userColumns} from users where id = $1 for update`, [userId])).rows[0];

export interface NewUser {
  email: string;
  firstName: string;
  lastName: string;
  locale: string;
  passwordHash: string;
}

/** @returns undefined when the address is taken */
export const insertUser = async (sql: Sql, user: NewUser): Promise<string | undefined> =>
  (
    await sql.query<{ id: string }>(
      `insert into users (email, first_name, last_name, locale, password_hash) values ($1, $2, $3, $4, $5)
       on conflict (lower(email)) do nothing returning id`,
      [user.email, user.firstName, user.lastName, user.locale, user.passwordHash],
    )
  ).rows[0]?.id;

/** @returns false when the stored hash is no longer `expected`: another request was faster */
export const updatePasswordHash = async (
  sql: Sql,
  userId: string,
  { passwordHash, expected }: { passwordHash: string; expected: string },
): Promise<boolean> => {
  const { rowCount } = await sql.query(
    'update users set password_hash = $2 where id = $1 and password_hash = $3',
    [userId, passwordHash, expected],
  );
  return rowCount === 1;
};

/**
 * Counts a sign-in, if password and second factor are still those that were proven.
 * @returns the number of the person's sign-ins, including this one; undefined when something changed
 */
export const countSignIn = async (sql: Sql, user: UserRow, now: Date): Promise<number | undefined> =>
  (
    await sql.query<{ count: number }>(
      `update users set sign_in_count = sign_in_count + 1, last_sign_in_at = $2
       where id = $1 and password_hash = $3 and disabled_at is null and totp_enabled_at is not distinct from $4
       returning sign_in_count as count`,
      [user.id, now, user.passwordHash, user.totpEnabledAt],
    )
  ).rows[0]?.count;

export const updatePerson = async (
  sql: Sql,
  userId: string,
  person: { firstName: string; lastName: string; locale: string },
): Promise<void> => {
  await sql.query('update users set first_name = $2, last_name = $3, locale = $4 where id = $1', [
    userId,
    person.firstName,
    person.lastName,
    person.locale,
  ]);
};

/** The organisation whose audit trail records a person's own actions: the default one; null without memberships. */
export const findHomeOrganisation = async (sql: Sql, userId: string): Promise<number | null> =>
  (
    await sql.query<{ id: number }>(
      `select org_id as id from memberships where user_id = $1 and disabled_at is null
       order by is_default desc, created_at, org_id limit 1`,
      [userId],
    )
  ).rows[0]?.id ?? null;
