import { unknownValues } from '@simcube/contract/cdr';
import { dayMs, hourMs } from '@simcube/contract/time';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { countFirsts } from './firsts.queries.ts';
import { countsOfHour } from './hour-counts.rules.ts';
import { readGroups } from './hour-groups.queries.ts';
import { type Counted, onLevels, type TraitCounts } from './levels.rules.ts';
import { unpackSet } from './number-sets.rules.ts';
import { computeSims } from './sim-counts.queries.ts';

/** A stale hour with its current number of records. */
export interface StaleHour {
  at: Date;
  records: number;
}

/** A business day of an organisation. */
export interface OrgDay {
  orgId: number;
  day: string;
}

interface Span {
  from: Date;
  to: Date;
}

/** Serialises the computation of an organisation's hours, because sessions are numbered consecutively. */
export const lockCounts = async (tx: Sql, orgId: number): Promise<void> => {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('cdr.counts ' || $1::bigint, 0))`, [orgId]);
};

/**
 * Days whose hours were computed from a different number of records than intake has counted, by organisation, in order
 * of time; at most `limit` after the given one. Rollups of days have few rows.
 */
export const listStaleDays = async (
  sql: Sql,
  { from, to, after, limit }: Span & { after: OrgDay | undefined; limit: number },
): Promise<OrgDay[]> => {
  const [first, last] = [dashboardDays.dayOf(from), dashboardDays.dayOf(to)];
  const { rows } = await sql.query<OrgDay>(
    `select d.org_id as "orgId", d.day_on as day
     from (select org_id, day_on, sum(records) as records from org_usage_daily
       where day_on between $1 and $2 and (org_id, day_on) > ($3, $4) group by 1, 2) d
     left join (
       select org_id, ((hour_at + make_interval(mins => $5)) at time zone 'UTC')::date as day_on, sum(records) as records
       from cdr_hours where org_id >= $3 and hour_at >= $6 and hour_at < $7 and not moved
         and (org_id, hour_at) not in (select org_id, hour_at from cdr_moved_hours)
       group by 1, 2) h on h.org_id = d.org_id and h.day_on = d.day_on
     where h.records is distinct from d.records order by d.org_id, d.day_on limit $8`,
    [
      first,
      last,
      after?.orgId ?? 0,
      after?.day ?? first,
      dashboardDays.offsetMinutes,
      dashboardDays.startOf(first),
      dashboardDays.endOf(last),
      limit,
    ],
  );
  return rows;
};

/** The hours of these days whose number of records differs from the one they were computed from, in order of time. */
export const listStaleHours = async (
  sql: Sql,
  { orgId, days, from, to }: Span & { orgId: number; days: readonly string[] },
): Promise<StaleHour[]> => {
  const hours = days
    .flatMap((day) =>
      Array.from({ length: 24 }, (_, hour) => dashboardDays.startOf(day).getTime() + hour * hourMs),
    )
    .filter((hour) => hour >= from.getTime() && hour < to.getTime());
  const { rows } = await sql.query<StaleHour>(
    `select hour_at as at, records from cdr_hour_states
     where org_id = $1 and hour_at = any($2::timestamptz[]) and not fresh order by hour_at`,
    [orgId, hours.map((hour) => new Date(hour))],
  );
  return rows;
};

export interface HoursToCompute {
  orgId: number;
  hours: readonly Date[];
  /** Hours that will be computed after these. */
  laterHours: readonly Date[];
  now: Date;
  /** Number of SIMs in a head: those with the most usage, which can be read without the others. */
  headSize: number;
}

/**
 * Computes hours of an organisation and the days they belong to, and stores the number of records that were read: if
 * more have arrived since, the hour is stale and is computed again.
 */
export const computeHours = async (
  tx: Sql,
  { orgId, hours, laterHours, now, headSize }: HoursToCompute,
): Promise<void> => {
  await markMoved(tx, orgId);
  const groups = await readGroups(tx, { orgId, hours });
  const counted = groups.map((hour) => ({ hourAt: hour.hourAt, ...countsOfHour(hour) }));
  const traits = await readTraits(tx, orgId);
  const byHour = new Map<number, TraitCounts[]>(hours.map((hour) => [hour.getTime(), []]));
  for (const { hourAt, byTrait } of counted) {
    byHour.set(
      hourAt.getTime(),
      [...byTrait].flatMap(([id, one]) => traitCounts(traits.get(id), one)),
    );
  }
  await store(tx, { orgId, unit: 'hour', counts: byHour });
  await tx.query(
    `insert into cdr_hours (org_id, hour_at, records, computed_at)
     select $1, hour_at, records, $4 from unnest($2::timestamptz[], $3::bigint[]) as h (hour_at, records)
     on conflict (org_id, hour_at) do update
       set records = excluded.records, computed_at = excluded.computed_at, moved = false`,
    [orgId, hours, hours.map((hour) => recordsOf(byHour.get(hour.getTime()) ?? [])), now],
  );
  await computeDays(tx, { orgId, byHour, traits });
  await computeSims(tx, { orgId, counted, hours, laterHours, now, headSize });
};

/**
 * If a network has moved to another country, the figures by country of hours with its records are wrong. Such hours
 * are marked, because other hours may be computed first; their other figures stay valid. One statement: countries may
 * change between two.
 */
const markMoved = async (tx: Sql, orgId: number): Promise<void> => {
  await tx.query(
    `with changed as (
       update cdr_traits t set country = coalesce(n.country, '${unknownValues.country}')
       from cdr_traits o left join networks n on n.plmn = o.plmn
       where o.id = t.id and t.org_id = $1 and t.country <> coalesce(n.country, '${unknownValues.country}')
       returning t.id)
     update cdr_hours h set moved = true from changed t cross join lateral (
       select starts_at from cdr_counts
       where org_id = $1 and unit = 'hour' and level = 'trait' and part = t.id offset 0) c
     where h.org_id = $1 and h.hour_at = c.starts_at`,
    [orgId],
  );
};

const recordsOf = (counts: readonly TraitCounts[]): number =>
  counts.reduce((sum, { records }) => sum + records, 0);

type Trait = Omit<TraitCounts, keyof Counted>;

const readTraits = async (tx: Sql, orgId: number): Promise<Map<number, Trait>> => {
  const { rows } = await tx.query<Trait>(
    `select id as trait_id, country, min(id) over (partition by apn) as apn_id, plmn, radio, source
     from cdr_traits where org_id = $1`,
    [orgId],
  );
  return new Map(rows.map((trait) => [trait.trait_id, trait]));
};

const traitCounts = (trait: Trait | undefined, counted: Counted): TraitCounts[] =>
  trait ? [{ ...trait, ...counted }] : [];

interface Stored {
  orgId: number;
  unit: 'hour' | 'day';
  /** By the start of the hour or day. */
  counts: ReadonlyMap<number, readonly TraitCounts[]>;
}

const store = async (tx: Sql, { orgId, unit, counts }: Stored): Promise<void> => {
  const starts = [...counts.keys()].map((start) => new Date(start));
  await tx.query(
    'delete from cdr_counts where org_id = $1 and unit = $2 and starts_at = any($3::timestamptz[])',
    [orgId, unit, starts],
  );
  // A query reads bits of many days, each with many members.
  const rows = [...counts].flatMap(([start, of]) =>
    onLevels(of, unit === 'day').map((row) => ({ ...row, start: new Date(start) })),
  );
  await tx.query(
    `insert into cdr_counts (org_id, unit, level, starts_at, part, records, up_bytes, down_bytes, sims, sessions,
       sim_set, session_set, sim_bits, session_bits)
     select $1, $2, * from unnest($3::text[], $4::timestamptz[], $5::integer[], $6::bigint[], $7::bigint[], $8::bigint[],
       $9::bigint[], $10::bigint[], $11::bytea[], $12::bytea[], $13::bytea[], $14::bytea[])`,
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
      rows.map(({ sim_bits }) => sim_bits),
      rows.map(({ session_bits }) => session_bits),
    ],
  );
};

interface Days {
  orgId: number;
  /** Hours that were just computed. */
  byHour: ReadonlyMap<number, readonly TraitCounts[]>;
  traits: ReadonlyMap<number, Trait>;
}

interface HourRow extends Pick<Counted, 'records' | 'up_bytes' | 'down_bytes'> {
  day: Date;
  trait_id: number;
  sim_set: Buffer;
  session_set: Buffer;
}

/** Computes the days of these hours, including their other hours. */
const computeDays = async (tx: Sql, { orgId, byHour, traits }: Days): Promise<void> => {
  const counts = new Map<number, TraitCounts[]>();
  for (const [hour, ofHour] of byHour) {
    const day = hour - (hour % dayMs);
    counts.set(day, [...(counts.get(day) ?? []), ...ofHour]);
  }
  const { rows } = await tx.query<HourRow>(
    `select d.day, h.part as trait_id, h.records, h.up_bytes, h.down_bytes, h.sim_set, h.session_set
     from unnest($2::timestamptz[]) as d (day) cross join lateral (
       select * from cdr_counts
       where org_id = $1 and unit = 'hour' and level = 'trait' and starts_at >= d.day
         and starts_at < d.day + interval '1 day' and starts_at <> all($3::timestamptz[]) order by org_id) as h`,
    [orgId, [...counts.keys()].map((day) => new Date(day)), [...byHour.keys()].map((hour) => new Date(hour))],
  );
  for (const { day, trait_id, sim_set, session_set, ...amounts } of rows) {
    const counted = { ...amounts, sims: unpackSet(sim_set), sessions: unpackSet(session_set) };
    counts.get(day.getTime())?.push(...traitCounts(traits.get(trait_id), counted));
  }
  await store(tx, { orgId, unit: 'day', counts });
  await countFirsts(tx, orgId, [...counts.keys()]);
};

/**
 * Deletes figures of records that are no longer retained. Sessions keep their numbers, so that a continuing session
 * is not counted twice.
 */
export const dropCountsBefore = async (tx: Sql, before: Date): Promise<void> => {
  await tx.query('delete from cdr_hours where hour_at < $1', [before]);
  await tx.query('delete from cdr_counts where starts_at < $1', [before]);
  await tx.query('delete from cdr_firsts where starts_at < $1', [before]);
  await tx.query('delete from cdr_sim_counts where starts_at < $1', [before]);
  await tx.query('delete from cdr_sim_heads where starts_at < $1', [before]);
};
