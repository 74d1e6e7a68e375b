import { dayMs, hourMs } from '@simcube/contract/time';
import { sql } from 'kysely';
import { type Db, readBinary } from '../../../platform/db/index.ts';
import type { Fragment, RecordSelection } from '../cdr-filter.views.ts';
import { daysPerGroup, groupStart, headDays } from './sim-counts.rules.ts';
import type { PackUnit } from './sim-lookups.views.ts';
import type { Sources } from './stored.views.ts';

export interface PacksQuery {
  selection: RecordSelection;
  sources: Sources;
  provisional: Date;
}

export interface PackRow {
  /** Null for heads of several days, whose other SIMs are only in the packs of single days. */
  unit: PackUnit | null;
  starts_at: Date;
  ends_at: Date;
  /** Null if only the time is read: for a pack whose head is included in a combined one. */
  packed: Buffer | null;
  /** The highest usage of a SIM that it omits, at least 1; 0 if it has all. */
  rest_bytes: number;
}

/**
 * What to read of a pack: only its time, its head, or all SIMs. Earlier versions stored a rest of 0 if all other SIMs
 * had no bytes.
 */
const packColumns = {
  times: sql`null::bytea as packed, 0 as rest_bytes`,
  heads: sql`case when written = xmin::text::bigint and head is not null then head else packed end as packed,
    case when written = xmin::text::bigint and head is not null then greatest(rest_bytes, 1) else 0 end as rest_bytes`,
  whole: sql`packed, 0 as rest_bytes`,
};

/**
 * The packs for the days and hours of a query; groups of eight days if they lie entirely within it. For heads, the
 * largest combined ones within it.
 */
export const readPacks = async (
  db: Db,
  query: PacksQuery,
  what: keyof typeof packColumns,
): Promise<PackRow[]> => {
  const packs = packsOf(query, packColumns[what]);
  const rows = what === 'heads' ? withHeads(query, packs) : packs;
  return readBinary(db, rows, (row) => ({
    unit: row.text() as PackUnit | null,
    starts_at: row.time(),
    ends_at: row.time(),
    packed: row.bytes(),
    rest_bytes: row.integer() ?? 0,
  }));
};

const packsOf = ({ selection, sources, provisional }: PacksQuery, columns: Fragment): Fragment => {
  const groups = wholeDays({ sources, selection, provisional }, daysPerGroup);
  const selectPacks = (unit: PackUnit, starts: readonly Date[], length: string) => sql`
    select unit, starts_at, starts_at + ${length}::interval as ends_at, ${columns} from cdr_sim_counts
    where org_id = ${selection.orgId} and unit = ${unit} and starts_at = any(${starts}::timestamptz[])`;
  return sql`
    select * from (
      with together as materialized (${selectPacks('days', groups, `${daysPerGroup} days`)})
      select * from together union all ${selectPacks('hour', sources.hours, '1 hour')}
      union all select * from (${selectPacks('day', sources.days, '1 day')}) as d where not exists (
        select from together t where d.starts_at >= t.starts_at and d.starts_at < t.ends_at)) as packs`;
};

/**
 * A combined head is used only if the packs of its days are still the ones it was made of, that is, written by the
 * same transactions.
 */
const withHeads = (query: PacksQuery, packs: Fragment): Fragment => {
  const { orgId } = query.selection;
  const heads = headDays.flatMap((days) => wholeDays(query, days).map((start) => ({ days, start })));
  return sql`
    with packs as materialized (${packs}),
    heads as materialized (
      select h.starts_at, h.starts_at + make_interval(days => v.days) as ends_at, h.head, h.rest_bytes
      from unnest(${heads.map(({ days }) => days)}::integer[], ${heads.map(({ start }) => start)}::timestamptz[]) as v (days, starts_at)
      join cdr_sim_heads h on h.org_id = ${orgId} and h.days = v.days and h.starts_at = v.starts_at
      where h.made_of = array(
        select c.xmin::text::bigint from cdr_sim_counts c
        where c.org_id = ${orgId} and c.unit = 'day' and c.starts_at >= h.starts_at
          and c.starts_at < h.starts_at + make_interval(days => v.days) order by c.starts_at)),
    -- Each span of days is within another one or apart from it: the longest are read.
    longest as materialized (
      select * from heads h where not exists (
        select from (select starts_at, ends_at from heads union all select starts_at, ends_at from packs) as o
        where o.starts_at <= h.starts_at and o.ends_at >= h.ends_at and o.ends_at - o.starts_at > h.ends_at - h.starts_at))
    select null::text as unit, starts_at, ends_at, head as packed, rest_bytes from longest
    union all
    select p.unit, p.starts_at, p.ends_at, case when h.head is null then p.packed end, p.rest_bytes
    from packs p left join longest h on h.starts_at <= p.starts_at and h.ends_at >= p.ends_at`;
};

/** Starts of groups of `count` days in which nothing is read by hour or from records. */
const wholeDays = (
  { sources: { days, hours, records }, selection: { from, to }, provisional: cut }: PacksQuery,
  count: number,
): Date[] => {
  const otherRanges = [
    ...hours.map((hour) => ({ from: hour, to: new Date(hour.getTime() + hourMs) })),
    ...records,
    { from: new Date(0), to: from },
    { from: to, to: new Date(8.64e15) },
  ];
  return [...new Set(days.map((day) => groupStart(day.getTime(), count)))]
    .map((start) => ({ from: new Date(start), to: new Date(start + count * dayMs) }))
    .filter(
      (one) =>
        !(one.from < cut && cut < one.to) &&
        otherRanges.every((other) => other.to <= one.from || other.from >= one.to),
    )
    .map((one) => one.from);
};
