import type { ReportQuestion } from './source.ts';

const columns = 'u.sim_id, u.plmn, u.radio, u.up_bytes, u.down_bytes';
const hours = {
  own: 'from own_usage_hourly u',
  ofSims: 'join sim_usage_hourly u',
  day: "(hour_at at time zone 'UTC')::date",
};

/** The parts of a month: whole days, and by the hour what of it lies before and after them. */
const parts = [
  {
    own: 'from own_usage_daily u',
    ofSims: 'join sim_usage_daily u',
    day: 'day_on',
    within: `day_on >= ($4::timestamptz at time zone 'UTC')::date and day_on < ($5::timestamptz at time zone 'UTC')::date`,
  },
  { ...hours, within: 'hour_at >= $2 and hour_at < $4' },
  { ...hours, within: 'hour_at >= $5 and hour_at < $3' },
];

/** Of a SIM that has not changed hands since, all usage of the month is its organisation's; days of UTC may begin before the month. */
const settled = "$2::timestamptz - interval '1 day'";

/** SIMs that came or left since then. */
const movedLately = `select o.sim_id from sim_owners o where o.org_id = $1
  and (o.since >= ${settled} or (o.until >= ${settled} and o.until < 'infinity'))`;

/**
 * Usage of the month as `used` of a `with`, while SIMs were the organisation's: whole days, and by the hour what of the month
 * lies before and after them. An hour belongs to the month in which it begins. Whose it is, is asked of those SIMs alone that have
 * changed hands lately: with each row of a million SIMs it would cost more than all the rest.
 */
export const usedInMonth = `used as (
  ${parts
    .flatMap(({ own, ofSims, day, within }) => [
      `select ${columns}, ${day} as day_on from sims s ${ofSims} on u.sim_id = s.id
       where s.org_id = $1 and coalesce(s.owned_since, '-infinity') < ${settled} and ${within}`,
      `select ${columns}, ${day} ${own} where u.org_id = $1 and u.sim_id in (${movedLately}) and ${within}`,
    ])
    .join('\n  union all\n  ')})`;

export const usageValues = ({ orgId, from, until, firstDay, lastDay }: ReportQuestion): unknown[] => [
  orgId,
  from,
  until,
  firstDay,
  lastDay,
];

/**
 * The order of a SIM that was in use when the month ended, or when the SIM left. Whose it was follows from whose the SIM
 * was: an order that runs goes with its SIM, and was the former organisation's until then.
 */
export const bundleAtEnd = (simId: string): string => `left join lateral (
  select b.name, b.quota_bytes, b.reset_cycle
  from sim_owners w join bundle_orders o on o.sim_id = w.sim_id join bundles b on b.id = o.bundle_id
  where w.sim_id = ${simId} and w.org_id = $1 and w.since < $3 and w.until > $2 and b.type <> 'prepaid supplementary'
    and o.activated_at < least(w.until, $3) and coalesce(o.expires_at, 'infinity') > greatest(w.since, $2)
  order by o.activated_at desc, o.id desc limit 1) as bundle on true`;

/** Since when there is a SIM: the installation may have learned of it later. */
export const knownSince = (sim: string): string =>
  `least(${sim}.created_at, ${sim}.activated_at, ${sim}.shipment_on::timestamptz)`;
