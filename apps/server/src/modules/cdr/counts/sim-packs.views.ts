import { sql } from 'kysely';
import { type Db, readBinary } from '../../../platform/db/index.ts';
import type { Sought } from '../cdr-filter.views.ts';
import { daysTogether, togetherAt } from './sim-counts.rules.ts';
import type { PackUnit } from './sim-lookups.views.ts';
import type { Sources } from './stored.views.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export interface PacksQuestion {
  sought: Sought;
  sources: Sources;
  provisional: Date;
}

export interface PackRow {
  unit: PackUnit;
  starts_at: Date;
  /** Null where times alone are read. */
  packed: Buffer | null;
  /** The most usage of a SIM that it leaves out. */
  rest_bytes: number;
}

/** What is read of a pack: when it is of, the SIMs with the most usage, or all. */
const packColumns = {
  times: sql`null::bytea as packed, 0 as rest_bytes`,
  heads: sql`case when written = xmin::text::bigint and head is not null then head else packed end as packed,
    case when written = xmin::text::bigint then rest_bytes else 0 end as rest_bytes`,
  whole: sql`packed, 0 as rest_bytes`,
};

/** What was computed by SIM of the days and hours of a question: of days together where all of them are in it. */
export const readPacks = async (
  db: Db,
  { sought, sources, provisional }: PacksQuestion,
  what: keyof typeof packColumns,
): Promise<PackRow[]> => {
  const together = wholeTogether(sources, sought, provisional);
  const kept = (unit: PackUnit, starts: readonly Date[]) => sql`
    select unit, starts_at, ${packColumns[what]} from cdr_sim_counts
    where org_id = ${sought.orgId} and unit = ${unit} and starts_at = any(${starts}::timestamptz[])`;
  const query = sql`
    with together as materialized (${kept('days', together)})
    select * from together union all ${kept('hour', sources.hours)}
    union all select * from (${kept('day', sources.days)}) as d where not exists (
      select from together t where d.starts_at >= t.starts_at
        and d.starts_at < t.starts_at + make_interval(days => ${daysTogether}))`;
  return readBinary(db, query, (row) => ({
    unit: row.text() as PackUnit,
    starts_at: row.time(),
    packed: row.bytes(),
    rest_bytes: row.integer() ?? 0,
  }));
};

/** The days that may be read together: those of which nothing is read by the hour or from records. */
const wholeTogether = ({ days, hours, records }: Sources, { from, to }: Sought, cut: Date): Date[] => {
  const apart = [
    ...hours.map((hour) => ({ from: hour, to: new Date(hour.getTime() + hourMs) })),
    ...records,
    { from: new Date(0), to: from },
    { from: to, to: new Date(8.64e15) },
  ];
  return [...new Set(days.map((day) => togetherAt(day.getTime())))]
    .map((start) => ({ from: new Date(start), to: new Date(start + daysTogether * dayMs) }))
    .filter(
      (one) =>
        !(one.from < cut && cut < one.to) &&
        apart.every((other) => other.to <= one.from || other.from >= one.to),
    )
    .map((one) => one.from);
};
