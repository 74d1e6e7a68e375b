import { limits } from '@simcube/contract';
import type { SimUsage } from '@simcube/contract/sim';
import { hourMs } from '@simcube/contract/time';
import { sql } from 'kysely';
import { addDays, addMonths, daysFrom, usageDays } from '../../platform/clock/business-day.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Db } from '../../platform/db/index.ts';
import { fail } from '../../platform/http/index.ts';
import { networkOf, type OwnSim, ownDays, ownHours } from '../sim/index.ts';
import { retainedSince } from './retention.ts';

export interface UsageQuery {
  granularity: 'hour' | 'day' | 'month';
  /** First and last day, inclusive, in UTC. */
  from: string;
  to: string;
}

/** Maximum spans in days, to limit the points of a chart. */
const maxSpanDays = { hour: 31, day: 400, month: 3700 } as const;
/** Dates that JavaScript accepts but the database does not (year 0) are rejected. */
const [firstDay, lastDay] = ['2000-01-01', '2199-12-31'];

/** Usage for screens, from the rollups only: charts never read CDRs. */
export const createUsageViews = ({ db, clock }: { db: Db; clock: Clock }) => ({
  /** Usage of one SIM, with a point for each hour, day or month, even without usage, and by network. */
  async simUsage(sim: OwnSim, query: UsageQuery): Promise<SimUsage> {
    const { granularity } = query;
    const days = daysOf(query, clock.now());
    const reading = granularity === 'hour' ? readHours(db, sim, query) : readDays(db, sim, query);
    const [rows, networks] = await Promise.all([reading, readNetworks(db, sim, query)]);
    const byPoint = new Map(rows.map((row) => [row.at, row]));
    const points = pointsOf(granularity, days).map((at) => ({
      at,
      up_bytes: Number(byPoint.get(at)?.up_bytes ?? 0),
      down_bytes: Number(byPoint.get(at)?.down_bytes ?? 0),
    }));
    return {
      points,
      by_network: networks,
      total_bytes: points.reduce((sum, point) => sum + point.up_bytes + point.down_bytes, 0),
      provisional_from: new Date(clock.now().getTime() - limits.provisionalHours * hourMs).toISOString(),
    };
  },
});

export type UsageViews = ReturnType<typeof createUsageViews>;

/** The days asked for. @throws Failure CB-00-0400 if they are reversed, too many, out of range, or no longer known by the hour */
const daysOf = ({ granularity, from, to }: UsageQuery, now: Date): string[] => {
  if (to < from) fail('CB-00-0400', { issues: [{ path: 'to', key: 'endBeforeStart' }] });
  if (from < firstDay) fail('CB-00-0400', { issues: [{ path: 'from', key: 'invalidDate' }] });
  if (to > lastDay) fail('CB-00-0400', { issues: [{ path: 'to', key: 'invalidDate' }] });
  if (addDays(from, maxSpanDays[granularity]) <= to) {
    const values = { max: maxSpanDays[granularity] };
    fail('CB-00-0400', { issues: [{ path: 'to', key: 'spanTooLong', values }] });
  }
  if (granularity === 'hour' && usageDays.startOf(from) < retainedSince('usage_hourly', now)) {
    const values = { months: limits.hourlyUsageMonths };
    fail('CB-00-0400', { issues: [{ path: 'granularity', key: 'hoursNotRetained', values }] });
  }
  return daysFrom(from, to);
};

const pointsOf = (granularity: UsageQuery['granularity'], days: readonly string[]): string[] => {
  if (granularity === 'day') return [...days];
  if (granularity === 'hour') {
    return days.flatMap((day) =>
      Array.from({ length: 24 }, (_, hour) => `${day}T${String(hour).padStart(2, '0')}:00:00.000Z`),
    );
  }
  const [first, last] = [days[0]?.slice(0, 7), days.at(-1)?.slice(0, 7)];
  const months: string[] = [];
  for (let month = first; month && last && month <= last; month = addMonths(month, 1)) months.push(month);
  return months;
};

/** Hours are retained for a shorter time than days; usage by network is computed from the same rows as the points. */
const rowsOf = ({ id, orgId }: OwnSim, { granularity, from, to }: UsageQuery) =>
  granularity === 'hour'
    ? ownHours(sql, { sims: [id], orgId, from: usageDays.startOf(from), until: usageDays.endOf(to) })
    : ownDays(sql, { sims: [id], orgId, from, until: addDays(to, 1) });

const readHours = async (db: Db, sim: OwnSim, query: UsageQuery) => {
  const { rows } = await sql<{ hour_at: Date; up_bytes: string; down_bytes: string }>`
    select hour_at, sum(up_bytes) as up_bytes, sum(down_bytes) as down_bytes
    from (${rowsOf(sim, query)}) as u group by hour_at`.execute(db);
  return rows.map(({ hour_at, ...bytes }) => ({ at: hour_at.toISOString(), ...bytes }));
};

const readDays = async (db: Db, sim: OwnSim, query: UsageQuery) => {
  const at = query.granularity === 'month' ? sql`to_char(day_on, 'YYYY-MM')` : sql`day_on::text`;
  const { rows } = await sql<{ at: string; up_bytes: string; down_bytes: string }>`
    select ${at} as at, sum(up_bytes) as up_bytes, sum(down_bytes) as down_bytes
    from (${rowsOf(sim, query)}) as u group by 1`.execute(db);
  return rows;
};

const readNetworks = async (db: Db, sim: OwnSim, query: UsageQuery) => {
  const { rows } = await sql<NetworkBytes>`
    select u.plmn, u.radio, n.mcc, n.mnc, n.operator, n.country, u.bytes, u.total from (
      select *, sum(bytes) over () as total from (
      select plmn, radio, sum(up_bytes + down_bytes) as bytes
      from (${rowsOf(sim, query)}) as own group by 1, 2
      having sum(up_bytes + down_bytes) > 0) as sums) as u
    left join networks n on n.plmn = u.plmn order by u.bytes desc, u.plmn, u.radio limit ${maxNetworks}`.execute(
    db,
  );
  const named = rows.flatMap(({ bytes, total: _, ...columns }) => {
    const network = networkOf(columns);
    return network ? [{ ...network, bytes: Number(bytes) }] : [];
  });
  const rest = Number(rows[0]?.total ?? 0) - named.reduce((sum, { bytes }) => sum + bytes, 0);
  return rest > 0 ? [...named, { ...otherNetworks, bytes: rest }] : named;
};

/** Maximum number of networks listed; usage in others is summed in one further entry. */
const maxNetworks = 50;
/** The entry for usage whose network is not listed or unknown. */
const otherNetworks = { country: null, mcc: null, mnc: null, operator: null, radio: null };

interface NetworkBytes {
  plmn: number;
  radio: number;
  mcc: string | null;
  mnc: string | null;
  operator: string | null;
  country: string | null;
  bytes: string;
  /** Sum over all networks. */
  total: string;
}
