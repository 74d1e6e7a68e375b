import { int8Column, type Sql, timestampColumn } from '../../platform/db/index.ts';
import { ownerships } from '../sim/index.ts';

interface Span {
  simId: number;
  /** Null: from the beginning. */
  from: Date | null;
  to: Date;
}

interface CountryBytes {
  simId: number;
  country: string | null;
  bytes: number;
}

const hour = (instant: string): string => `date_trunc('hour', ${instant}, 'UTC')`;
const day = (instant: string): string => `(${instant} at time zone 'UTC')::date`;
/** Whether an hour of the span is summed as part of its day or on its own. */
const unit = (instant: string): string =>
  `case when ${instant} >= b.first_day and ${instant} < b.last_day then 'day' else 'hour' end`;

/**
 * All usage of a SIM, or only an organisation's: in the times that it owned the SIM, with its part of the hours and
 * days in which those begin and end.
 */
const kinds = {
  sim: {
    times: `select *, timestamptz '-infinity' as since, timestamptz 'infinity' as until from bounds`,
    handovers: '',
    ownRecords: '',
  },
  own: {
    times: `select b.*, o.number, o.since, o.until
      from bounds b join (${ownerships(String.raw, { sims: '$1', orgId: '$4' })}) as o on o.sim_id = b.sim_id`,
    handovers: `
      union all
      select b.sim_id, h.plmn, (h.up_bytes + h.down_bytes) * (case when h.number = b.number then 1 else -1 end)
      from times b join usage_handovers h on h.sim_id = b.sim_id and h.number in (b.number, b.number - 1)
        and h.starts_at >= b.first_hour and h.starts_at < b.last_hour and h.unit = ${unit('h.starts_at')}`,
    ownRecords: 'and u.org_id = $4',
  },
};

/**
 * Exact usage within spans of time by country: whole days and hours are summed from the rollups, the partial hours at
 * both ends from the CDRs. Rows are found by index for each SIM: planned as a join, the rollups of all SIMs would be
 * read. The open hour and handovers are read separately: for a view over all of them, a cluster reads all SIMs first.
 */
const statement = ({ times, handovers, ownRecords }: (typeof kinds)['own']) => `
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
    times as (${times}),
    used as (
      select b.sim_id, u.plmn, u.bytes from times b cross join lateral (
        select plmn, up_bytes + down_bytes as bytes from usage_daily u where u.sim_id = b.sim_id
          and u.day_on >= ${day('greatest(b.first_day, b.since)')} and u.day_on < ${day('least(b.last_day, b.until)')}
        order by u.sim_id) as u
      union all
      select b.sim_id, u.plmn, u.bytes from times b cross join lateral (
        select plmn, up_bytes + down_bytes as bytes from usage_hourly u where u.sim_id = b.sim_id
          and u.hour_at >= ${hour('greatest(b.first_hour, b.since)')} and u.hour_at < ${hour('least(b.last_hour, b.until)')}
          and (u.hour_at < b.first_day or u.hour_at >= b.last_day) order by u.sim_id) as u
      union all
      select b.sim_id, l.open_plmn, l.open_up_bytes + l.open_down_bytes from times b
      join sim_live l on l.sim_id = b.sim_id and l.open_hour_at >= b.first_hour and l.open_hour_at < b.last_hour
      cross join lateral (select ${unit('l.open_hour_at')} as unit) as k
      where date_trunc(k.unit, l.open_hour_at, 'UTC') >= date_trunc(k.unit, b.since, 'UTC')
        and date_trunc(k.unit, l.open_hour_at, 'UTC') < date_trunc(k.unit, b.until, 'UTC')
      ${handovers}
      union all
      select b.sim_id, u.plmn, u.bytes from bounds b cross join lateral (
        select plmn, up_bytes + down_bytes as bytes from cdrs u where u.sim_id = b.sim_id ${ownRecords}
          and u.ended_at >= b.starts_at and u.ended_at < b.ends_at
          and u.ended_at < least(b.first_hour, b.ends_at) order by u.sim_id) as u
      union all
      select b.sim_id, u.plmn, u.bytes from bounds b cross join lateral (
        select plmn, up_bytes + down_bytes as bytes from cdrs u where u.sim_id = b.sim_id ${ownRecords}
          and u.ended_at >= greatest(b.last_hour, b.starts_at) and u.ended_at < b.ends_at
          and b.first_hour <= b.last_hour order by u.sim_id) as u)
    select u.sim_id as "simId", n.country, sum(u.bytes)::int8 as bytes
    from used u left join networks n on n.plmn = u.plmn group by 1, 2 having sum(u.bytes) <> 0 order by 1, 2`;

const statements = { own: statement(kinds.own), sim: statement(kinds.sim) };

const valuesOf = (spans: readonly Span[]) => [
  int8Column(spans, ({ simId }) => simId),
  timestampColumn(spans, ({ from }) => from?.getTime() ?? null),
  timestampColumn(spans, ({ to }) => to.getTime()),
];

/**
 * Usage of SIMs within spans by country, null where the network is unknown; with `ownerId`, only the part that was
 * counted while that organisation owned the SIM.
 */
export const networkUsage = async (
  sql: Sql,
  spans: readonly Span[],
  ownerId?: number,
): Promise<CountryBytes[]> => {
  const values = valuesOf(spans);
  const { rows } = await sql.query<CountryBytes>(
    ownerId === undefined
      ? { text: statements.sim, values }
      : { text: statements.own, values: [...values, ownerId] },
  );
  return rows;
};

/** The same usage from the CDRs alone: a check of the rollups. */
export const recordedNetworkUsage: typeof networkUsage = async (sql, spans, ownerId) =>
  (
    await sql.query<CountryBytes>(
      `with used as (
         select s.sim_id, u.plmn, u.bytes
         from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[]) as s (sim_id, starts_at, ends_at)
         cross join lateral (
           select r.plmn, sum(r.up_bytes + r.down_bytes) as bytes from cdrs r
           where r.sim_id = s.sim_id and ($4::bigint is null or r.org_id = $4)
             and r.ended_at >= coalesce(s.starts_at, '-infinity') and r.ended_at < s.ends_at
           group by r.sim_id, r.plmn) as u)
       select u.sim_id as "simId", n.country, sum(u.bytes)::int8 as bytes
       from used u left join networks n on n.plmn = u.plmn group by 1, 2 having sum(u.bytes) <> 0 order by 1, 2`,
      [...valuesOf(spans), ownerId ?? null],
    )
  ).rows;
