import type { Pool, PoolRealTime, PoolSettings } from '@simcube/contract/pool';
import { hourMs } from '@simcube/contract/time';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { connectionNumbers } from '../../sim/index.ts';
import { daysOf, forecastDaysNeeded, forecastOf, type PoolCycle } from '../pool.rules.ts';
import { findCycle, listForecastDays, sumOfTerms, sumShards, sumTerms } from './cycle.views.ts';

const hoursOfDay = 24;
const provisionalMs = 48 * hourMs;

type Term = PoolSettings['terms'][number];

/** The terms of a cycle's limit: contributions by kind, then each adjustment. */
export const listTerms = async (sql: Sql, poolId: number, cycleStart: Date): Promise<Term[]> => {
  const { rows } = await sql.query<Omit<Term, 'at'> & { at: Date | null }>(
    `select kind, count(sim_id)::int as sims, ${sumOfTerms} as bytes, case when sim_id is null then created_at end as at
     from pool_terms t where pool_id = $1 and from_at <= $2 and coalesce(until_at, 'infinity') > $2
     group by kind, case when sim_id is null then id end, case when sim_id is null then created_at end
     order by at nulls first, kind desc`,
    [poolId, cycleStart],
  );
  return rows.map((row) => ({ ...row, at: row.at?.toISOString() ?? null }));
};

/** The part of a cycle's usage from SIMs that are no longer members. */
export const sumFormerUsage = async (sql: Sql, poolId: number, cycleStart: Date): Promise<number> => {
  const { rows } = await sql.query<{ bytes: number }>(
    `select coalesce(sum(u.used_bytes), 0)::bigint as bytes from pool_usage u
     where u.pool_id = $1 and u.cycle_started_at = $2 and not exists (
       select from pool_members m where m.pool_id = $1 and m.sim_id = u.sim_id and m.left_at is null)`,
    [poolId, cycleStart],
  );
  return rows[0]?.bytes ?? 0;
};

interface MemberFigures {
  online: number;
  stopped: number;
  overage: number;
  joined: number;
  left: number;
}

/** Number of current members by state, and of those who joined and left in the cycle. */
export const countMemberStates = async (
  sql: Sql,
  { poolId, cycleStart, now }: { poolId: number; cycleStart: Date; now: Date },
): Promise<MemberFigures> => {
  const { rows } = await sql.query<MemberFigures>(
    `select count(*) filter (where m.left_at is null and l.connection = ${connectionNumbers.online})::int as online,
       count(*) filter (where m.left_at is null and l.pool_stopped_until > $3)::int as stopped,
       count(*) filter (where m.left_at is null and m.activated_at is not null and u.used_bytes > coalesce(t.bytes, 0))::int as overage,
       count(*) filter (where m.enrolled_at >= $2)::int as joined, count(*) filter (where m.left_at >= $2)::int as left
     from pool_members m join sim_live l on l.sim_id = m.sim_id
     left join pool_usage u on u.pool_id = m.pool_id and u.cycle_started_at = $2 and u.sim_id = m.sim_id
     left join (
       select sim_id, sum(bytes) as bytes from pool_terms where pool_id = $1 and sim_id is not null and from_at <= $2
         and coalesce(until_at, 'infinity') > $2 group by 1) as t on t.sim_id = m.sim_id
     where m.pool_id = $1 and coalesce(m.left_at, 'infinity') >= $2`,
    [poolId, cycleStart, now],
  );
  return rows[0] ?? { online: 0, stopped: 0, overage: 0, joined: 0, left: 0 };
};

export interface PoolUsage {
  at: Date;
  up: number;
  down: number;
  records: number;
}

/** Usage by hour; hours without any are omitted. */
const listHours = async (
  sql: Sql,
  poolId: number,
  { from, until }: { from: Date; until: Date },
): Promise<PoolUsage[]> =>
  (
    await sql.query<PoolUsage>(
      `select hour_at as at, sum(up_bytes)::bigint as up, sum(down_bytes)::bigint as down, sum(records)::bigint as records
       from pool_usage_hourly where pool_id = $1 and hour_at >= $2 and hour_at < $3 group by 1 order by 1`,
      [poolId, from, until],
    )
  ).rows;

/** The changes of a cycle's limit on each of its days; the first day includes everything from before. */
const listTermsByDay = async (
  sql: Sql,
  poolId: number,
  { startedAt, days }: { startedAt: Date; days: readonly string[] },
): Promise<Map<string, number>> => {
  const { rows } = await sql.query<{ position: number; bytes: number }>(
    `select greatest(width_bucket(created_at, $3::timestamptz[]), 1) as position, ${sumOfTerms} as bytes from pool_terms t
     where pool_id = $1 and from_at <= $2 and coalesce(until_at, 'infinity') > $2 group by 1`,
    [poolId, startedAt, days.map((day) => dashboardDays.startOf(day))],
  );
  return new Map(rows.map(({ position, bytes }) => [days[position - 1] ?? '', bytes]));
};

/** Usage by business day. */
const byDay = (hours: readonly PoolUsage[]): Map<string, Omit<PoolUsage, 'at'>> => {
  const days = new Map<string, Omit<PoolUsage, 'at'>>();
  for (const { at, up, down, records } of hours) {
    const day = dashboardDays.dayOf(at);
    const sum = days.get(day) ?? { up: 0, down: 0, records: 0 };
    days.set(day, { up: sum.up + up, down: sum.down + down, records: sum.records + records });
  }
  return days;
};

export const readLineChart = async (sql: Sql, poolId: number, cycle: PoolCycle, now: Date) => {
  const sums = byDay(await listHours(sql, poolId, { from: cycle.startedAt, until: cycle.endsAt }));
  const cycleDays = daysOf(cycle);
  const terms = await listTermsByDay(sql, poolId, { startedAt: cycle.startedAt, days: cycleDays });
  let used = 0;
  let limit = 0;
  const days = cycleDays.map((day) => {
    const { up, down, records } = sums.get(day) ?? { up: 0, down: 0, records: 0 };
    used += up + down;
    limit = Math.min(limit + (terms.get(day) ?? 0), Number.MAX_SAFE_INTEGER);
    const end = dashboardDays.endOf(day);
    return {
      day,
      up_bytes: up,
      down_bytes: down,
      records,
      used_bytes: used,
      limit_bytes: Math.max(0, limit),
      provisional: end.getTime() > now.getTime() - provisionalMs,
    };
  });
  return {
    cycle_started_at: cycle.startedAt.toISOString(),
    cycle_ends_at: cycle.endsAt.toISOString(),
    days,
  };
};

export const readBarChart = async (sql: Sql, poolId: number, day: string) => {
  const from = dashboardDays.startOf(day);
  const hours = await listHours(sql, poolId, { from, until: dashboardDays.endOf(day) });
  const byHour = new Map(hours.map((hour) => [hour.at.getTime(), hour]));
  return {
    day,
    hours: Array.from({ length: hoursOfDay }, (_, hour) => {
      const at = from.getTime() + hour * hourMs;
      const { up, down, records } = byHour.get(at) ?? { up: 0, down: 0, records: 0 };
      return { at: new Date(at).toISOString(), up_bytes: up, down_bytes: down, records };
    }),
  };
};

/**
 * The pool as it is now. How far it can exceed its limit: each open session may use as much as an average record of
 * the last day contained before the next update reports it.
 */
export const readRealTime = async (
  sql: Sql,
  { id: poolId, policy }: Pick<Pool, 'policy'> & { id: number },
  now: Date,
): Promise<PoolRealTime | undefined> => {
  const cycle = await findCycle(sql, poolId, now);
  if (!cycle) return undefined;
  const { startedAt, endsAt } = cycle;
  const used = await sumShards(sql, poolId, startedAt);
  const limit = await sumTerms(sql, poolId, startedAt);
  const states = await countMemberStates(sql, { poolId, cycleStart: startedAt, now });
  const recentSince = new Date(now.getTime() - hoursOfDay * hourMs);
  // Also hours of the previous cycle, and all of today's.
  const hours = await listHours(sql, poolId, { from: recentSince, until: endsAt });
  const today = byDay(hours).get(dashboardDays.dayOf(now));
  const sum = (of: (hour: PoolUsage) => number): number => hours.reduce((total, hour) => total + of(hour), 0);
  const perRecord =
    sum(({ up, down }) => up + down) /
    Math.max(
      1,
      sum(({ records }) => records),
    );
  const past = await listForecastDays(sql, [{ id: poolId, policy, startedAt }], now);
  const days = past.get(poolId) ?? [];
  const forecast = days.length < forecastDaysNeeded ? null : forecastOf({ days, used, limit, now, endsAt });
  return {
    used_bytes: used,
    limit_bytes: limit,
    left_bytes: Math.max(0, limit - used),
    over: cycle.overAt !== null,
    today_bytes: (today?.up ?? 0) + (today?.down ?? 0),
    online_sims: states.online,
    stopped_sims: states.stopped,
    would_stop_sims: policy === 'stop overage SIMs' ? states.overage : 0,
    overshoot_bytes: Math.round(perRecord * states.online),
    forecast: forecast && {
      used_bytes: forecast.used,
      low_bytes: forecast.low,
      high_bytes: forecast.high,
      per_day_bytes: forecast.perDay,
      runs_out_at: forecast.runsOutAt?.toISOString() ?? null,
      earliest_at: forecast.earliestAt?.toISOString() ?? null,
      latest_at: forecast.latestAt?.toISOString() ?? null,
    },
  };
};
