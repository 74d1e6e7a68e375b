import type { Sql } from '../../../platform/db/index.ts';

/** An open session and where its gateway takes orders. */
export interface ControlledSession {
  simId: number;
  orgId: number;
  iccid: string;
  imsi: string;
  sessionKey: number;
  sessionId: string;
  nas: string;
  ip: string | null;
  clientId: number;
  address: string;
}

const sessionsMost = 16;

/** Those with the given keys, else those that are open. The organisation is the one in whose time the session began. */
export const findSessions = async (
  sql: Sql,
  simId: number,
  keys?: readonly number[],
): Promise<ControlledSession[]> =>
  (
    await sql.query<ControlledSession>(
      `select r.sim_id as "simId", r.org_id as "orgId", s.iccid, s.imsi, r.session_key as "sessionKey",
         r.acct_session_id as "sessionId", r.nas, host(r.ip) as ip, r.client_id as "clientId",
         host(r.gateway_address) as address
       from radius_sessions r join sims s on s.id = r.sim_id
       where r.sim_id = $1 and ${keys ? 'r.session_key = any($2::bigint[])' : 'r.stopped_at is null'}
       order by r.updated_at desc limit ${sessionsMost}`,
      keys ? [simId, keys] : [simId],
    )
  ).rows;

/** Those of the SIMs that have an open session. */
export const listSimsWithSession = async (sql: Sql, simIds: readonly number[]): Promise<number[]> =>
  (
    await sql.query<{ simId: number }>(
      `select distinct sim_id as "simId" from radius_sessions
       where sim_id = any($1::bigint[]) and stopped_at is null order by 1`,
      [simIds],
    )
  ).rows.map(({ simId }) => simId);

export const insertControlEvent = async (
  sql: Sql,
  event: {
    simId: number;
    orgId: number;
    at: Date;
    kind: string;
    facts: Record<string, string | number | null>;
  },
): Promise<void> => {
  await sql.query('insert into sim_events (sim_id, at, org_id, kind, facts) values ($1, $2, $3, $4, $5)', [
    event.simId,
    event.at,
    event.orgId,
    event.kind,
    JSON.stringify(event.facts),
  ]);
};
