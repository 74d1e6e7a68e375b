/** The template tag: Kysely's `sql`, or `String.raw` if values are `$1`, `$2` … */
type Tag<T> = (text: TemplateStringsArray, ...values: unknown[]) => T;

interface Span {
  /** The first one, and the one after the last: instants for hours, dates for days. */
  from: unknown;
  until: unknown;
}

interface OwnSims {
  /** An array of their ids. */
  sims: unknown;
  /** The organisation. */
  orgId: unknown;
}

export type OwnUsageQuery = OwnSims & Span;

/*
 * Rows of `own_usage_daily` and `own_usage_hourly` for some SIMs. Each part of a union repeats the conditions
 * on SIMs and organisation: a cluster reads what is on the coordinator part by part, and would read all SIMs if
 * only the whole had a condition.
 */

/** The periods in which they belonged to the organisation, past and current: `sim_id, number, since, until`. */
export const ownerships = <T>(tag: Tag<T>, { sims, orgId }: OwnSims): T => tag`
  select sim_id, number, since, until from sim_ownerships
  where sim_id = any(${sims}::bigint[]) and org_id = ${orgId}
  union all
  select id, ownership, coalesce(owned_since, '-infinity'), 'infinity' from sims
  where id = any(${sims}::bigint[]) and org_id = ${orgId}`;

/** Whether a SIM (s) belonged to an organisation at an instant. */
export const ownedAt = ({ orgId, at }: { orgId: string; at: string }): string => `(
  case when s.ownership = 0 or s.owned_since <= ${at} then s.org_id = ${orgId}
  else exists (select from sim_ownerships p where p.sim_id = s.id and p.org_id = ${orgId} and p.since <= ${at} and p.until > ${at}) end)`;

/** The periods in which any SIM belonged to the organisation, that began or ended at an instant or later. */
export const ownershipsSince = <T>(tag: Tag<T>, { orgId, at }: { orgId: unknown; at: unknown }): T => tag`
  select sim_id, number, since, until from sim_ownerships where org_id = ${orgId} and until >= ${at}
  union all
  select id, ownership, owned_since, 'infinity' from sims where org_id = ${orgId} and owned_since >= ${at}`;

/**
 * Usage by hour while SIMs belonged to an organisation: `sim_id, hour_at, plmn, radio, up_bytes, down_bytes`.
 * An hour may be in several rows. The periods are rows of the common table expression `owned`; `condition` repeats
 * the condition on `u.sim_id`, if the SIMs are known.
 */
export const ownedHours = <T>(tag: Tag<T>, { from, until }: Span, condition: T = tag`true`): T => tag`
  select u.sim_id, u.hour_at, u.plmn, u.radio, u.up_bytes, u.down_bytes
  from owned o join usage_hourly u on u.sim_id = o.sim_id
    and u.hour_at >= date_trunc('hour', o.since, 'UTC') and u.hour_at < date_trunc('hour', o.until, 'UTC')
  where ${condition} and u.hour_at >= ${from}::timestamptz and u.hour_at < ${until}::timestamptz
  union all
  select u.sim_id, u.open_hour_at, u.open_plmn, u.open_radio, u.open_up_bytes, u.open_down_bytes
  from owned o join sim_live u on u.sim_id = o.sim_id
    and u.open_hour_at >= date_trunc('hour', o.since, 'UTC') and u.open_hour_at < date_trunc('hour', o.until, 'UTC')
  where ${condition} and u.open_hour_at >= ${from}::timestamptz and u.open_hour_at < ${until}::timestamptz
  union all
  select u.sim_id, u.starts_at, u.plmn, u.radio, u.up_bytes * (case when u.number = o.number then 1 else -1 end),
    u.down_bytes * (case when u.number = o.number then 1 else -1 end)
  from owned o join usage_handovers u on u.sim_id = o.sim_id and u.number in (o.number, o.number - 1)
  where ${condition} and u.unit = 'hour' and u.starts_at >= ${from}::timestamptz and u.starts_at < ${until}::timestamptz`;

/** The same by day (UTC): `sim_id, day_on, plmn, radio, up_bytes, down_bytes`. A day may be in several rows. */
export const ownedDays = <T>(tag: Tag<T>, { from, until }: Span, condition: T = tag`true`): T => tag`
  select u.sim_id, u.day_on, u.plmn, u.radio, u.up_bytes, u.down_bytes
  from owned o join usage_daily u on u.sim_id = o.sim_id
    and u.day_on >= (o.since at time zone 'UTC')::date and u.day_on < (o.until at time zone 'UTC')::date
  where ${condition} and u.day_on >= ${from}::date and u.day_on < ${until}::date
  union all
  select u.sim_id, (u.open_hour_at at time zone 'UTC')::date, u.open_plmn, u.open_radio, u.open_up_bytes, u.open_down_bytes
  from owned o join sim_live u on u.sim_id = o.sim_id
    and (u.open_hour_at at time zone 'UTC')::date >= (o.since at time zone 'UTC')::date
    and (u.open_hour_at at time zone 'UTC')::date < (o.until at time zone 'UTC')::date
  where ${condition} and (u.open_hour_at at time zone 'UTC')::date >= ${from}::date
    and (u.open_hour_at at time zone 'UTC')::date < ${until}::date
  union all
  select u.sim_id, (u.starts_at at time zone 'UTC')::date, u.plmn, u.radio,
    u.up_bytes * (case when u.number = o.number then 1 else -1 end),
    u.down_bytes * (case when u.number = o.number then 1 else -1 end)
  from owned o join usage_handovers u on u.sim_id = o.sim_id and u.number in (o.number, o.number - 1)
  where ${condition} and u.unit = 'day' and (u.starts_at at time zone 'UTC')::date >= ${from}::date
    and (u.starts_at at time zone 'UTC')::date < ${until}::date`;

const ofSims = <T>(tag: Tag<T>, { sims }: OwnSims): T => tag`u.sim_id = any(${sims}::bigint[])`;

/** `ownedHours` of given SIMs. */
export const ownHours = <T>(tag: Tag<T>, query: OwnUsageQuery): T => tag`
  with owned as (${ownerships(tag, query)}) ${ownedHours(tag, query, ofSims(tag, query))}`;

/** `ownedDays` of given SIMs. */
export const ownDays = <T>(tag: Tag<T>, query: OwnUsageQuery): T => tag`
  with owned as (${ownerships(tag, query)}) ${ownedDays(tag, query, ofSims(tag, query))}`;
