import type { Sql } from '../../../platform/db/index.ts';
import { connectionNumbers } from '../../sim/index.ts';
import { retentionMonths } from '../../usage/index.ts';
import { defaultInterimSeconds } from '../aaa.clients.ts';

/** SIMs changed by one statement: intake must not wait long for any of them. */
export const simsAtOnce = 2000;
const rejectRetentionDays = 30;
const { unknown, online, connected, offline } = connectionNumbers;

/*
 * Semantics, "SIM lifecycle": online is an open session with an update within two interim intervals; after that the
 * SIM is only connected, offline after 24 hours of silence, unknown after 30 days.
 */
export const silenceSteps = [
  {
    to: connected,
    which: `l.connection = ${online} and l.last_seen_at < $1::timestamptz - 2 * make_interval(secs => coalesce((
      select max(c.interim_seconds) from radius_sessions s join radius_clients c on c.id = s.client_id
      where s.sim_id = l.sim_id and s.stopped_at is null), ${defaultInterimSeconds}))`,
  },
  {
    to: offline,
    which: `l.connection = ${connected} and l.last_seen_at < $1::timestamptz - interval '24 hours'`,
  },
  {
    to: unknown,
    which: `l.connection in (${connected}, ${offline}) and l.last_seen_at < $1::timestamptz - interval '30 days'`,
  },
] as const;

export interface SilentSim {
  sim_id: number;
  org_id: number;
  iccid: string;
}

/** Takes one step for up to `simsAtOnce` SIMs behind the last one; a SIM that intake holds is left for the next sweep. */
export const stepSilent = async (
  sql: Sql,
  { to, which, after }: (typeof silenceSteps)[number] & { after: number },
  now: Date,
): Promise<SilentSim[]> =>
  (
    await sql.query<SilentSim>(
      `with silent as (
         select l.sim_id from sim_live l where l.sim_id > $2 and ${which}
         order by l.sim_id limit ${simsAtOnce} for update skip locked),
       swept as (
         update sim_live l set connection = ${to}, connection_since = $1 from silent where l.sim_id = silent.sim_id
         returning l.sim_id, l.org_id)
       select w.sim_id, w.org_id, s.iccid from swept w join sims s on s.id = w.sim_id`,
      [now, after],
    )
  ).rows;

/** Closed sessions whose records are no longer kept either. */
export const dropOldSessions = async (sql: Sql, now: Date): Promise<number> => {
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - retentionMonths.cdrs, 1));
  const { rowCount } = await sql.query(
    `delete from radius_sessions where (sim_id, session_key) in (
       select sim_id, session_key from radius_sessions where stopped_at < $1 limit 50000)`,
    [before],
  );
  return rowCount ?? 0;
};

export const trimRejects = async (sql: Sql, now: Date): Promise<void> => {
  await sql.query(
    `delete from radius_rejects where id in (
       select id from radius_rejects where at < $1 order by at limit 100000)`,
    [new Date(now.getTime() - rejectRetentionDays * 86_400_000)],
  );
};
