import { unknownOf } from '@simcube/contract/cdr';
import type { Sql } from '../../../platform/db/index.ts';
import { countFirsts } from './firsts.queries.ts';
import { onLevels, type TraitCounts } from './levels.rules.ts';
import { unpackSet } from './number-sets.rules.ts';
import { computeSims } from './sim-counts.queries.ts';

export interface StaleHours {
  orgId: number;
  hours: Date[];
}

/** Only one computes an organisation's hours at a time: sessions are numbered one after the other. */
export const lockCounts = async (tx: Sql, orgId: number): Promise<void> => {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('cdr.counts ' || $1::bigint, 0))`, [orgId]);
};

/**
 * Hours of which intake has counted other records than they were computed from, by organisation: a day is computed after
 * those before it, which its counts are of, too.
 * @param orgId of all organisations when null
 */
export const listStaleHours = async (
  sql: Sql,
  { orgId, from, to, most }: { orgId: number | null; from: Date; to: Date; most: number },
): Promise<StaleHours[]> => {
  const { rows } = await sql.query<{ org_id: number; hour_at: Date }>(
    `select org_id, hour_at from cdr_hour_states
     where ($1::bigint is null or org_id = $1) and hour_at >= $2 and hour_at < $3 and not fresh
     order by hour_at limit $4`,
    [orgId, from, to, most],
  );
  const byOrg = new Map<number, Date[]>();
  for (const { org_id, hour_at } of rows) byOrg.set(org_id, [...(byOrg.get(org_id) ?? []), hour_at]);
  return [...byOrg].map(([id, hours]) => ({ orgId: id, hours }));
};

/**
 * The records (`c`) of hours. The order, which they are in anyway, keeps the planner from reading all records of the
 * organisation and joining the hours to them. Named first, a cluster fetches them before it joins what stays in one place.
 */
const recordsOfHours = `with c as (
  select h.hour_at, r.sim_id, r.session_key, r.plmn, r.radio, r.source, r.apn, r.up_bytes, r.down_bytes
  from unnest($2::timestamptz[]) as h (hour_at) cross join lateral (
    select * from cdrs
    where org_id = $1 and ended_at >= h.hour_at and ended_at < h.hour_at + interval '1 hour' order by org_id) as r)`;

/**
 * Computes hours of an organisation, and the days that they are of. Records that arrive meanwhile have no trait or number
 * yet and are left out: the hour then is stale and computed again.
 */
export const computeHours = async (tx: Sql, { orgId, hours }: StaleHours, now: Date): Promise<void> => {
  const values = [orgId, hours];
  await markMoved(tx, orgId);
  await tx.query(
    `${recordsOfHours}
     insert into cdr_traits (org_id, plmn, radio, source, apn, country)
     select found.*, coalesce(n.country, '${unknownOf.country}') from (
       select distinct $1::bigint, c.plmn, c.radio, c.source, coalesce(c.apn, '') from c) as found
     left join networks n on n.plmn = found.plmn
     on conflict do nothing`,
    values,
  );
  await tx.query(
    `${recordsOfHours}
     insert into cdr_sessions (org_id, sim_id, session_key, number)
     select $1, sim_id, session_key, (select coalesce(max(number), -1) from cdr_sessions where org_id = $1)
       + row_number() over (order by sim_id, session_key)
     from (select distinct c.sim_id, c.session_key from c where c.session_key is not null) as found
     where not exists (select from cdr_sessions s
       where s.org_id = $1 and s.sim_id = found.sim_id and s.session_key = found.session_key)`,
    values,
  );
  const { rows } = await tx.query<TraitCounts & { hour_at: Date }>(countsByTrait, values);
  const byHour = new Map<number, TraitCounts[]>(hours.map((hour) => [hour.getTime(), []]));
  for (const { hour_at, ...counts } of rows) byHour.get(hour_at.getTime())?.push(counts);
  await store(tx, { orgId, unit: 'hour', counts: byHour });
  await tx.query(
    `insert into cdr_hours (org_id, hour_at, records, computed_at)
     select $1, hour_at, records, $4 from unnest($2::timestamptz[], $3::bigint[]) as h (hour_at, records)
     on conflict (org_id, hour_at) do update
       set records = excluded.records, computed_at = excluded.computed_at, moved = false`,
    [orgId, hours, hours.map((hour) => recordsOf(byHour.get(hour.getTime()) ?? [])), now],
  );
  await computeDays(tx, orgId, hours);
  await computeSims(tx, { orgId, hours, records: recordsOfHours, now });
};

/**
 * Where networks are of other countries now, the hours that have records of theirs do not hold. They are marked, as others
 * than these are computed at a time; what was computed of them otherwise stays.
 */
const markMoved = async (tx: Sql, orgId: number): Promise<void> => {
  await tx.query(
    `update cdr_hours h set moved = true from cdr_moved_hours m
     where m.org_id = $1 and h.org_id = $1 and h.hour_at = m.hour_at`,
    [orgId],
  );
  await tx.query(
    `update cdr_traits t set country = coalesce(n.country, '${unknownOf.country}')
     from cdr_traits o left join networks n on n.plmn = o.plmn
     where o.id = t.id and t.org_id = $1 and t.country <> coalesce(n.country, '${unknownOf.country}')`,
    [orgId],
  );
};

const recordsOf = (counts: readonly TraitCounts[]): number =>
  counts.reduce((sum, { records }) => sum + records, 0);

const traits = `(select *, min(id) over (partition by apn) as apn_id
  from cdr_traits where org_id = $1) as t`;
const traitColumns = 't.id as trait_id, t.country, t.apn_id, t.plmn, t.radio, t.source';

const countsByTrait = `
  ${recordsOfHours}
  select c.hour_at, ${traitColumns}, count(*) as records, sum(c.up_bytes)::bigint as up_bytes,
    sum(c.down_bytes)::bigint as down_bytes, to_json(array_agg(distinct c.sim_id)) as sims,
    coalesce(to_json(array_agg(distinct s.number) filter (where s.number is not null)), '[]') as sessions
  from c join ${traits} on t.plmn = c.plmn and t.radio = c.radio and t.source = c.source and t.apn = coalesce(c.apn, '')
  left join cdr_sessions s on s.org_id = $1 and s.sim_id = c.sim_id and s.session_key = c.session_key
  where c.session_key is null or s.number is not null
  group by 1, 2, 3, 4, 5, 6, 7`;

interface Stored {
  orgId: number;
  unit: 'hour' | 'day';
  /** By the time at which the hour or the day begins. */
  counts: ReadonlyMap<number, readonly TraitCounts[]>;
}

const store = async (tx: Sql, { orgId, unit, counts }: Stored): Promise<void> => {
  const starts = [...counts.keys()].map((start) => new Date(start));
  await tx.query(
    'delete from cdr_counts where org_id = $1 and unit = $2 and starts_at = any($3::timestamptz[])',
    [orgId, unit, starts],
  );
  const rows = [...counts].flatMap(([start, of]) =>
    onLevels(of).map((row) => ({ ...row, start: new Date(start) })),
  );
  await tx.query(
    `insert into cdr_counts (org_id, unit, level, starts_at, part, records, up_bytes, down_bytes, sims, sessions,
       sim_set, session_set)
     select $1, $2, * from unnest($3::text[], $4::timestamptz[], $5::integer[], $6::bigint[], $7::bigint[], $8::bigint[],
       $9::bigint[], $10::bigint[], $11::bytea[], $12::bytea[])`,
    [
      orgId,
      unit,
      rows.map(({ level }) => level),
      rows.map(({ start }) => start),
      rows.map(({ part }) => part),
      rows.map(({ records }) => records),
      rows.map(({ up_bytes }) => up_bytes),
      rows.map(({ down_bytes }) => down_bytes),
      rows.map(({ sims }) => sims),
      rows.map(({ sessions }) => sessions),
      rows.map(({ sim_set }) => sim_set),
      rows.map(({ session_set }) => session_set),
    ],
  );
};

const dayMs = 86_400_000;

interface HourRow extends Omit<TraitCounts, 'sims' | 'sessions'> {
  sim_set: Buffer;
  session_set: Buffer;
}

const computeDays = async (tx: Sql, orgId: number, hours: readonly Date[]): Promise<void> => {
  const days = new Set(hours.map((hour) => hour.getTime() - (hour.getTime() % dayMs)));
  for (const day of days) {
    const { rows } = await tx.query<HourRow>(
      `select ${traitColumns}, h.records, h.up_bytes, h.down_bytes, h.sim_set, h.session_set
       from cdr_counts h join ${traits} on t.id = h.part
       where h.org_id = $1 and h.unit = 'hour' and h.level = 'trait' and h.starts_at >= $2 and h.starts_at < $3`,
      [orgId, new Date(day), new Date(day + dayMs)],
    );
    const counts = rows.map(({ sim_set, session_set, ...row }) => ({
      ...row,
      sims: unpackSet(sim_set),
      sessions: unpackSet(session_set),
    }));
    await store(tx, { orgId, unit: 'day', counts: new Map([[day, counts]]) });
  }
  await countFirsts(tx, orgId, [...days]);
};

/** What is of records that are no longer kept. Sessions keep their numbers: one that goes on is not counted twice. */
export const dropCountsBefore = async (tx: Sql, before: Date): Promise<void> => {
  await tx.query('delete from cdr_hours where hour_at < $1', [before]);
  await tx.query('delete from cdr_counts where starts_at < $1', [before]);
  await tx.query('delete from cdr_firsts where starts_at < $1', [before]);
  await tx.query('delete from cdr_sim_counts where starts_at < $1', [before]);
};
