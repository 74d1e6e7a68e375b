import type { Sql } from '../../../platform/db/index.ts';
import { connectionNumbers } from '../../sim/index.ts';

const { online, connected, offline } = connectionNumbers;

/** Rows closed by one statement: intake must not wait long for any of them. */
export const sessionsAtOnce = 1000;

export interface ClosedSession {
  sim_id: number;
  session_key: number;
  iccid: string;
  org_id: number;
  /** Whose the SIM was when the session began: there its end is reported. */
  session_org_id: number;
  acct_session_id: string;
  cause: string;
  bytes: number;
  at: Date;
}

/** Which open sessions are closed, and the Acct-Terminate-Cause that they get. */
export interface Closing {
  which: string;
  values: readonly unknown[];
  cause: string;
}

/** Closes up to `sessionsAtOnce` of them; a SIM that has no other open session is offline. */
export const closeSessions = async (sql: Sql, { which, values, cause }: Closing): Promise<ClosedSession[]> =>
  (
    await sql.query<ClosedSession>(
      `with ended as (
         select s.sim_id, s.session_key from radius_sessions s where s.stopped_at is null and ${which}
         order by s.sim_id limit ${sessionsAtOnce} for update of s),
       closed as (
         update radius_sessions s set stopped_at = greatest(s.started_at, s.updated_at), terminate_cause = '${cause}',
           updates = s.updates + 1
         from ended e, sims i
         where s.sim_id = e.sim_id and s.session_key = e.session_key and i.id = s.sim_id
         returning s.sim_id, s.session_key, i.org_id, i.iccid, s.org_id as session_org_id, s.acct_session_id,
           s.terminate_cause, s.up_bytes + s.down_bytes as bytes),
       gone as (
         update sim_live l set connection = ${offline}, connection_since = clock_timestamp()
         from (select distinct sim_id from closed) c
         where l.sim_id = c.sim_id and l.connection <> ${offline} and not exists (
           select 1 from radius_sessions o where o.sim_id = c.sim_id and o.stopped_at is null and not exists (
             select 1 from closed k where k.sim_id = o.sim_id and k.session_key = o.session_key)))
       select sim_id, session_key, iccid, org_id, session_org_id, acct_session_id, terminate_cause as cause, bytes,
         clock_timestamp() as at
       from closed`,
      [...values],
    )
  ).rows;

/** SIMs that are authorised, or online without a session that we know of, are offline. */
export const unregister = async (sql: Sql, simIds: readonly number[], at: Date): Promise<void> => {
  await sql.query(
    `update sim_live l set connection = ${offline}, connection_since = $2
     from (select sim_id from sim_live where sim_id = any($1::bigint[]) and connection in (${online}, ${connected})
       order by sim_id for update) registered
     where l.sim_id = registered.sim_id`,
    [simIds, at],
  );
};
