import type { ResetCycle } from '@simcube/contract/bundle';
import { addDays, dashboardDays, daysFrom } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { type BundleFacts, moParts, mtParts } from '../charges/cycles.views.ts';

/** Number of past whole days from which future usage is projected. */
const daysBehind = 28;

interface OrderedBundle extends BundleFacts {
  bundle_id: number;
  reset_cycle: ResetCycle;
  quota_bytes: number | null;
}

/** An order for a bundle, from its activation to its end; null for no end. */
export interface OrderPeriod extends OrderedBundle {
  activated_at: Date;
  expires_at: Date | null;
}

/** A SIM with its order in use. */
export interface RunningSim extends OrderPeriod {
  sim_id: number;
  cycle_started_at: Date;
  /** By the calendar: the order may end before. */
  cycle_ends_at: Date;
  used_bytes: number;
  /** Usage and duration of its recently ended cycles. */
  former_bytes: number;
  former_seconds: number;
  /** Whether it is or was in a shared pool. */
  pooled: boolean;
}

const bundleColumns = `b.id as bundle_id, b.reset_cycle, b.quota_bytes, b.code, b.name, b.type, b.overage_policy,
  b.out_of_coverage_policy, b.coverage_countries, b.threshold_bytes, b.stop_after_bytes`;

/** An organisation's SIMs with running cycles, with their bundles and recent usage. */
export const listRunning = async (
  sql: Sql,
  { simIds, orgId, now }: { simIds: readonly number[]; orgId: number; now: Date },
): Promise<RunningSim[]> =>
  (
    await sql.query<RunningSim>(
      `select s.id as sim_id, l.cycle_started_at, l.cycle_ends_at, l.used_bytes, l.pooled, o.activated_at, o.expires_at,
         ${bundleColumns},
         coalesce(f.bytes, 0) as former_bytes, coalesce(f.seconds, 0) as former_seconds
       from sims s join sim_live l on l.sim_id = s.id join bundles b on b.id = s.bundle_id
       cross join lateral (
         select activated_at, expires_at from bundle_orders
         where sim_id = s.id and bundle_id = s.bundle_id and status = 'in use' order by id limit 1) as o
       left join lateral (
         select sum(c.used_bytes)::int8 as bytes,
           sum(extract(epoch from c.cycle_ends_at - c.cycle_started_at))::int8 as seconds
         from usage_cycles c where c.sim_id = s.id and c.cycle_ends_at <= l.cycle_started_at
           and c.cycle_ends_at > $3::timestamptz - interval '35 days'
           and c.cycle_started_at > $3::timestamptz - interval '70 days') as f on true
       where s.id = any($1::bigint[]) and s.org_id = $2 and l.cycle_started_at <= $3 and l.cycle_ends_at > $3`,
      [simIds, orgId, now],
    )
  ).rows;

/** An order that begins when the one before it ends. */
export interface WaitingOrder extends OrderedBundle {
  sim_id: number;
  duration_days: number | null;
}

/** Orders that wait behind the one in use, in the order in which they begin. */
export const listWaiting = async (sql: Sql, simIds: readonly number[]): Promise<WaitingOrder[]> =>
  (
    await sql.query<WaitingOrder>(
      `select o.sim_id, b.duration_days, ${bundleColumns}
       from bundle_orders o join bundles b on b.id = o.bundle_id
       where o.sim_id = any($1::bigint[]) and o.status = 'pending' and b.type <> 'prepaid supplementary'
       order by o.sim_id, o.ordered_at, o.id`,
      [simIds],
    )
  ).rows;

/** Usage of an organisation on past whole business days, from the first one with any. */
export const listDailyUsage = async (
  sql: Sql,
  { orgId, now }: { orgId: number; now: Date },
): Promise<number[]> => {
  const { rows } = await sql.query<{ day: string; bytes: number }>(
    `select day_on::text as day, sum(up_bytes + down_bytes)::int8 as bytes from org_usage_daily
     where org_id = $1 and day_on >= $2 and day_on < $3 group by 1`,
    [orgId, firstDay(now), dashboardDays.dayOf(now)],
  );
  return withEmptyDays(now, new Map(rows.map(({ day, bytes }) => [day, bytes])));
};

/** Parts of messages of an organisation on past whole business days, likewise. */
export const listDailyParts = async (
  sql: Sql,
  { orgId, now }: { orgId: number; now: Date },
): Promise<Record<'sms-mt' | 'sms-mo', number[]>> => {
  const { rows } = await sql.query<{ day: string; mt: number; mo: number }>(
    `select to_char((at + make_interval(mins => $4)) at time zone 'UTC', 'YYYY-MM-DD') as day, ${mtParts} as mt,
       ${moParts} as mo
     from sms_messages where org_id = $1 and at >= $2 and at < $3 group by 1`,
    [
      ...[orgId, dashboardDays.startOf(firstDay(now)), dashboardDays.startOf(dashboardDays.dayOf(now))],
      dashboardDays.offsetMinutes,
    ],
  );
  return {
    'sms-mt': withEmptyDays(now, new Map(rows.map(({ day, mt }) => [day, mt]))),
    'sms-mo': withEmptyDays(now, new Map(rows.map(({ day, mo }) => [day, mo]))),
  };
};

const firstDay = (now: Date): string => addDays(dashboardDays.dayOf(now), -daysBehind);

/** Includes days without any count, after the first one with one. */
const withEmptyDays = (now: Date, amounts: ReadonlyMap<string, number>): number[] => {
  const days = daysFrom(firstDay(now), addDays(dashboardDays.dayOf(now), -1));
  const first = days.findIndex((day) => (amounts.get(day) ?? 0) > 0);
  return first === -1 ? [] : days.slice(first).map((day) => amounts.get(day) ?? 0);
};
