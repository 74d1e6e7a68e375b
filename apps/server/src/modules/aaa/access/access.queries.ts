import type { Sql } from '../../../platform/db/index.ts';
import { connectionNumbers, simsBy } from '../../sim/index.ts';
import { type AccessSim, mixedRates } from '../aaa.rules.ts';

export interface FoundAccessSim extends AccessSim {
  simId: number;
  imsi: string;
  msisdn: string | null;
  hasSession: boolean;
}

/** An Accept: the rate in it, null for none, and whether the SIM had an open session already. */
export interface Grant {
  simId: number;
  rateKbps: number | null;
  hasSession: boolean;
}

/** Not `exists`, which may be planned as a hash of all open sessions. */
const selectSims = (kind: 'imsi' | 'msisdn', parameter: string): string => `
  select s.id as "simId", s.imsi, s.msisdn, s.lifecycle, s.apn, host(s.fixed_ip) as "fixedIp",
    l.data_state as "dataState", l.rate_kbps as "rateKbps", l.cycle_ends_at as "cycleEndsAt",
    l.pool_stopped_until as "poolStoppedUntil", l.held_until as "heldUntil", l.held_kbps as "heldKbps",
    b.type as "bundleType", b.out_of_coverage_policy as "outOfCoveragePolicy",
    b.coverage_countries as "coverageCountries",
    coalesce((select true from radius_sessions r where r.sim_id = s.id and r.stopped_at is null limit 1), false)
      as "hasSession"
  from ${simsBy(kind)} i join sims s on s.id = i.sim_id join sim_live l on l.sim_id = s.id
  left join bundles b on b.id = s.bundle_id where i.value = any(${parameter}::text[])`;

/** Finds SIMs by IMSI and by MSISDN; at most two rows for each number. */
export const findAccessSims = async (
  sql: Sql,
  imsis: readonly string[],
  msisdns: readonly string[],
): Promise<FoundAccessSim[]> =>
  (
    await sql.query<FoundAccessSim>({
      name: 'aaa-access-sims',
      text: `${selectSims('imsi', '$1')} union all ${selectSims('msisdn', '$2')}`,
      values: [imsis, msisdns],
    })
  ).rows;

/** The country of a network (mcc * 1000 + mnc); null if it is unlisted or belongs to no country. */
export const findCountry = async (sql: Sql, plmn: number): Promise<string | null> =>
  (await sql.query<{ country: string | null }>('select country from networks where plmn = $1', [plmn]))
    .rows[0]?.country ?? null;

/** The coverage of the bundle in use, and the country of a network: the given one, else the last one seen. */
export const findCoverage = async (
  sql: Sql,
  { simId, plmn }: { simId: number; plmn: number | null },
): Promise<
  (Pick<AccessSim, 'outOfCoveragePolicy' | 'coverageCountries'> & { country: string | null }) | undefined
> =>
  (
    await sql.query(
      `select b.out_of_coverage_policy as "outOfCoveragePolicy", b.coverage_countries as "coverageCountries", n.country
       from sims s join bundles b on b.id = s.bundle_id join sim_live l on l.sim_id = s.id
       left join networks n on n.plmn = coalesce($2, l.plmn) where s.id = $1`,
      [simId, plmn],
    )
  ).rows[0];

const { online, connected } = connectionNumbers;

/** How long a SIM without accounting has not been written as seen before an Accept does so again: a bounded rate of writes. */
const seenAgainAfter = '1 hour';

/**
 * Marks SIMs authorised without an open session as connected, with the granted rate, and as seen. Online SIMs stay online:
 * reports on their sessions alone show whether they are. If a SIM had open sessions when it was accepted, also silent ones, with another rate, the network's rate for the SIM becomes
 * "different rates"; a session that began since has the granted rate.
 * @returns the SIMs that were not connected before
 */
export const markAuthorised = async (
  sql: Sql,
  grants: readonly Grant[],
  now: Date,
): Promise<{ iccid: string; org_id: number }[]> => {
  const { rows } = await sql.query<{ iccid: string; org_id: number }>(
    `with granted as (
       select l.sim_id, v.rate_kbps, v.has_session, l.connection not in (${online}, ${connected}) as is_new
       from unnest($1::bigint[], $2::integer[], $4::boolean[]) as v (sim_id, rate_kbps, has_session)
       join sim_live l using (sim_id)
       where l.connection not in (${online}, ${connected})
         or (l.network_rate_kbps is distinct from v.rate_kbps
           and (l.connection = ${connected} or l.network_rate_kbps is distinct from ${mixedRates}))
         or (l.connection = ${connected} and l.last_seen_at < $3::timestamptz - interval '${seenAgainAfter}')
       order by l.sim_id for update of l),
     marked as (
       update sim_live l set
         network_rate_kbps = case when g.has_session and l.network_rate_kbps is distinct from g.rate_kbps
           and exists (select from radius_sessions r where r.sim_id = l.sim_id and r.stopped_at is null)
           then ${mixedRates} else g.rate_kbps end,
         connection = case when g.is_new then ${connected} else l.connection end,
         connection_since = case when g.is_new then $3 else l.connection_since end,
         last_seen_at = case when l.connection = ${online} then l.last_seen_at else greatest(l.last_seen_at, $3) end
       from granted g where l.sim_id = g.sim_id
       returning l.sim_id, l.org_id, g.is_new)
     select s.iccid, m.org_id from marked m join sims s on s.id = m.sim_id where m.is_new`,
    [
      grants.map(({ simId }) => simId),
      grants.map(({ rateKbps }) => rateKbps),
      now,
      grants.map(({ hasSession }) => hasSession),
    ],
  );
  return rows;
};

export interface RejectRow {
  at: Date;
  clientId: number;
  simId: number;
  identity: string;
  reason: string;
}

export const insertRejects = async (sql: Sql, rejects: readonly RejectRow[]): Promise<void> => {
  await sql.query(
    `insert into radius_rejects (at, client_id, sim_id, identity, reason)
     select * from unnest($1::timestamptz[], $2::bigint[], $3::bigint[], $4::text[], $5::text[])`,
    [
      rejects.map((row) => row.at),
      rejects.map((row) => row.clientId),
      rejects.map((row) => row.simId),
      rejects.map((row) => row.identity),
      rejects.map((row) => row.reason),
    ],
  );
};
