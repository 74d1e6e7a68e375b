import type { Sql } from '../../../platform/db/index.ts';
import type { Failures } from './people.rules.ts';

export interface UserRow {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  passwordHash: string;
  locale: string;
  disabledAt: Date | null;
}

/** A session with the person behind it, as `authenticate` needs them. */
export interface SessionRow {
  id: string;
  createdAt: Date;
  lastUsedAt: Date;
  endedAt: Date | null;
  endReason: EndReason | null;
  userId: string;
  email: string;
  name: string;
  disabledAt: Date | null;
}

/** Why a session ended; `signed out` by its own person. */
export type EndReason = 'signed out' | 'password changed' | 'account removed' | 'too many sessions';

/** Every process listens here; the payload is the id of a session that was ended. */
export const sessionsChannel = 'simcube_sessions';

const userColumns = `id, email, first_name as "firstName", last_name as "lastName",
  password_hash as "passwordHash", locale, disabled_at as "disabledAt"`;

export const findUserByEmail = async (sql: Sql, email: string): Promise<UserRow | undefined> =>
  (await sql.query<UserRow>(`select ${userColumns} from users where lower(email) = $1`, [email])).rows[0];

export const listUsers = async (
  sql: Sql,
  { search, limit }: { search: string; limit: number },
): Promise<
  { id: string; email: string; name: string; signIns: number; lastSignInAt: Date | null; disabled: boolean }[]
> =>
  (
    await sql.query(
      `select id, email, concat_ws(' ', first_name, last_name) as name, sign_in_count as "signIns",
         last_sign_in_at as "lastSignInAt", disabled_at is not null as disabled
       from users where strpos(lower(email), $1) > 0 order by lower(email) limit $2`,
      [search, limit],
    )
  ).rows;

export interface NewUser {
  email: string;
  firstName: string;
  lastName: string;
  locale: string;
  passwordHash: string;
}

/** @returns undefined when somebody has the address already */
export const insertUser = async (sql: Sql, user: NewUser): Promise<string | undefined> =>
  (
    await sql.query<{ id: string }>(
      `insert into users (email, first_name, last_name, locale, password_hash) values ($1, $2, $3, $4, $5)
       on conflict (lower(email)) do nothing returning id`,
      [user.email, user.firstName, user.lastName, user.locale, user.passwordHash],
    )
  ).rows[0]?.id;

export const updatePasswordHash = async (sql: Sql, userId: string, passwordHash: string): Promise<void> => {
  await sql.query('update users set password_hash = $2 where id = $1', [userId, passwordHash]);
};

/** @returns how often the person has signed in, this time included */
export const countSignIn = async (sql: Sql, userId: string, now: Date): Promise<number> =>
  (
    await sql.query<{ count: number }>(
      `update users set sign_in_count = sign_in_count + 1, last_sign_in_at = $2 where id = $1
       returning sign_in_count as count`,
      [userId, now],
    )
  ).rows[0]?.count ?? 0;

export const insertSession = async (
  sql: Sql,
  session: { userId: string; tokenHash: Buffer; now: Date; address: string | undefined },
): Promise<string> => {
  const { rows } = await sql.query<{ id: string }>(
    `insert into user_sessions (user_id, token_hash, created_at, last_used_at, address)
     values ($1, $2, $3, $3, $4) returning id`,
    [session.userId, session.tokenHash, session.now, session.address ?? null],
  );
  const [row] = rows;
  if (!row) throw new Error('The session was not written');
  return row.id;
};

export const findSession = async (sql: Sql, tokenHash: Buffer): Promise<SessionRow | undefined> =>
  (
    await sql.query<SessionRow>({
      name: 'identity.find-session',
      text: `select s.id, s.created_at as "createdAt", s.last_used_at as "lastUsedAt", s.ended_at as "endedAt",
               s.end_reason as "endReason", u.id as "userId", u.email,
               concat_ws(' ', u.first_name, u.last_name) as name, u.disabled_at as "disabledAt"
             from user_sessions s join users u on u.id = s.user_id where s.token_hash = $1`,
      values: [tokenHash],
    })
  ).rows[0];

export const touchSession = async (sql: Sql, sessionId: string, now: Date): Promise<void> => {
  await sql.query(
    'update user_sessions set last_used_at = $2 where id = $1 and ended_at is null and last_used_at < $2',
    [sessionId, now],
  );
};

interface Ending {
  userId: string;
  reason: EndReason;
  now: Date;
}

/** Ends one session of a person. */
export const endSession = (sql: Sql, sessionId: string, ending: Ending): Promise<void> =>
  endWhere(sql, { condition: 'id = $4', value: sessionId }, ending);

/** Ends all sessions of a person but one. */
export const endSessionsExcept = (sql: Sql, kept: string | null, ending: Ending): Promise<void> =>
  endWhere(sql, { condition: '($4::uuid is null or id <> $4)', value: kept }, ending);

/** Ends the least recently used sessions beyond the newest `count`. */
export const endSessionsBeyond = (sql: Sql, count: number, ending: Ending): Promise<void> =>
  endWhere(
    sql,
    {
      condition: `id in (select id from user_sessions where user_id = $1 and ended_at is null
                         order by last_used_at desc, created_at desc offset $4)`,
      value: count,
    },
    ending,
  );

/** The notification goes out with the commit, so no process hears of what did not happen. */
const endWhere = async (
  sql: Sql,
  which: { condition: string; value: string | number | null },
  { userId, reason, now }: Ending,
): Promise<void> => {
  await sql.query(
    `with ended as (
       update user_sessions set ended_at = $2, end_reason = $3
       where user_id = $1 and ended_at is null and ${which.condition} returning id)
     select pg_notify('${sessionsChannel}', id::text) from ended`,
    [userId, now, reason, which.value],
  );
};

export const lockFailures = async (sql: Sql, addressKey: Buffer): Promise<Failures | undefined> =>
  (
    await sql.query<Failures>(
      `select failures, last_failed_at as "lastFailedAt", locked_until as "lockedUntil"
       from sign_in_failures where address_key = $1 for update`,
      [addressKey],
    )
  ).rows[0];

/** Makes the row that `lockFailures` locks, so that two first attempts at once count as two. */
export const ensureFailures = async (sql: Sql, addressKey: Buffer, now: Date): Promise<void> => {
  await sql.query(
    `insert into sign_in_failures (address_key, failures, last_failed_at) values ($1, 0, $2)
     on conflict (address_key) do nothing`,
    [addressKey, now],
  );
};

export const writeFailures = async (sql: Sql, addressKey: Buffer, known: Failures): Promise<void> => {
  await sql.query(
    'update sign_in_failures set failures = $2, last_failed_at = $3, locked_until = $4 where address_key = $1',
    [addressKey, known.failures, known.lastFailedAt, known.lockedUntil],
  );
};

export const clearFailures = async (sql: Sql, addressKey: Buffer): Promise<void> => {
  await sql.query('delete from sign_in_failures where address_key = $1', [addressKey]);
};

/** A batch at a time, so that no purge holds locks for long. @returns whether there may be more */
export const purgeOnce = async (
  sql: Sql,
  before: { sessions: Date; failures: Date; batch: number },
): Promise<boolean> => {
  const sessions = await sql.query(
    `delete from user_sessions where id in
       (select id from user_sessions where last_used_at < $1 limit $2 for update skip locked)`,
    [before.sessions, before.batch],
  );
  const failures = await sql.query(
    `delete from sign_in_failures where address_key in
       (select address_key from sign_in_failures where last_failed_at < $1 limit $2 for update skip locked)`,
    [before.failures, before.batch],
  );
  return sessions.rowCount === before.batch || failures.rowCount === before.batch;
};
