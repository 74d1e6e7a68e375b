import type { BundleSpec } from '@simcube/contract/bundle';
import type { Sql } from '../../../platform/db/index.ts';
import { ownDays } from '../../sim/index.ts';

const ms = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`;
/** From milliseconds. */
const utcDay = (at: string): string => `(to_timestamp(${at}::float8 / 1000) at time zone 'UTC')::date`;

/** The state of a SIM with watched usage that rules decide by. Times are milliseconds. */
export interface WatchedSim {
  simId: number;
  orgId: number;
  iccid: string;
  tags: string[];
  /** Type of the bundle in use. */
  bundleType: BundleSpec['type'] | null;
  activatedAt: number | null;
  lastSeenAt: number | null;
  used: number;
  limit: number | null;
  cycleStartedAt: number | null;
  cycleEndsAt: number | null;
  watch: number | null;
}

export const listWatchedSims = async (
  sql: Sql,
  { orgId, simIds }: { orgId: number; simIds: readonly number[] },
): Promise<WatchedSim[]> =>
  (
    await sql.query<WatchedSim>(
      `select l.sim_id as "simId", l.org_id as "orgId", s.iccid, s.tags, b.type as "bundleType",
         ${ms('s.activated_at')} as "activatedAt", ${ms('l.last_seen_at')} as "lastSeenAt", l.used_bytes as used,
         l.limit_bytes as limit, ${ms('l.cycle_started_at')} as "cycleStartedAt", ${ms('l.cycle_ends_at')} as "cycleEndsAt",
         l.watch_bytes as watch
       from sim_live l join sims s on s.id = l.sim_id left join bundles b on b.id = s.bundle_id
       where l.sim_id = any($1::bigint[]) and l.org_id = $2`,
      [simIds, orgId],
    )
  ).rows;

/** SIMs of the organisation with records that ended at the instant or later, and when the first of those ended, milliseconds. */
export const listUsedSince = async (
  sql: Sql,
  { orgId, since }: { orgId: number; since: number },
): Promise<[simId: number, at: number][]> =>
  (
    await sql.query<{ simId: number; at: number }>(
      `select sim_id as "simId", ${ms('min(ended_at)')} as at from cdrs
       where org_id = $1 and ended_at >= to_timestamp($2::float8 / 1000) group by 1 order by 1`,
      [orgId, since],
    )
  ).rows.map(({ simId, at }) => [simId, at]);

/** A query for a SIM's usage from `from` to `to`, by day, and its records since `at`. Days are UTC. */
export interface UsageLookup {
  simId: number;
  from: number;
  to: number;
  at: number;
}

export interface UsageLookupResult {
  /** Octets by day (`YYYY-MM-DD`); days without usage are omitted. */
  days: Record<string, number>;
  /** The end and octets of each record that ended at `at` or later. */
  ends: number[];
  bytes: number[];
}

/**
 * Usage of the organisation's SIMs, in the order of the queries. A SIM that changed hands has only the usage in the
 * organisation's time.
 */
export const lookUpUsage = async (
  sql: Sql,
  { orgId, lookups }: { orgId: number; lookups: readonly UsageLookup[] },
): Promise<UsageLookupResult[]> => {
  const simIds = lookups.map(({ simId }) => simId);
  const found: UsageLookupResult[] = lookups.map(() => ({ days: {}, ends: [], bytes: [] }));
  if (lookups.length === 0) return found;
  const days = await sql.query<{ place: number; day: string; bytes: number }>(
    `select v.place::int, u.day_on::text as day, sum(u.up_bytes + u.down_bytes)::int8 as bytes
     from unnest($2::bigint[], $3::float8[], $4::float8[]) with ordinality as v (sim_id, starts, ends, place)
     join (${ownDays(String.raw, { sims: '$2', orgId: '$1', from: utcDay('$5'), until: utcDay('$6') })}) as u
       on u.sim_id = v.sim_id and u.day_on >= ${utcDay('v.starts')} and u.day_on < ${utcDay('v.ends')}
     group by 1, 2`,
    [
      ...[orgId, simIds, lookups.map(({ from }) => from), lookups.map(({ to }) => to)],
      ...[Math.min(...lookups.map(({ from }) => from)), Math.max(...lookups.map(({ to }) => to))],
    ],
  );
  for (const { place, day, bytes } of days.rows) {
    const result = found[place - 1];
    if (result) result.days[day] = bytes;
  }
  const records = await sql.query<{ place: number; ends: number[]; bytes: number[] }>(
    `select v.place::int, c.ends, c.bytes
     from unnest($2::bigint[], $3::float8[]) with ordinality as v (sim_id, at, place)
     cross join lateral (
       select array_agg(${ms('r.ended_at')}) as ends, array_agg((r.up_bytes + r.down_bytes)::float8) as bytes
       from cdrs r where r.sim_id = v.sim_id and r.org_id = $1 and r.ended_at >= to_timestamp(v.at / 1000)
       group by r.sim_id) as c`,
    [orgId, simIds, lookups.map(({ at }) => at)],
  );
  for (const { place, ends, bytes } of records.rows) {
    const result = found[place - 1];
    if (result) Object.assign(result, { ends, bytes });
  }
  return found;
};

/**
 * SIMs without usage between the two instants, by the position of the query. Whole days are checked in the daily sums
 * and in the open hour, separately, because a cluster reads all SIMs for a view over both; the partial days at both
 * ends in the records.
 */
export const findUnused = async (
  sql: Sql,
  periods: readonly { simId: number; from: number; to: number }[],
): Promise<Set<number>> => {
  const { rows } = await sql.query<{ place: number }>(
    `with v as (
       select sim_id, to_timestamp(starts / 1000) as since, to_timestamp(ends / 1000) as until, place::int
       from unnest($1::bigint[], $2::float8[], $3::float8[]) with ordinality as given (sim_id, starts, ends, place))
     select v.place from v cross join lateral (
       select u.sim_id from usage_daily u
       where u.sim_id = v.sim_id and u.day_on > (v.since at time zone 'UTC')::date
         and u.day_on < (v.until at time zone 'UTC')::date
       group by u.sim_id) as days
     union
     select v.place from v join sim_live l on l.sim_id = v.sim_id
       and (l.open_hour_at at time zone 'UTC')::date > (v.since at time zone 'UTC')::date
       and (l.open_hour_at at time zone 'UTC')::date < (v.until at time zone 'UTC')::date
     union
     select v.place from v cross join lateral (
       select r.sim_id from cdrs r
       where r.sim_id = v.sim_id and r.ended_at >= v.since and r.ended_at < v.until
         and (r.ended_at < date_trunc('day', v.since, 'UTC') + interval '1 day'
           or r.ended_at >= date_trunc('day', v.until, 'UTC'))
       group by r.sim_id) as ends`,
    [periods.map(({ simId }) => simId), periods.map(({ from }) => from), periods.map(({ to }) => to)],
  );
  const used = new Set(rows.map(({ place }) => place - 1));
  return new Set(periods.flatMap((_, place) => (used.has(place) ? [] : [place])));
};

/** Counters of the closed cycles that contain the instants. Times are milliseconds. */
export const listClosedCounts = async (
  sql: Sql,
  lookups: readonly { simId: number; at: number }[],
): Promise<{ simId: number; startedAt: number; endsAt: number; used: number; limit: number | null }[]> =>
  lookups.length === 0
    ? []
    : (
        await sql.query(
          `select distinct c.sim_id as "simId", ${ms('c.cycle_started_at')} as "startedAt",
             ${ms('c.cycle_ends_at')} as "endsAt", c.used_bytes as used, c.limit_bytes as limit
           from unnest($1::bigint[], $2::float8[]) as v (sim_id, at)
           join usage_cycles c on c.sim_id = v.sim_id and c.cycle_started_at <= to_timestamp(v.at / 1000)
             and c.cycle_ends_at > to_timestamp(v.at / 1000)
           order by 2 desc`,
          [lookups.map(({ simId }) => simId), lookups.map(({ at }) => at)],
        )
      ).rows;
