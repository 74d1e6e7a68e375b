import { int8Column, type Sql } from '../../../platform/db/index.ts';
import { connectionNumbers } from '../../sim/index.ts';
import { silence } from '../intake/causes.ts';

const { online, connected, offline } = connectionNumbers;

/** Rows closed by one statement: intake must not wait long for any of them. */
export const sessionsPerStatement = 1000;

export interface ClosedSession {
  sim_id: number;
  session_key: number;
  iccid: string;
  org_id: number;
  /** The owner of the SIM when the session began: its end is reported there. */
  session_org_id: number;
  acct_session_id: string;
  cause: string;
  bytes: number;
  at: Date;
}

/** Which open sessions are closed, and the Acct-Terminate-Cause that they get. */
export interface CloseCriteria {
  condition: string;
  values: readonly unknown[];
  cause: string;
  /** Otherwise they end with their last report. */
  notBefore?: Date;
}

interface SessionRef {
  sim_id: number;
  session_key: number;
}

/** Up to `sessionsPerStatement` of them, in the order in which they are closed. */
export const listSessionsToClose = async (
  sql: Sql,
  { condition, values }: CloseCriteria,
): Promise<SessionRef[]> =>
  (
    await sql.query<SessionRef>(
      `select s.sim_id, s.session_key from radius_sessions s where s.stopped_at is null and ${condition}
       order by s.sim_id limit ${sessionsPerStatement}`,
      [...values],
    )
  ).rows;

/** Closes those of the named sessions that still meet the condition. */
export const closeSessions = async (
  sql: Sql,
  sessions: readonly SessionRef[],
  { condition, values, cause, notBefore }: CloseCriteria,
): Promise<ClosedSession[]> => {
  const keyColumns = [
    int8Column(sessions, ({ sim_id }) => sim_id),
    int8Column(sessions, ({ session_key }) => session_key),
  ];
  const [simIds, keys] = keyColumns.map((_, index) => `$${values.length + index + 1}::bigint[]`);
  const { rows } = await sql.query<Omit<ClosedSession, 'iccid' | 'org_id' | 'at'>>(
    `update radius_sessions s set stopped_at = greatest(s.started_at, s.updated_at, $${values.length + 3}), terminate_cause = '${cause}',
       updates = s.updates + 1
     from (select unnest(${simIds}) as sim_id, unnest(${keys}) as session_key) e
     where s.sim_id = e.sim_id and s.session_key = e.session_key and s.stopped_at is null and ${condition}
     returning s.sim_id, s.session_key, s.org_id as session_org_id, s.acct_session_id, s.terminate_cause as cause,
       s.up_bytes + s.down_bytes as bytes`,
    [...values, ...keyColumns, notBefore ?? null],
  );
  const { rows: sims } = await sql.query<{ id: number; org_id: number; iccid: string; at: Date }>(
    'select id, org_id, iccid, clock_timestamp() as at from sims where id = any($1::bigint[])',
    [int8Column(rows, ({ sim_id }) => sim_id)],
  );
  const byId = new Map(sims.map((sim) => [sim.id, sim]));
  return rows.flatMap((row) => {
    const sim = byId.get(row.sim_id);
    return sim ? [{ ...row, iccid: sim.iccid, org_id: sim.org_id, at: sim.at }] : [];
  });
};

/**
 * Sets SIMs that no longer have an open session to offline; those that were not seen since their transfer remain unknown.
 * If the sessions were silent, SIMs that were authorised since the last report on any session stay connected.
 * @returns the connection of each SIM, and whether it has changed
 */
export const markOffline = async (
  sql: Sql,
  simIds: readonly number[],
  cause: string,
): Promise<ReadonlyMap<number, { connection: number; isNew: boolean }>> => {
  const { rows } = await sql.query<{ sim_id: number }>(
    'select distinct sim_id from radius_sessions where sim_id = any($1::bigint[]) and stopped_at is null',
    [int8Column(simIds, (simId) => simId)],
  );
  const open = new Set(rows.map(({ sim_id }) => sim_id));
  const offlineIds = [...new Set(simIds)].filter((simId) => !open.has(simId));
  const { rows: changed } = await sql.query<{ sim_id: number }>(
    `with left_alone as (
       select l.sim_id, case when $2::boolean and l.connection = ${connected} and not exists (
           select from radius_sessions r where r.sim_id = l.sim_id and r.updated_at >= l.last_seen_at)
         then ${connected} else ${offline} end as connection
       from sim_live l where l.sim_id = any($1::bigint[]) and l.connection in (${online}, ${connected}))
     update sim_live l set connection = a.connection, connection_since = clock_timestamp()
     from left_alone a where a.sim_id = l.sim_id and l.connection <> a.connection returning l.sim_id`,
    [int8Column(offlineIds, (simId) => simId), cause === silence],
  );
  const isNew = new Set(changed.map(({ sim_id }) => sim_id));
  const { rows: now } = await sql.query<{ sim_id: number; connection: number }>(
    'select sim_id, connection from sim_live where sim_id = any($1::bigint[])',
    [int8Column(simIds, (simId) => simId)],
  );
  return new Map(now.map(({ sim_id, connection }) => [sim_id, { connection, isNew: isNew.has(sim_id) }]));
};

/** Sets SIMs that are authorised, or online without a session that we know of, to offline. */
export const unregister = async (sql: Sql, simIds: readonly number[], at: Date): Promise<void> => {
  await sql.query(
    `update sim_live l set connection = ${offline}, connection_since = $2
     from (select sim_id from sim_live where sim_id = any($1::bigint[]) and connection in (${online}, ${connected})
       order by sim_id for update) registered
     where l.sim_id = registered.sim_id`,
    [simIds, at],
  );
};
