import type { Sql } from '../../../platform/db/index.ts';

export interface StaleHours {
  orgId: number;
  hours: Date[];
}

/** Only one computes an organisation's hours at a time: sessions are numbered one after the other. */
export const lockCounts = async (tx: Sql, orgId: number): Promise<void> => {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('cdr.counts ' || $1::bigint, 0))`, [orgId]);
};

/**
 * Hours of which intake has counted other records than they were computed from, the latest first, by organisation.
 * @param orgId of all organisations when null
 */
export const listStaleHours = async (
  sql: Sql,
  { orgId, from, to, most }: { orgId: number | null; from: Date; to: Date; most: number },
): Promise<StaleHours[]> => {
  const { rows } = await sql.query<{ org_id: number; hour_at: Date }>(
    `select u.org_id, u.hour_at from (
       select org_id, hour_at, sum(records) as records from org_usage_hourly
       where ($1::bigint is null or org_id = $1) and hour_at >= $2 and hour_at < $3 group by 1, 2) as u
     left join cdr_hours h on h.org_id = u.org_id and h.hour_at = u.hour_at
     where h.records is distinct from u.records order by u.hour_at desc limit $4`,
    [orgId, from, to, most],
  );
  const byOrg = new Map<number, Date[]>();
  for (const { org_id, hour_at } of rows) byOrg.set(org_id, [...(byOrg.get(org_id) ?? []), hour_at]);
  return [...byOrg].map(([id, hours]) => ({ orgId: id, hours }));
};

/** `offset 0` keeps the planner from reading all records of the organisation and joining the hours to them. */
const recordsOfHours = `unnest($2::timestamptz[]) as h (hour_at) cross join lateral (
  select * from cdrs
  where org_id = $1 and ended_at >= h.hour_at and ended_at < h.hour_at + interval '1 hour' offset 0) as c`;

/**
 * Computes hours of an organisation, and the days that they are of. Records that arrive meanwhile have no trait or number
 * yet and are left out: the hour then is stale and computed again.
 */
export const computeHours = async (tx: Sql, { orgId, hours }: StaleHours, now: Date): Promise<void> => {
  const values = [orgId, hours];
  await tx.query(
    `insert into cdr_traits (org_id, plmn, radio, source, apn)
     select distinct $1::bigint, c.plmn, c.radio, c.source, coalesce(c.apn, '') from ${recordsOfHours}
     on conflict do nothing`,
    values,
  );
  await tx.query(
    `insert into cdr_sessions (org_id, sim_id, session_key, number)
     select $1, sim_id, session_key, (select coalesce(max(number), -1) from cdr_sessions where org_id = $1)
       + row_number() over (order by sim_id, session_key)
     from (select distinct c.sim_id, c.session_key from ${recordsOfHours} where c.session_key is not null) as found
     where not exists (select from cdr_sessions s
       where s.org_id = $1 and s.sim_id = found.sim_id and s.session_key = found.session_key)`,
    values,
  );
  for (const table of ['cdr_sums', 'cdr_members']) {
    await tx.query(
      `delete from ${table} where org_id = $1 and unit = 'hour' and starts_at = any($2::timestamptz[])`,
      values,
    );
  }
  await tx.query(storeHours, [...values, now]);
  await computeDays(tx, orgId, hours);
};

const storeHours = `
  with records as materialized (
    select h.hour_at, t.id as trait_id, c.sim_id, s.number, c.up_bytes, c.down_bytes
    from ${recordsOfHours}
    join cdr_traits t on t.org_id = $1 and t.plmn = c.plmn and t.radio = c.radio and t.source = c.source
      and t.apn = coalesce(c.apn, '')
    left join cdr_sessions s on s.org_id = $1 and s.sim_id = c.sim_id and s.session_key = c.session_key
    where c.session_key is null or s.number is not null),
  sums as (
    insert into cdr_sums (org_id, unit, starts_at, trait_id, records, up_bytes, down_bytes)
    select $1, 'hour', hour_at, trait_id, count(*), sum(up_bytes), sum(down_bytes) from records group by 3, 4),
  members as (
    insert into cdr_members (org_id, unit, starts_at, trait_id, kind, chunk, members)
    select $1, 'hour', hour_at, trait_id, kind, n / 4096, bit_or(1::bit(4096) << (n % 4096)::integer)
    from (select distinct hour_at, trait_id, 'sim' as kind, sim_id as n from records
      union all select distinct hour_at, trait_id, 'session', number from records where number is not null) as found
    group by 3, 4, 5, 6)
  insert into cdr_hours (org_id, hour_at, records, computed_at)
  select $1, h.hour_at, count(r.hour_at), $3 from unnest($2::timestamptz[]) as h (hour_at)
  left join records r on r.hour_at = h.hour_at group by h.hour_at
  on conflict (org_id, hour_at) do update set records = excluded.records, computed_at = excluded.computed_at`;

const dayOfHour = `date_trunc('day', starts_at, 'UTC')`;

const computeDays = async (tx: Sql, orgId: number, hours: readonly Date[]): Promise<void> => {
  const days = [...new Set(hours.map((hour) => hour.toISOString().slice(0, 10)))];
  const values = [orgId, days.map((day) => `${day}T00:00:00Z`)];
  for (const table of ['cdr_sums', 'cdr_members']) {
    await tx.query(
      `delete from ${table} where org_id = $1 and unit = 'day' and starts_at = any($2::timestamptz[])`,
      values,
    );
  }
  const hoursOfDays = `unnest($2::timestamptz[]) as d (day_at) cross join lateral`;
  const within = `org_id = $1 and unit = 'hour' and starts_at >= d.day_at and starts_at < d.day_at + interval '1 day'`;
  await tx.query(
    `insert into cdr_sums (org_id, unit, starts_at, trait_id, records, up_bytes, down_bytes)
     select $1, 'day', ${dayOfHour}, trait_id, sum(records), sum(up_bytes), sum(down_bytes)
     from ${hoursOfDays} (select * from cdr_sums where ${within}) as h group by 3, 4`,
    values,
  );
  await tx.query(
    `insert into cdr_members (org_id, unit, starts_at, trait_id, kind, chunk, members)
     select $1, 'day', ${dayOfHour}, trait_id, kind, chunk, bit_or(members)
     from ${hoursOfDays} (select * from cdr_members where ${within}) as h group by 3, 4, 5, 6`,
    values,
  );
};

/** What is of records that are no longer kept. Sessions keep their numbers: one that goes on is not counted twice. */
export const dropCountsBefore = async (tx: Sql, before: Date): Promise<void> => {
  await tx.query('delete from cdr_hours where hour_at < $1', [before]);
  await tx.query('delete from cdr_sums where starts_at < $1', [before]);
  await tx.query('delete from cdr_members where starts_at < $1', [before]);
};
