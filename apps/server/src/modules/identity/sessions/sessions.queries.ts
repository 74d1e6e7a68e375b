import type { Sql } from '../../../platform/db/index.ts';
import { durationsOf, type SessionDurations, type SessionTimes } from './sessions.rules.ts';

/** A session with its person, as `authenticate` needs them. */
export interface SessionRow extends SessionTimes {
  id: string;
  endedAt: Date | null;
  endReason: EndReason | null;
  userId: string;
  email: string;
  name: string;
  disabledAt: Date | null;
}

/** Why a session ended; `signed out`: by the person in that session. */
export type EndReason =
  | 'signed out'
  | 'revoked'
  | 'password changed'
  | 'password reset'
  | 'account removed'
  | 'too many sessions';

/** Every process listens on this channel; the payload is the id of an ended session. */
export const sessionsChannel = 'simcube_sessions';

/** The strictest rules of the person's organisations; disabled memberships do not count. */
const strictest = `select min(o.session_idle_hours) as "idleHours", min(o.session_hours) as hours
  from memberships m join organisations o on o.id = m.org_id where m.disabled_at is null and m.user_id =`;

interface Strictest {
  idleHours: number | null;
  hours: number | null;
}

export const findSessionDurations = async (sql: Sql, userId: string): Promise<SessionDurations> =>
  durationsOf(
    (await sql.query<Strictest>(`${strictest} $1`, [userId])).rows[0] ?? { idleHours: null, hours: null },
  );

export const insertSession = async (
  sql: Sql,
  session: {
    userId: string;
    tokenHash: Buffer;
    now: Date;
    address: string | null;
    userAgent: string | undefined;
  },
): Promise<string> => {
  const { rows } = await sql.query<{ id: string }>(
    `insert into user_sessions (user_id, token_hash, created_at, last_used_at, address, user_agent)
     values ($1, $2, $3, $3, $4, $5) returning id`,
    [session.userId, session.tokenHash, session.now, session.address, session.userAgent ?? null],
  );
  const [row] = rows;
  if (!row) throw new Error('The session was not written');
  return row.id;
};

export const findSession = async (sql: Sql, tokenHash: Buffer): Promise<SessionRow | undefined> => {
  const { rows } = await sql.query<Omit<SessionRow, keyof SessionDurations> & Strictest>({
    name: 'identity.find-session',
    text: `select s.id, s.created_at as "createdAt", s.last_used_at as "lastUsedAt", s.ended_at as "endedAt",
             s.end_reason as "endReason", u.id as "userId", u.email,
             concat_ws(' ', u.first_name, u.last_name) as name, u.disabled_at as "disabledAt",
             demanded."idleHours", demanded.hours
           from user_sessions s join users u on u.id = s.user_id
           cross join lateral (${strictest} u.id) demanded
           where s.token_hash = $1`,
    values: [tokenHash],
  });
  const [row] = rows;
  if (!row) return undefined;
  const { idleHours, hours, ...session } = row;
  return { ...session, ...durationsOf({ idleHours, hours }) };
};

/** The start of a person's session; undefined if it was ended, or the person disabled. */
export const findSessionStart = async (
  sql: Sql,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<Date | undefined> =>
  (
    await sql.query<{ createdAt: Date }>(
      `select s.created_at as "createdAt" from user_sessions s join users u on u.id = s.user_id
       where s.id = $1 and s.user_id = $2 and s.ended_at is null and u.disabled_at is null`,
      [sessionId, userId],
    )
  ).rows[0]?.createdAt;

export const touchSession = async (sql: Sql, sessionId: string, now: Date): Promise<void> => {
  await sql.query(
    'update user_sessions set last_used_at = $2 where id = $1 and ended_at is null and last_used_at < $2',
    [sessionId, now],
  );
};

interface SessionEnd {
  userId: string;
  reason: EndReason;
  now: Date;
}

/**
 * Ends one session of a person.
 * @returns the number that were open, so 1 or 0
 */
export const endSession = (sql: Sql, sessionId: string, end: SessionEnd): Promise<number> =>
  endWhere(sql, { condition: 'id = $4', value: sessionId }, end);

/**
 * Ends all sessions of a person except one.
 * @returns the number that were open
 */
export const endSessionsExcept = (sql: Sql, exceptId: string | null, end: SessionEnd): Promise<number> =>
  endWhere(sql, { condition: '($4::uuid is null or id <> $4)', value: exceptId }, end);

/** Ends the least recently used sessions beyond the newest `count`. */
export const endSessionsBeyond = (sql: Sql, count: number, end: SessionEnd): Promise<number> =>
  endWhere(
    sql,
    {
      condition: `id in (select id from user_sessions where user_id = $1 and ended_at is null
                         order by last_used_at desc, created_at desc offset $4)`,
      value: count,
    },
    end,
  );

/** The notification is sent with the commit, so no process is notified of something that did not happen. */
const endWhere = async (
  sql: Sql,
  filter: { condition: string; value: string | number | null },
  { userId, reason, now }: SessionEnd,
): Promise<number> => {
  const { rowCount } = await sql.query(
    `with ended as (
       update user_sessions set ended_at = $2, end_reason = $3
       where user_id = $1 and ended_at is null and ${filter.condition} returning id)
     select pg_notify('${sessionsChannel}', id::text) from ended`,
    [userId, now, reason, filter.value],
  );
  return rowCount ?? 0;
};
