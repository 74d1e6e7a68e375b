import { ownedDays, ownedHours, ownershipsSince } from '../../sim/index.ts';
import type { ReportQuery } from './source.ts';

const columns = 'u.sim_id, u.plmn, u.radio, u.up_bytes, u.down_bytes';
const hours = {
  ofSims: 'join usage_hourly u',
  day: "(u.hour_at at time zone 'UTC')::date",
  owned: ownedHours,
};
const utcDay = (instant: string): string => `(${instant}::timestamptz at time zone 'UTC')::date`;

/** The parts of a month: whole days, and hours before and after them. */
const parts = [
  {
    ofSims: 'join usage_daily u',
    day: 'u.day_on',
    owned: ownedDays,
    time: 'u.day_on',
    from: utcDay('$4'),
    until: utcDay('$5'),
  },
  { ...hours, time: 'u.hour_at', from: '$2', until: '$4' },
  { ...hours, time: 'u.hour_at', from: '$5', until: '$3' },
];

/**
 * If a SIM was not transferred since this time, all its usage in the month belongs to its organisation; days
 * (UTC) may begin before the month.
 */
const settledAt = "$2::timestamptz - interval '1 day'";
const settled = `s.org_id = $1 and coalesce(s.owned_since, '-infinity') < ${settledAt}`;

/**
 * Usage of the month as `used` in a `with`, while SIMs belonged to the organisation: whole days, and hours of
 * the month before and after them. An hour belongs to the month in which it begins. The organisation of usage
 * is looked up only for SIMs that were transferred recently: for each row of a million SIMs that would cost
 * more than all the rest.
 */
export const usedInMonth = `owned as (${ownershipsSince(String.raw, { orgId: '$1', at: settledAt })}),
  used as (
  ${[
    ...parts.flatMap(({ ofSims, day, owned, time, from, until }) => [
      `select ${columns}, ${day} as day_on from sims s ${ofSims} on u.sim_id = s.id
       where ${settled} and ${time} >= ${from} and ${time} < ${until}`,
      `select ${columns}, ${day} from (${owned(String.raw, { from, until })}) as u`,
    ]),
    `select l.sim_id, l.open_plmn, l.open_radio, l.open_up_bytes, l.open_down_bytes, ${utcDay('l.open_hour_at')}
     from sims s join sim_live l on l.sim_id = s.id
     where ${settled} and l.org_id = $1 and l.open_hour_at >= $2 and l.open_hour_at < $3`,
  ].join('\n  union all\n  ')})`;

export const usageValues = ({ orgId, from, until, firstDay, lastDay }: ReportQuery): unknown[] => [
  orgId,
  from,
  until,
  firstDay,
  lastDay,
];

/**
 * The SIM's last order in use in the month, while the organisation had the SIM. An order in use moves with its SIM, so
 * it belonged to the organisation that had the SIM.
 */
export const lastBundle = (simId: string): string => bundleInUse(simId, 'greatest(w.since, $2)');

/** The SIM's order in use when the month ended, for organisations that then had the SIM. */
export const bundleAtEnd = (simId: string): string => bundleInUse(simId, '$3');

const bundleInUse = (simId: string, after: string): string => `left join lateral (
  select b.name
  from sim_owners w join bundle_orders o on o.sim_id = w.sim_id join bundles b on b.id = o.bundle_id
  where w.sim_id = ${simId} and w.org_id = $1 and w.since < $3 and w.until > $2 and b.type <> 'prepaid supplementary'
    and o.activated_at < least(w.until, $3) and coalesce(o.expires_at, 'infinity') > ${after}
  order by o.activated_at desc, o.id desc limit 1) as bundle on true`;

/** Since when a SIM exists; the installation may have added it later. */
export const existsSince = (sim: string): string =>
  `least(${sim}.created_at, ${sim}.activated_at, ${sim}.shipment_on::timestamptz)`;
