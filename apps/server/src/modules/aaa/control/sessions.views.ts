import { lifecycleNumbers, type NetworkOverdue } from '@simcube/contract/sim';
import type { Sql } from '../../../platform/db/index.ts';
import { dataState } from '../../sim/index.ts';
import { adminReset, nasReboot, silence, superseded } from '../intake/causes.ts';
import { type ControlledSim, type Enforcement, enforcementFor } from './control.rules.ts';

/** A session and the address at which its gateway accepts requests (RFC 5176). */
export interface ControlledSession {
  simId: number;
  /** The organisation that owned the SIM when the session began, and whether it still does. */
  orgId: number;
  isOwners: boolean;
  iccid: string;
  sessionKey: number;
  sessionId: string;
  nas: string;
  ip: string | null;
  clientId: number;
  address: string;
  startedAt: Date;
  /** The time of its last report. */
  updatedAt: Date;
  /** Null if it is open here. */
  stoppedAt: Date | null;
  /** The gateway's name; null if it is no longer known. */
  gateway: string | null;
}

interface SessionWithSim extends ControlledSession, ControlledSim {
  /** Country of the session's network; null if unknown, even if the SIM was seen elsewhere before. */
  country: string | null;
}

export interface DueEnforcement {
  session: ControlledSession;
  enforcement: Enforcement;
}

/**
 * What is due now but not done by the gateways, by SIM. Covers sessions that began while the SIM's current
 * organisation owned it.
 */
export const findOverdue = async (
  sql: Sql,
  simIds: readonly number[],
  now: Date,
): Promise<Map<number, NetworkOverdue>> => {
  const overdue = new Map<number, NetworkOverdue>();
  for (const { session, enforcement } of await findDue(sql, simIds, now)) {
    const { simId } = session;
    // A session that must end takes precedence over one with a wrong rate.
    if (session.isOwners && overdue.get(simId) !== 'disconnect') overdue.set(simId, enforcement.action);
  }
  return overdue;
};

/** Maximum number of sessions checked for one SIM. */
const maxSessionsPerSim = 16;

const sessionColumns = `
  r.sim_id as "simId", r.org_id as "orgId", r.org_id = s.org_id as "isOwners", s.iccid, r.session_key as "sessionKey",
  r.acct_session_id as "sessionId", r.nas, host(r.ip) as ip, r.client_id as "clientId",
  host(r.gateway_address) as address, c.name as gateway, r.started_at as "startedAt",
  r.updated_at as "updatedAt", r.stopped_at as "stoppedAt"`;

const sessionTables = `
  from radius_sessions r join sims s on s.id = r.sim_id left join radius_clients c on c.id = r.client_id`;

const selectSessionsWithSim = `
  select ${sessionColumns}, s.lifecycle, s.apn, host(s.fixed_ip) as "fixedIp", l.data_state as "dataState",
    l.rate_kbps as "rateKbps", l.cycle_ends_at as "cycleEndsAt", l.network_rate_kbps as "networkRateKbps",
    l.pool_stopped_until as "poolStoppedUntil", l.held_until as "heldUntil", l.held_kbps as "heldKbps",
    b.type as "bundleType", b.out_of_coverage_policy as "outOfCoveragePolicy",
    b.coverage_countries as "coverageCountries", n.country
  ${sessionTables} join sim_live l on l.sim_id = r.sim_id
    left join bundles b on b.id = s.bundle_id left join networks n on n.plmn = r.plmn`;

const dueOf = (found: readonly SessionWithSim[], now: Date): DueEnforcement[] =>
  found.flatMap((row) => {
    const enforcement = enforcementFor(row, { country: row.country, at: now });
    return enforcement ? [{ session: row, enforcement }] : [];
  });

/** What is due now for the open sessions of these SIMs. */
export const findDue = async (sql: Sql, simIds: readonly number[], now: Date): Promise<DueEnforcement[]> => {
  const { rows } = await sql.query<SessionWithSim>(
    `${selectSessionsWithSim} where r.sim_id = any($1::bigint[]) and r.stopped_at is null
       and s.id = any($1::bigint[]) and l.sim_id = any($1::bigint[])
     order by r.sim_id, r.updated_at desc limit $2`,
    [simIds, maxSessionsPerSim * simIds.length],
  );
  return dueOf(rows, now);
};

/**
 * The same for all SIMs, page by page, after the given id. Only those SIMs with an open session are read for which
 * something other than a plain Accept may be decided.
 */
export const findDueAfter = async (
  sql: Sql,
  { simId, sims, now }: { simId: number; sims: number; now: Date },
): Promise<{ due: DueEnforcement[]; last: number | undefined }> => {
  const range = await sql.query<{ last: number | null; sims: number }>(
    `select max(sim_id) as last, count(*)::int as sims from (
       select distinct sim_id from radius_sessions where stopped_at is null and sim_id > $1 order by sim_id limit $2) as open`,
    [simId, sims],
  );
  const [{ last = null, sims: found = 0 } = {}] = range.rows;
  if (last === null) return { due: [], last: undefined };
  const { rows } = await sql.query<SessionWithSim>(
    `${selectSessionsWithSim} where r.sim_id > $1 and r.sim_id <= $2 and r.stopped_at is null
       and s.id > $1 and s.id <= $2 and l.sim_id > $1 and l.sim_id <= $2
       and (s.lifecycle <> ${lifecycleNumbers.active} or l.data_state <> ${dataState.open} or l.network_rate_kbps is not null
         or l.pool_stopped_until is not null or l.held_until is not null
         or b.out_of_coverage_policy = 'shut down')`,
    [simId, last],
  );
  return { due: dueOf(rows, now), last: found === sims ? last : undefined };
};

/**
 * Causes of sessions that were closed here: their gateway may still have them. It does not have those whose end it
 * reported, and those that it does not know.
 */
const closedHere = [silence, superseded, nasReboot, adminReset];

/** Those of the given sessions that their gateway may still have. */
export const findSessions = async (
  sql: Sql,
  simId: number,
  keys: readonly number[],
): Promise<ControlledSession[]> =>
  (
    await sql.query<ControlledSession>(
      `select ${sessionColumns} ${sessionTables}
       where r.sim_id = $1 and r.session_key = any($2::bigint[]) and (r.stopped_at is null or r.terminate_cause = any($3))
       order by r.updated_at desc limit ${maxSessionsPerSim}`,
      [simId, keys, closedHere],
    )
  ).rows;

/** The open sessions of these SIMs. */
export const listOpenSessions = async (
  sql: Sql,
  simIds: readonly number[],
): Promise<{ simId: number; sessionKey: number }[]> =>
  (
    await sql.query<{ simId: number; sessionKey: number }>(
      `select sim_id as "simId", session_key as "sessionKey" from radius_sessions
       where sim_id = any($1::bigint[]) and stopped_at is null order by sim_id`,
      [simIds],
    )
  ).rows;
