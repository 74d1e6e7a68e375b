import type { ReportQuestion } from './source.ts';

/**
 * Usage of the month as `used` of a `with`, while SIMs were the organisation's: whole days, and by the hour what of the month
 * lies before and after them. An hour belongs to the month in which it begins.
 */
export const usedInMonth = `used as (
  select sim_id, plmn, radio, day_on, up_bytes, down_bytes from own_usage_daily
  where org_id = $1 and day_on >= ($4::timestamptz at time zone 'UTC')::date
    and day_on < ($5::timestamptz at time zone 'UTC')::date
  union all
  select sim_id, plmn, radio, (hour_at at time zone 'UTC')::date, up_bytes, down_bytes from own_usage_hourly
  where org_id = $1 and hour_at >= $2 and hour_at < $4
  union all
  select sim_id, plmn, radio, (hour_at at time zone 'UTC')::date, up_bytes, down_bytes from own_usage_hourly
  where org_id = $1 and hour_at >= $5 and hour_at < $3)`;

export const usageValues = ({ orgId, from, until, firstDay, lastDay }: ReportQuestion): unknown[] => [
  orgId,
  from,
  until,
  firstDay,
  lastDay,
];

/** The order of a SIM that was in use when the month ended, or when the SIM left. */
export const bundleAtEnd = (simId: string): string => `left join lateral (
  select b.name, b.quota_bytes, b.reset_cycle from bundle_orders o join bundles b on b.id = o.bundle_id
  where o.sim_id = ${simId} and coalesce(o.org_id, o.former_org_id) = $1 and b.type <> 'prepaid supplementary'
    and o.activated_at < $3 and coalesce(o.expires_at, 'infinity') > $2
  order by o.activated_at desc, o.id desc limit 1) as bundle on true`;

/** Since when there is a SIM: the installation may have learned of it later. */
export const knownSince = (sim: string): string =>
  `least(${sim}.created_at, ${sim}.activated_at, ${sim}.shipment_on::timestamptz)`;
