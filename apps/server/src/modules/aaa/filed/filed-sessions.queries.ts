import { int8Column, rowsOf, type Sql, type Statement, timestampColumn } from '../../../platform/db/index.ts';
import type { CountedSession } from './filed-sessions.rules.ts';

export interface SessionRef {
  simId: number;
  sessionKey: number;
}

interface CountedRow extends SessionRef {
  fromUp: number;
  fromDown: number;
  up: number;
  down: number;
  endedAt: number;
  isRadius: boolean;
  reusedAt: number | null;
}

const ms = (column: string): string => `date_part('epoch', ${column}) * 1000`;
const refs = 'unnest($1::bigint[], $2::bigint[]) as v (sim_id, session_key)';
const refColumns = (sessions: readonly SessionRef[]) => [
  int8Column(sessions, ({ simId }) => simId),
  int8Column(sessions, ({ sessionKey }) => sessionKey),
];

/** Locks sessions in the order in which intake writes them. */
export const lockSessions = async (tx: Sql, sessions: readonly SessionRef[]): Promise<void> => {
  await tx.query(
    `select from ${refs} join radius_sessions s on s.sim_id = v.sim_id and s.session_key = v.session_key
     order by s.sim_id, s.session_key for no key update of s`,
    refColumns(sessions),
  );
};

const filed = (condition: string) => `
  select f.sim_id as "simId", f.session_key as "sessionKey", f.from_up_bytes as "fromUp", f.from_down_bytes as "fromDown",
    f.up_bytes as up, f.down_bytes as down, ${ms('f.ended_at')} as "endedAt", false as "isRadius", null as "reusedAt"
  from ${refs} join filed_sessions f on f.sim_id = v.sim_id and f.session_key = v.session_key ${condition}`;

/** What was counted of sessions that only files have reported so far. */
export const findFiled = (
  sql: Sql,
  sessions: readonly SessionRef[],
): Promise<(SessionRef & CountedSession)[]> =>
  read(sql, { name: 'aaa-find-filed', text: filed(''), values: refColumns(sessions) });

/** What was counted of sessions, by accounting if it knows them. */
export const findCounted = (
  tx: Sql,
  sessions: readonly SessionRef[],
): Promise<(SessionRef & CountedSession)[]> =>
  read(tx, {
    name: 'aaa-find-counted',
    text: `
      select s.sim_id as "simId", s.session_key as "sessionKey", 0::bigint as "fromUp", 0::bigint as "fromDown",
        s.up_bytes as up, s.down_bytes as down, ${ms('s.updated_at')} as "endedAt", true as "isRadius",
        ${ms('s.reused_at')} as "reusedAt"
      from ${refs} join radius_sessions s on s.sim_id = v.sim_id and s.session_key = v.session_key
      union all
      ${filed(`where not exists (
        select from radius_sessions s where s.sim_id = v.sim_id and s.session_key = v.session_key)`)}`,
    values: refColumns(sessions),
  });

const read = async (sql: Sql, statement: Statement): Promise<(SessionRef & CountedSession)[]> => {
  const { rows } = await sql.query<CountedRow>(statement);
  return rows.map(({ simId, sessionKey, fromUp, fromDown, up, down, endedAt, isRadius, reusedAt }) => ({
    simId,
    sessionKey,
    from: { up: fromUp, down: fromDown },
    to: { up, down },
    endedAt,
    radius: isRadius ? { reusedAt } : null,
  }));
};

const volumeColumns = {
  sim_id: 'bigint',
  session_key: 'bigint',
  up_bytes: 'bigint',
  down_bytes: 'bigint',
} as const;
const filedColumns = {
  ...volumeColumns,
  from_up_bytes: 'bigint',
  from_down_bytes: 'bigint',
  ended_at: 'timestamptz',
} as const;

const volumes = (sessions: readonly (SessionRef & CountedSession)[]) => [
  ...refColumns(sessions),
  int8Column(sessions, ({ to }) => to.up),
  int8Column(sessions, ({ to }) => to.down),
];

/** For sessions of accounting: its next report counts the rest only. Intake that has read them reads them again. */
export const advanceSessions = async (
  tx: Sql,
  sessions: readonly (SessionRef & CountedSession)[],
): Promise<void> => {
  if (sessions.length === 0) return;
  await tx.query(
    `update radius_sessions s set up_bytes = v.up_bytes, down_bytes = v.down_bytes, updates = s.updates + 1
     from ${rowsOf(volumeColumns)} as v
     where s.sim_id = v.sim_id and s.session_key = v.session_key
       and (s.up_bytes, s.down_bytes) <> (v.up_bytes, v.down_bytes)`,
    volumes(sessions),
  );
};

/** For sessions that accounting does not know. */
export const storeFiled = async (
  tx: Sql,
  sessions: readonly (SessionRef & CountedSession)[],
): Promise<void> => {
  if (sessions.length === 0) return;
  const names = Object.keys(filedColumns);
  await tx.query(
    `insert into filed_sessions as f (${names.join(', ')}) select v.* from ${rowsOf(filedColumns)} as v order by 1, 2
     on conflict (sim_id, session_key) do update
       set ${names
         .slice(2)
         .map((name) => `${name} = excluded.${name}`)
         .join(', ')}
       where (${names.map((name) => `f.${name}`).join(', ')}) <> (${names.map((name) => `excluded.${name}`).join(', ')})`,
    [
      ...volumes(sessions),
      int8Column(sessions, ({ from }) => from.up),
      int8Column(sessions, ({ from }) => from.down),
      timestampColumn(sessions, ({ endedAt }) => endedAt),
    ],
  );
};

/** Deletes up to `limit` that ended before the given time. @returns how many */
export const dropFiledSessions = async (
  sql: Sql,
  { before, limit }: { before: Date; limit: number },
): Promise<number> => {
  const { rowCount } = await sql.query(
    `delete from filed_sessions where (sim_id, session_key) in (
       select sim_id, session_key from filed_sessions where ended_at < $1 order by ended_at limit $2)`,
    [before, limit],
  );
  return rowCount ?? 0;
};
