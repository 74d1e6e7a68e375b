import { dayMs } from '@simcube/contract/time';
import { int8Column, type Sql, timestampColumn } from '../../../platform/db/index.ts';
import { connectionNumbers } from '../../sim/index.ts';
import { defaultInterimSeconds } from '../gateways/clients.ts';

/** SIMs changed by one statement: intake must not wait long for any of them. */
export const simsPerStatement = 2000;
const rejectRetentionDays = 30;
const { unknown, online, connected, offline } = connectionNumbers;

/*
 * Semantics, "SIM lifecycle": a SIM is online with an open session updated within two interim intervals; after that
 * it is only connected, offline after 24 hours of silence, unknown after 30 days.
 */
export const silenceSteps = [
  {
    from: [online],
    to: connected,
    silence: `2 * make_interval(secs => least(${defaultInterimSeconds}, (
      select min(interim_seconds) from radius_clients)))`,
  },
  { from: [connected], to: offline, silence: `interval '24 hours'` },
  { from: [connected, offline], to: unknown, silence: `interval '30 days'` },
] as const;
type SilenceStep = (typeof silenceSteps)[number];

export interface SweptSim {
  sim_id: number;
  org_id: number;
  iccid: string;
}

/** A SIM that may change its status, if it has not been seen since then. */
export interface SilenceCandidate {
  simId: number;
  seenAt: Date;
  seenBefore: Date;
}

/** Up to `simsPerStatement` SIMs after the last one; the online ones may have sessions with longer intervals. */
export const listSilent = async (
  sql: Sql,
  { from, silence, after }: SilenceStep & { after: number },
  now: Date,
): Promise<SilenceCandidate[]> =>
  (
    await sql.query<SilenceCandidate>(
      `select l.sim_id as "simId", l.last_seen_at as "seenAt", $1::timestamptz - ${silence} as "seenBefore" from sim_live l
       where l.sim_id > $2 and l.connection = any($3::smallint[]) and l.last_seen_at < $1::timestamptz - ${silence}
       order by l.sim_id limit ${simsPerStatement}`,
      [now, after, [...from]],
    )
  ).rows;

/** The longest interval of the open sessions of SIMs, in seconds; SIMs without one are omitted. */
export const findIntervals = async (
  sql: Sql,
  simIds: readonly number[],
): Promise<ReadonlyMap<number, number>> => {
  const { rows } = await sql.query<{ simId: number; seconds: number }>(
    `select s.sim_id as "simId", max(c.interim_seconds) as seconds
     from radius_sessions s join radius_clients c on c.id = s.client_id
     where s.sim_id = any($1::bigint[]) and s.stopped_at is null group by s.sim_id`,
    [int8Column(simIds, (simId) => simId)],
  );
  return new Map(rows.map(({ simId, seconds }) => [simId, seconds]));
};

/** Changes the status of SIMs that are still silent; rows locked by intake are left for the next sweep. */
export const updateSilent = async (
  sql: Sql,
  { from, to, silent }: SilenceStep & { silent: readonly SilenceCandidate[] },
  now: Date,
): Promise<SweptSim[]> =>
  (
    await sql.query<SweptSim>(
      `with silent as (
         select l.sim_id from unnest($2::bigint[], $3::timestamptz[]) as v (sim_id, seen_before)
         join sim_live l on l.sim_id = v.sim_id
         where l.connection = any($4::smallint[]) and l.last_seen_at < v.seen_before
         order by l.sim_id for update of l skip locked),
       swept as (
         update sim_live l set connection = ${to}, connection_since = $1 from silent where l.sim_id = silent.sim_id
         returning l.sim_id, l.org_id)
       select w.sim_id, w.org_id, s.iccid from swept w join sims s on s.id = w.sim_id`,
      [
        now,
        int8Column(silent, ({ simId }) => simId),
        timestampColumn(silent, ({ seenBefore }) => seenBefore.getTime()),
        [...from],
      ],
    )
  ).rows;

/** Deletes up to `limit` that are no longer retained. @returns how many */
export const trimRejects = async (sql: Sql, now: Date, limit: number): Promise<number> => {
  const { rowCount } = await sql.query(
    `delete from radius_rejects where id in (
       select id from radius_rejects where at < $1 order by at limit $2)`,
    [new Date(now.getTime() - rejectRetentionDays * dayMs), limit],
  );
  return rowCount ?? 0;
};
