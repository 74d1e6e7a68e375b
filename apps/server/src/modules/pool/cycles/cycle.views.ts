import type { BundleSpec } from '@simcube/contract/bundle';
import type { Pool } from '@simcube/contract/pool';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import { int8Column, type Sql, timestampColumn } from '../../../platform/db/index.ts';
import type { MemberSpan } from '../../price/index.ts';
import { type CycleRow, forecastDays, forecastSince, type PoolCycle } from '../pool.rules.ts';

const cycleColumns =
  'started_at as "startedAt", ends_at as "endsAt", launched_at as "launchedAt", over_at as "overAt"';

/** The cycle that contains an instant. */
export const findCycle = async (sql: Sql, poolId: number, at: Date): Promise<CycleRow | undefined> =>
  (
    await sql.query<CycleRow>(
      `select ${cycleColumns} from pool_cycles where pool_id = $1 and started_at <= $2 and ends_at > $2`,
      [poolId, at],
    )
  ).rows[0];

/** The cycles that began after the last one whose start is recorded, the oldest first: several after a downtime. */
export const listBegunCycles = async (sql: Sql, poolId: number, now: Date): Promise<CycleRow[]> =>
  (
    await sql.query<CycleRow>(
      `select ${cycleColumns} from pool_cycles
       where pool_id = $1 and started_at <= $2 and started_at > coalesce(
         (select max(started_at) from pool_cycles where pool_id = $1 and launched_at is not null), '-infinity')
       order by started_at`,
      [poolId, now],
    )
  ).rows;

/** The highest limit: what many members contribute may exceed the exact numbers (decision 13), and then it counts as this. */
const maxLimit = Number.MAX_SAFE_INTEGER;

/** Terms `t` of a limit, as their sum between the lowest and the highest exact number. */
export const sumOfTerms = `greatest(least(coalesce(sum(t.bytes), 0), ${maxLimit}), ${-maxLimit})::bigint`;
/** A limit, from all of its terms `t`: never below zero. */
export const limitOfTerms = `greatest(${sumOfTerms}, 0)`;

/** The limit of a cycle. */
export const sumTerms = async (sql: Sql, poolId: number, cycleStart: Date): Promise<number> =>
  (
    await sql.query<{ bytes: number }>(
      `select ${limitOfTerms} as bytes from pool_terms t
       where t.pool_id = $1 and t.from_at <= $2 and coalesce(t.until_at, 'infinity') > $2`,
      [poolId, cycleStart],
    )
  ).rows[0]?.bytes ?? 0;

/** The limit with which a cycle began, as its start was recorded. */
export const findLaunchLimit = async (sql: Sql, poolId: number, cycleStart: Date): Promise<number> =>
  (
    await sql.query<{ bytes: number }>(
      `select limit_after_bytes as bytes from pool_events
       where pool_id = $1 and at = $2 and kind = 'new pool launch' order by id desc limit 1`,
      [poolId, cycleStart],
    )
  ).rows[0]?.bytes ?? 0;

/** The usage in a cycle, over all shards of its counter. */
export const sumShards = async (sql: Sql, poolId: number, cycleStart: Date): Promise<number> =>
  (
    await sql.query<{ bytes: number }>(
      `select coalesce(sum(used_bytes), 0)::bigint as bytes from pool_counters
       where pool_id = $1 and cycle_started_at = $2`,
      [poolId, cycleStart],
    )
  ).rows[0]?.bytes ?? 0;

/** The policy of a pool `p` in its cycle `c`. */
const policyOfCycle = 'coalesce(c.policy, p.policy)';

export interface ChargedCycle extends PoolCycle {
  policy: Pool['policy'];
  bundle: Pick<BundleSpec, 'out_of_coverage_policy' | 'coverage_countries'>;
  used: number;
  limit: number;
}

/** The running cycle of a pool with the data for its charges; undefined if it does not belong to the organisation. */
export const findChargedCycle = async (
  sql: Sql,
  { orgId, id, now }: { orgId: number; id: number; now: Date },
): Promise<ChargedCycle | undefined> => {
  const { rows } = await sql.query<Pick<ChargedCycle, 'policy' | 'bundle'>>(
    `select p.policy, json_build_object('out_of_coverage_policy', b.out_of_coverage_policy,
       'coverage_countries', b.coverage_countries) as bundle
     from pools p join bundles b on b.id = p.bundle_id where p.id = $1 and p.org_id = $2`,
    [id, orgId],
  );
  const cycle = rows[0] && (await findCycle(sql, id, now));
  if (!cycle || !rows[0]) return undefined;
  const used = await sumShards(sql, id, cycle.startedAt);
  return { ...cycle, ...rows[0], used, limit: await sumTerms(sql, id, cycle.startedAt) };
};

export interface BilledPoolCycle extends ChargedCycle {
  id: number;
  name: string;
}

/**
 * Cycles of an organisation's pools that begin or end between two instants, with the data for their charges; also
 * those that passed before a job recorded their start.
 */
export const listChargedCycles = async (
  sql: Sql,
  { orgId, from, until }: { orgId: number; from: Date; until: Date },
): Promise<BilledPoolCycle[]> =>
  (
    await sql.query<BilledPoolCycle>(
      `select p.id, p.name, ${policyOfCycle} as policy, c.started_at as "startedAt", c.ends_at as "endsAt",
         json_build_object('out_of_coverage_policy', b.out_of_coverage_policy,
           'coverage_countries', b.coverage_countries) as bundle,
         (select coalesce(sum(u.used_bytes), 0)::bigint from pool_counters u
          where u.pool_id = p.id and u.cycle_started_at = c.started_at) as used,
         (select ${limitOfTerms} from pool_terms t
          where t.pool_id = p.id and t.from_at <= c.started_at and coalesce(t.until_at, 'infinity') > c.started_at) as limit
       from pools p join bundles b on b.id = p.bundle_id join pool_cycles c on c.pool_id = p.id
       where p.org_id = $1 and c.started_at < $3 and c.ends_at > $2
       order by p.id, c.started_at`,
      [orgId, from, until],
    )
  ).rows;

/** The same cycles with usage as the sum of their members' CDRs. */
export const withRecordedUsage = async (
  sql: Sql,
  cycles: readonly BilledPoolCycle[],
): Promise<BilledPoolCycle[]> => {
  const { rows } = await sql.query<{ place: number; bytes: number }>(
    `with spans as (
       select k.place, m.sim_id, greatest(m.activated_at, k.started_at) as since, least(m.left_at, k.ends_at) as until
       from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[]) with ordinality
         as k (pool_id, started_at, ends_at, place)
       join pool_members m on m.pool_id = k.pool_id and m.activated_at < k.ends_at
         and coalesce(m.left_at, 'infinity') > k.started_at)
     select s.place::int, sum(u.bytes)::int8 as bytes from spans s cross join lateral (
       select sum(r.up_bytes + r.down_bytes) as bytes from cdrs r
       where r.sim_id = s.sim_id and r.ended_at >= s.since and r.ended_at < s.until group by r.sim_id) as u
     group by 1`,
    [
      cycles.map(({ id }) => id),
      cycles.map(({ startedAt }) => startedAt),
      cycles.map(({ endsAt }) => endsAt),
    ],
  );
  const bytesOf = new Map(rows.map(({ place, bytes }) => [place - 1, bytes]));
  return cycles.map((cycle, index) => ({ ...cycle, used: bytesOf.get(index) ?? 0 }));
};

/** By pool: usage by day of its running cycle as its forecast continues it: see `forecastDays`. */
export const listForecastDays = async (
  sql: Sql,
  cycles: readonly { id: number; policy: Pool['policy']; startedAt: Date }[],
  now: Date,
): Promise<Map<number, number[]>> => {
  const since = new Map(cycles.map((cycle) => [cycle.id, forecastSince(cycle, now)]));
  const { rows } = await sql.query<{ id: number; createdAt: Date; bytes: Record<string, number> | null }>(
    `select p.id, p.created_at as "createdAt", (
       select json_object_agg(d.day, d.bytes) from (
         select to_char((u.hour_at + make_interval(mins => $3)) at time zone 'UTC', 'YYYY-MM-DD') as day,
           sum(u.up_bytes + u.down_bytes)::int8 as bytes
         from pool_usage_hourly u where u.pool_id = p.id and u.hour_at >= k.since group by 1) as d) as bytes
     from unnest($1::bigint[], $2::timestamptz[]) as k (id, since) join pools p on p.id = k.id`,
    [
      [...since.keys()],
      [...since.values()].map((day) => dashboardDays.startOf(day)),
      dashboardDays.offsetMinutes,
    ],
  );
  return new Map(
    rows.map(({ id, createdAt, bytes }) => [
      id,
      forecastDays(new Map(Object.entries(bytes ?? {})), { since: since.get(id) ?? '', createdAt, now }),
    ]),
  );
};

/** The kinds of an organisation's pools, each as if another one were made of it. */
export const listPoolKinds = async (
  sql: Sql,
  orgId: number,
): Promise<{ name: string; policy: Pool['policy']; bundleId: number }[]> =>
  (
    await sql.query<{ name: string; policy: Pool['policy']; bundleId: number }>(
      'select name, policy, bundle_id as "bundleId" from pools where org_id = $1 order by id',
      [orgId],
    )
  ).rows;

/**
 * The pool that a SIM was an active member of at an instant, with its usage in that cycle up to the end of that hour.
 * Undefined if it was in none of the organisation's pools.
 */
export const findPoolOfSim = async (
  sql: Sql,
  { orgId, simId, at }: { orgId: number; simId: number; at: Date },
): Promise<Omit<BilledPoolCycle, 'name'> | undefined> =>
  (
    await sql.query<Omit<BilledPoolCycle, 'name'>>(
      `select p.id, ${policyOfCycle} as policy, c.started_at as "startedAt", c.ends_at as "endsAt",
         json_build_object('out_of_coverage_policy', b.out_of_coverage_policy,
           'coverage_countries', b.coverage_countries) as bundle,
         (select coalesce(sum(u.up_bytes + u.down_bytes), 0)::bigint from pool_usage_hourly u
          where u.pool_id = p.id and u.hour_at >= c.started_at and u.hour_at <= $3) as used,
         (select ${limitOfTerms} from pool_terms t
          where t.pool_id = p.id and t.from_at <= c.started_at and coalesce(t.until_at, 'infinity') > c.started_at) as limit
       from pool_members m join pools p on p.id = m.pool_id and p.org_id = $1 join bundles b on b.id = p.bundle_id
       join pool_cycles c on c.pool_id = p.id and c.started_at <= $3 and c.ends_at > $3
       where m.sim_id = $2 and m.activated_at <= $3 and coalesce(m.left_at, 'infinity') > $3`,
      [orgId, simId, at],
    )
  ).rows[0];

/**
 * When usage counted for a pool in a cycle, by SIM and the SIM's own cycles; usage between two of those counts in the
 * later one. A cycle lasts a year at most.
 */
export const listMemberSpans = async (
  sql: Sql,
  poolId: number,
  { startedAt, endsAt }: PoolCycle,
): Promise<MemberSpan[]> =>
  (
    await sql.query<MemberSpan>(
      `with spans as (
         select sim_id, greatest(activated_at, $2) as since, least(left_at, $3) as until from pool_members
         where pool_id = $1 and activated_at < $3 and coalesce(left_at, 'infinity') > $2)
       select s.sim_id as "simId", c.cycle_started_at as "cycleStartedAt", c.cycle_ends_at as "cycleEndsAt",
         greatest(s.since, c.former_end) as from, least(s.until, c.cycle_ends_at) as to
       from spans s cross join lateral (
         select cycle_started_at, cycle_ends_at,
           lag(cycle_ends_at, 1, '-infinity') over (order by cycle_started_at) as former_end
         from (
           select u.cycle_started_at, u.cycle_ends_at from usage_cycles u where u.sim_id = s.sim_id
           union all
           select l.cycle_started_at, l.cycle_ends_at from sim_live l where l.sim_id = s.sim_id) as k
         where cycle_ends_at > s.since and cycle_started_at < s.until
           and cycle_started_at >= s.since - interval '366 days') as c
       where greatest(s.since, c.former_end) < least(s.until, c.cycle_ends_at)
       order by s.sim_id, s.since, c.cycle_started_at`,
      [poolId, startedAt, endsAt],
    )
  ).rows;

/** When usage of SIMs within spans of time counted for pools. */
export const listPooledSpans = async (
  sql: Sql,
  spans: readonly { simId: number; from: Date | null; to: Date }[],
): Promise<{ simId: number; from: Date; to: Date }[]> =>
  (
    await sql.query<{ simId: number; from: Date; to: Date }>(
      `select m.sim_id as "simId", greatest(m.activated_at, v.starts_at) as from, least(m.left_at, v.ends_at) as to
       from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[]) as v (sim_id, starts_at, ends_at)
       join pool_members m on m.sim_id = v.sim_id and m.activated_at < v.ends_at
         and coalesce(m.left_at, 'infinity') > coalesce(v.starts_at, '-infinity')`,
      [
        int8Column(spans, ({ simId }) => simId),
        timestampColumn(spans, ({ from }) => from?.getTime() ?? null),
        timestampColumn(spans, ({ to }) => to.getTime()),
      ],
    )
  ).rows;
