import { limits } from '@simcube/contract';
import type { DashboardCard, DashboardRank, DashboardStatistics } from '@simcube/contract/dashboard';
import { lifecycleNumbers, lifecycles, type SimCounts } from '@simcube/contract/sim';
import { dayMs, hourMs } from '@simcube/contract/time';
import { addDays, dashboardDays } from '../../platform/clock/business-day.ts';
import type { Sql } from '../../platform/db/index.ts';
import {
  comparedDaysAgo,
  daysUntil,
  hoursUntil,
  type MonthSoFar,
  monthSoFar,
  monthsUntil,
  trendDays,
} from './dashboard.rules.ts';

interface DashboardQuery {
  orgId: number;
  now: Date;
}

/** SIMs by lifecycle status, from the counts that every change maintains. */
export const countLifecycles = async (sql: Sql, orgId: number): Promise<SimCounts> => {
  const { rows } = await sql.query<{ lifecycle: number; sims: number }>(
    'select lifecycle, sims from org_sim_counts where org_id = $1',
    [orgId],
  );
  const sims = new Map(rows.map((row) => [row.lifecycle, row.sims]));
  const lifecycle = Object.fromEntries(
    lifecycles.map((name) => [name, sims.get(lifecycleNumbers[name]) ?? 0]),
  ) as SimCounts['lifecycle'];
  return { total: lifecycles.reduce((sum, name) => sum + lifecycle[name], 0), lifecycle };
};

/** The four figures at the top, each with its last days and its comparison; the snapshot is that of the usage. */
export const getCard = async (
  sql: Sql,
  query: DashboardQuery,
): Promise<{ card: DashboardCard; snapshot: string }> => {
  const { orgId, now } = query;
  const today = dashboardDays.dayOf(now);
  const month = monthSoFar(now, dashboardDays);
  const [counts, figures, { daily, snapshot }, before, overage, expiring] = await Promise.all([
    countLifecycles(sql, orgId),
    readDailyFigures(sql, { orgId, from: addDays(today, -trendDays) }),
    readDailyUsage(sql, { orgId, from: earlier(month.before.firstDay, addDays(today, 1 - trendDays)) }),
    readPartialDay(sql, { orgId, month }),
    countOverage(sql, orgId),
    countExpiring(sql, query),
  ]);
  const days = daysUntil(now, trendDays, dashboardDays);
  const known = withoutGaps([addDays(today, -trendDays), ...days], figures);
  const trend = (name: keyof DailyFigures, current: number): number[] => [
    ...days.slice(0, -1).flatMap((day) => known.get(day)?.[name] ?? []),
    current,
  ];
  const usageOf = (first: string, last: string): number =>
    [...daily].reduce((sum, [day, bytes]) => (day >= first && day <= last ? sum + bytes : sum), 0);
  const active = counts.lifecycle.active;
  const card: DashboardCard = {
    total_sims: counts.total,
    active_sims: {
      value: active,
      compared_with: known.get(addDays(today, -comparedDaysAgo.active))?.active ?? null,
      trend: trend('active', active),
    },
    usage_bytes: {
      value: usageOf(`${month.month}-01`, today),
      compared_with: [...daily.keys()].some((day) => day < `${month.month}-01`)
        ? usageOf(month.before.firstDay, addDays(month.before.partialDay, -1)) + before
        : null,
      trend: days.map((day) => daily.get(day) ?? 0),
    },
    overage_sims: {
      value: overage,
      compared_with: known.get(addDays(today, -comparedDaysAgo.overage))?.overage ?? null,
      trend: trend('overage', overage),
    },
    expiring_sims: {
      value: expiring.soon,
      compared_with: null,
      trend: trend('expiring', expiring.soon),
      within_7_days: expiring.urgent,
    },
    cycle: { started_at: month.startsAt.toISOString(), ends_at: month.endsAt.toISOString() },
  };
  return { card, snapshot };
};

/**
 * Rows of a statement, with the snapshot that it saw. If it has no rows, the snapshot is in a row whose `key`
 * is null.
 */
const readWithSnapshot = async <R extends object>(
  sql: Sql,
  { text, values, key }: { text: string; values: unknown[]; key: keyof R },
): Promise<{ rows: R[]; snapshot: string }> => {
  const { rows } = await sql.query<R & { snapshot: string }>(
    `select moment.snapshot, asked.*
     from (select pg_current_snapshot()::text as snapshot) moment left join (${text}) asked on true`,
    values,
  );
  return { rows: rows.filter((row) => row[key] !== null), snapshot: rows[0]?.snapshot ?? '' };
};

const earlier = (a: string, b: string): string => (a < b ? a : b);

interface DailyFigures {
  active: number;
  overage: number;
  expiring: number;
}

/** A day without a worker has no figures: those of the day before it. */
const withoutGaps = (
  days: readonly string[],
  figures: ReadonlyMap<string, DailyFigures>,
): Map<string, DailyFigures> => {
  let last: DailyFigures | undefined;
  return new Map(
    days.flatMap((day) => {
      last = figures.get(day) ?? last;
      return last ? [[day, last]] : [];
    }),
  );
};

const readDailyFigures = async (
  sql: Sql,
  { orgId, from }: { orgId: number; from: string },
): Promise<Map<string, DailyFigures>> => {
  const { rows } = await sql.query<DailyFigures & { day_on: string }>(
    `select day_on, active_sims as active, overage_sims as overage, expiring_sims as expiring
     from org_daily_figures where org_id = $1 and day_on >= $2`,
    [orgId, from],
  );
  return new Map(rows.map(({ day_on, ...figures }) => [day_on, figures]));
};

const readDailyUsage = async (
  sql: Sql,
  { orgId, from }: { orgId: number; from: string },
): Promise<{ daily: Map<string, number>; snapshot: string }> => {
  const { rows, snapshot } = await readWithSnapshot<{ day_on: string; bytes: number }>(sql, {
    text: `select day_on, sum(up_bytes + down_bytes)::bigint as bytes
           from org_usage_daily where org_id = $1 and day_on >= $2 group by day_on`,
    values: [orgId, from],
    key: 'day_on',
  });
  return { daily: new Map(rows.map((row) => [row.day_on, row.bytes])), snapshot };
};

/** Usage of the part of a day with which the running one is compared; hours that began before its end count fully. */
const readPartialDay = async (
  sql: Sql,
  { orgId, month }: { orgId: number; month: MonthSoFar },
): Promise<number> => {
  const { rows } = await sql.query<{ bytes: number }>(
    `select coalesce(sum(up_bytes + down_bytes), 0)::bigint as bytes
     from org_usage_hourly where org_id = $1 and hour_at >= $2 and hour_at < $3`,
    [orgId, month.before.partialFrom, month.before.partialUntil],
  );
  return rows[0]?.bytes ?? 0;
};

const countOverage = async (sql: Sql, orgId: number): Promise<number> => {
  const { rows } = await sql.query<{ count: number }>(
    'select count(*) as count from sim_live where org_id = $1 and over_limit',
    [orgId],
  );
  return rows[0]?.count ?? 0;
};

/** SIMs in service whose last bundle ends soon, as the SIM list's filter `expires_within_days` finds them. */
const countExpiring = async (
  sql: Sql,
  { orgId, now }: DashboardQuery,
): Promise<{ soon: number; urgent: number }> => {
  const { rows } = await sql.query<{ soon: number; urgent: number }>(
    `select count(*) as soon, count(*) filter (where expires_key <= $3::timestamptz + interval '7 days') as urgent
     from sims where org_id = $1 and lifecycle = any($2)
       and expires_key > $3 and expires_key <= $3::timestamptz + make_interval(days => $4)`,
    [orgId, [lifecycleNumbers.active, lifecycleNumbers.paused], now, limits.expiringSoonDays],
  );
  return rows[0] ?? { soon: 0, urgent: 0 };
};

/** Usage over time; days and months are business days. */
export const getStatistics = async (
  sql: Sql,
  query: DashboardQuery & { range: DashboardStatistics['range'] },
): Promise<{ statistics: DashboardStatistics; snapshot: string }> => {
  const { range, now } = query;
  const { points, snapshot } = await pointsOf[range](sql, query);
  const provisional = new Date(now.getTime() - limits.provisionalHours * hourMs);
  return { statistics: { range, points, provisional_from: provisional.toISOString() }, snapshot };
};

const findCreation = async (sql: Sql, orgId: number): Promise<Date | undefined> =>
  (await sql.query<{ at: Date }>('select created_at as at from organisations where id = $1', [orgId])).rows[0]
    ?.at;

interface Points {
  points: DashboardStatistics['points'];
  snapshot: string;
}

const pointsOf: Record<DashboardStatistics['range'], (sql: Sql, query: DashboardQuery) => Promise<Points>> = {
  '24h': async (sql, { orgId, now }) => {
    const hours = hoursUntil(now);
    const first = (hours[0] ?? now).getTime() - dayMs;
    const { rows, snapshot } = await readWithSnapshot<{ hour_at: Date; bytes: number }>(sql, {
      text: `select hour_at, sum(up_bytes + down_bytes)::bigint as bytes
             from org_usage_hourly where org_id = $1 and hour_at >= $2 group by hour_at`,
      values: [orgId, new Date(first)],
      key: 'hour_at',
    });
    const bytes = new Map(rows.map((row) => [row.hour_at.getTime(), row.bytes]));
    const createdAt = await findCreation(sql, orgId);
    const previousOf = (hour: number): number | null =>
      bytes.get(hour) ?? (createdAt && createdAt.getTime() >= hour + hourMs ? null : 0);
    const points = hours.map((hour) => ({
      at: hour.toISOString(),
      bytes: bytes.get(hour.getTime()) ?? 0,
      previous_bytes: previousOf(hour.getTime() - dayMs),
    }));
    return { points, snapshot };
  },
  week: async (sql, { orgId, now }) => {
    const days = daysUntil(now, 7, dashboardDays);
    const { daily, snapshot } = await readDailyUsage(sql, {
      orgId,
      from: days[0] ?? dashboardDays.dayOf(now),
    });
    const points = days.map((day) => ({
      at: dashboardDays.startOf(day).toISOString(),
      bytes: daily.get(day) ?? 0,
      previous_bytes: null,
    }));
    return { points, snapshot };
  },
  '6months': async (sql, { orgId, now }) => {
    const months = monthsUntil(now, 6, dashboardDays);
    const { rows, snapshot } = await readWithSnapshot<{ month: string; bytes: number }>(sql, {
      text: `select to_char(day_on, 'YYYY-MM') as month, sum(up_bytes + down_bytes)::bigint as bytes
             from org_usage_daily where org_id = $1 and day_on >= $2 group by 1`,
      values: [orgId, `${months[0]}-01`],
      key: 'month',
    });
    const monthly = new Map(rows.map((row) => [row.month, row.bytes]));
    const points = months.map((month) => ({
      at: month,
      bytes: monthly.get(month) ?? 0,
      previous_bytes: null,
    }));
    return { points, snapshot };
  },
};

type RankedSim = Omit<DashboardRank[number], 'cost'>;

/** The SIMs with the most usage in their cycle, as of the last refresh. */
export const listRank = async (
  sql: Sql,
  orgId: number,
): Promise<{ rank: RankedSim[]; asOf: Date | undefined }> => {
  const { rows } = await sql.query<RankedSim & { as_of: Date }>(
    `select s.iccid, s.device_name, r.used_bytes as usage_bytes, l.limit_bytes, r.as_of
     from org_usage_rank r join sims s on s.id = r.sim_id join sim_live l on l.sim_id = r.sim_id
     where r.org_id = $1 and s.org_id = $1 order by r.position limit $2`,
    [orgId, limits.usageRank],
  );
  return { rank: rows.map(({ as_of, ...entry }) => entry), asOf: rows[0]?.as_of };
};
