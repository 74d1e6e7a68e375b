import { int8Column, type Sql, timestampColumn } from '../../platform/db/index.ts';

interface Span {
  simId: number;
  /** Null from the beginning. */
  from: Date | null;
  to: Date;
}

interface CountryBytes {
  simId: number;
  country: string | null;
  bytes: number;
}

const openHours = `
      union all
      select b.sim_id, l.open_plmn, l.open_up_bytes + l.open_down_bytes from bounds b
      join sim_live l on l.sim_id = b.sim_id and l.open_hour_at >= b.first_hour and l.open_hour_at < b.last_hour`;

/**
 * Usage within spans of time by country, to the record: whole days and whole hours are summed from the rollups, the parts
 * of hours at both ends from the CDRs. Each SIM's are found by index: planned as a join, all SIMs' rollups are read for some. The
 * hour that is still open is asked by itself: of a view over both, a cluster reads all SIMs' rollups first.
 */
const statement = (prefix: 'own' | 'sim') => {
  const { own, daily, hourly, open } = {
    own: { own: 'and u.org_id = $4', daily: 'own_usage_daily', hourly: 'own_usage_hourly', open: '' },
    sim: { own: '', daily: 'usage_daily', hourly: 'usage_hourly', open: openHours },
  }[prefix];
  return `
    with spans as (
      select sim_id, coalesce(starts_at, '-infinity') as starts_at, ends_at,
        coalesce(date_trunc('hour', starts_at + interval '1 hour' - interval '1 microsecond', 'UTC'), '-infinity') as first_hour,
        date_trunc('hour', ends_at, 'UTC') as last_hour
      from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[]) as s (sim_id, starts_at, ends_at)),
    bounds as (
      select *, case when isfinite(first_hour)
          then date_trunc('day', first_hour + interval '1 day' - interval '1 microsecond', 'UTC') else first_hour end as first_day,
        date_trunc('day', last_hour, 'UTC') as last_day
      from spans),
    used as (
      select b.sim_id, u.plmn, u.bytes from bounds b cross join lateral (
        select plmn, up_bytes + down_bytes as bytes from ${daily} u where u.sim_id = b.sim_id ${own}
          and u.day_on >= (b.first_day at time zone 'UTC')::date and u.day_on < (b.last_day at time zone 'UTC')::date
        order by u.sim_id) as u
      union all
      select b.sim_id, u.plmn, u.bytes from bounds b cross join lateral (
        select plmn, up_bytes + down_bytes as bytes from ${hourly} u where u.sim_id = b.sim_id ${own}
          and u.hour_at >= b.first_hour and u.hour_at < b.last_hour
          and (u.hour_at < b.first_day or u.hour_at >= b.last_day) order by u.sim_id) as u
      ${open}
      union all
      select b.sim_id, u.plmn, u.bytes from bounds b cross join lateral (
        select plmn, up_bytes + down_bytes as bytes from cdrs u where u.sim_id = b.sim_id ${own}
          and u.ended_at >= b.starts_at and u.ended_at < b.ends_at
          and u.ended_at < least(b.first_hour, b.ends_at) order by u.sim_id) as u
      union all
      select b.sim_id, u.plmn, u.bytes from bounds b cross join lateral (
        select plmn, up_bytes + down_bytes as bytes from cdrs u where u.sim_id = b.sim_id ${own}
          and u.ended_at >= greatest(b.last_hour, b.starts_at) and u.ended_at < b.ends_at
          and b.first_hour <= b.last_hour order by u.sim_id) as u)
    select u.sim_id as "simId", n.country, sum(u.bytes)::int8 as bytes
    from used u left join networks n on n.plmn = u.plmn group by 1, 2 having sum(u.bytes) <> 0 order by 1, 2`;
};

const statements = { own: statement('own'), sim: statement('sim') };

/**
 * Usage of SIMs within spans by country, null where no network is known; with `ownOf` the part that was counted while the
 * SIM was that organisation's.
 */
export const networkUsage = async (
  sql: Sql,
  spans: readonly Span[],
  ownOf?: number,
): Promise<CountryBytes[]> => {
  const values = [
    int8Column(spans, ({ simId }) => simId),
    timestampColumn(spans, ({ from }) => from?.getTime() ?? null),
    timestampColumn(spans, ({ to }) => to.getTime()),
  ];
  const { rows } = await sql.query<CountryBytes>(
    ownOf === undefined
      ? { text: statements.sim, values }
      : { text: statements.own, values: [...values, ownOf] },
  );
  return rows;
};
