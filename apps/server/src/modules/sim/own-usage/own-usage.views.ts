/** How a statement is written: Kysely's `sql`, or `String.raw` where values are `$1`, `$2` … */
type Tag<T> = (text: TemplateStringsArray, ...values: unknown[]) => T;

export interface OwnUsageQuestion {
  /** Their ids, as an array. */
  sims: unknown;
  /** What they used while they were this organisation's. */
  orgId: unknown;
  /** The first one, and that after the last one: instants of hours, dates of days. */
  from: unknown;
  until: unknown;
}

/*
 * Rows of `own_usage_daily` and `own_usage_hourly` of a few SIMs. Each part says itself whose and what it is about: a cluster reads
 * what is on the coordinator part by part, and would read all SIMs for what is only said of the whole.
 */

/** When they were the organisation's, former times and now. */
const ownerships = <T>(tag: Tag<T>, { sims, orgId }: Pick<OwnUsageQuestion, 'sims' | 'orgId'>): T => tag`
  select sim_id, number, since, until from sim_ownerships
  where sim_id = any(${sims}::bigint[]) and org_id = ${orgId}
  union all
  select id, ownership, coalesce(owned_since, '-infinity'), 'infinity' from sims
  where id = any(${sims}::bigint[]) and org_id = ${orgId}`;

/** By hour: `sim_id, hour_at, plmn, radio, up_bytes, down_bytes`. An hour may be in more than one row. */
export const ownHours = <T>(tag: Tag<T>, { sims, orgId, from, until }: OwnUsageQuestion): T => tag`
  with own as (${ownerships(tag, { sims, orgId })})
  select u.sim_id, u.hour_at, u.plmn, u.radio, u.up_bytes, u.down_bytes
  from own o join usage_hourly u on u.sim_id = o.sim_id
    and u.hour_at >= date_trunc('hour', o.since, 'UTC') and u.hour_at < date_trunc('hour', o.until, 'UTC')
  where u.sim_id = any(${sims}::bigint[]) and u.hour_at >= ${from}::timestamptz and u.hour_at < ${until}::timestamptz
  union all
  select l.sim_id, l.open_hour_at, l.open_plmn, l.open_radio, l.open_up_bytes, l.open_down_bytes
  from own o join sim_live l on l.sim_id = o.sim_id
    and l.open_hour_at >= date_trunc('hour', o.since, 'UTC') and l.open_hour_at < date_trunc('hour', o.until, 'UTC')
  where l.sim_id = any(${sims}::bigint[]) and l.open_hour_at >= ${from}::timestamptz and l.open_hour_at < ${until}::timestamptz
  union all
  select h.sim_id, h.starts_at, h.plmn, h.radio, h.up_bytes * (case when h.number = o.number then 1 else -1 end),
    h.down_bytes * (case when h.number = o.number then 1 else -1 end)
  from own o join usage_handovers h on h.sim_id = o.sim_id and h.number in (o.number, o.number - 1)
  where h.sim_id = any(${sims}::bigint[]) and h.unit = 'hour' and h.starts_at >= ${from}::timestamptz
    and h.starts_at < ${until}::timestamptz`;

/** By day (UTC): `sim_id, day_on, plmn, radio, up_bytes, down_bytes`. A day may be in more than one row. */
export const ownDays = <T>(tag: Tag<T>, { sims, orgId, from, until }: OwnUsageQuestion): T => tag`
  with own as (${ownerships(tag, { sims, orgId })})
  select u.sim_id, u.day_on, u.plmn, u.radio, u.up_bytes, u.down_bytes
  from own o join usage_daily u on u.sim_id = o.sim_id
    and u.day_on >= (o.since at time zone 'UTC')::date and u.day_on < (o.until at time zone 'UTC')::date
  where u.sim_id = any(${sims}::bigint[]) and u.day_on >= ${from}::date and u.day_on < ${until}::date
  union all
  select l.sim_id, (l.open_hour_at at time zone 'UTC')::date, l.open_plmn, l.open_radio, l.open_up_bytes, l.open_down_bytes
  from own o join sim_live l on l.sim_id = o.sim_id
    and (l.open_hour_at at time zone 'UTC')::date >= (o.since at time zone 'UTC')::date
    and (l.open_hour_at at time zone 'UTC')::date < (o.until at time zone 'UTC')::date
  where l.sim_id = any(${sims}::bigint[]) and (l.open_hour_at at time zone 'UTC')::date >= ${from}::date
    and (l.open_hour_at at time zone 'UTC')::date < ${until}::date
  union all
  select h.sim_id, (h.starts_at at time zone 'UTC')::date, h.plmn, h.radio,
    h.up_bytes * (case when h.number = o.number then 1 else -1 end),
    h.down_bytes * (case when h.number = o.number then 1 else -1 end)
  from own o join usage_handovers h on h.sim_id = o.sim_id and h.number in (o.number, o.number - 1)
  where h.sim_id = any(${sims}::bigint[]) and h.unit = 'day' and (h.starts_at at time zone 'UTC')::date >= ${from}::date
    and (h.starts_at at time zone 'UTC')::date < ${until}::date`;
