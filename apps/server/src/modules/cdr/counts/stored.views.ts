import { dayMs, hourMs } from '@simcube/contract/time';
import { type SqlBool, sql } from 'kysely';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Db } from '../../../platform/db/index.ts';
import { and, type Fragment, type RecordSelection, recordConditions } from '../cdr-filter.views.ts';
import { countryPart, type Level } from './levels.rules.ts';

/** Sums of up to this number of records are read from the records. */
export const fewRecords = 20_000;

export interface Range {
  from: Date;
  to: Date;
}

/** Sources for the figures of a span: stored counts of whole days and hours, and records for the rest. */
export interface Sources {
  days: Date[];
  hours: Date[];
  records: Range[];
  /** Hours that were computed from other records than they have now. */
  stale: Date[];
  /** Whether any hour was computed while one of its networks belonged to another country. */
  isMoved: boolean;
  /** Number of records in these ranges and in the rest of the hours at their ends, ignoring the filter. */
  remaining: number;
  /** Number of all records in the hours of the query, ignoring the filter. */
  all: number;
}

/** An hour of an organisation, with its number of records and whether it was computed from them. */
export interface Hour {
  hour_at: Date;
  records: number;
  fresh: boolean;
  /** Whether it was computed while one of its networks belonged to another country. */
  moved: boolean;
}

/** The hours that a query touches; empty if stored counts can't answer it. */
export const readHours = async (db: Db, selection: RecordSelection): Promise<Hour[]> => {
  const { orgId } = selection;
  if (!isComputable(selection)) return [];
  const { fresh, uncertain } = await readDays(db, selection);
  const hours = uncertain.flatMap((day) =>
    Array.from({ length: 24 }, (_, hour) => new Date(dashboardDays.startOf(day).getTime() + hour * hourMs)),
  );
  const { rows } = await sql<Hour>`
    select hour_at, records, fresh, moved from cdr_hour_states
    where org_id = ${orgId} and hour_at = any(${hours}::timestamptz[])`.execute(db);
  return hoursOf([...fresh, ...rows], selection);
};

/** The hours that a span touches. */
export const hoursOf = (hours: readonly Hour[], { from, to }: Range): Hour[] =>
  hours.filter(({ hour_at }) => hour_at >= startOf(from) && hour_at < to);

interface DayRow {
  day: string;
  /**
   * Starts of its hours, in seconds since 1970, and their numbers of records; null if some of the day's records are
   * not computed.
   */
  hours: number[] | null;
  records: number[] | null;
}

/**
 * Days of the organisation's rollups, which have few rows: completely computed days with their hours, and the others,
 * whose hours must be checked individually.
 */
const readDays = async (
  db: Db,
  { orgId, from, to }: RecordSelection,
): Promise<{ fresh: Hour[]; uncertain: string[] }> => {
  const first = dashboardDays.dayOf(from);
  const last = dashboardDays.dayOf(new Date(to.getTime() - 1));
  const { rows } = await sql<DayRow>`
    with h as (
      select day_on, sum(records) as of_day, json_agg(extract(epoch from hour_at)::bigint) as hours, json_agg(records) as records
      from (
        select hour_at, records, ((hour_at + make_interval(mins => ${dashboardDays.offsetMinutes})) at time zone 'UTC')::date as day_on
        from cdr_hours where org_id = ${orgId} and hour_at >= ${dashboardDays.startOf(first)}
          and hour_at < ${dashboardDays.endOf(last)} and not moved
          and hour_at not in (select hour_at from cdr_moved_hours where org_id = ${orgId})) as computed
      group by 1)
    select d.day_on::text as day, h.hours, h.records from (
      select day_on, sum(records) as of_day from org_usage_daily
      where org_id = ${orgId} and day_on between ${first}::date and ${last}::date group by 1) as d
    left join h on h.day_on = d.day_on and h.of_day = d.of_day`.execute(db);
  return {
    fresh: rows.flatMap(({ hours, records }) =>
      (hours ?? []).map((second, index) => ({
        hour_at: new Date(second * 1000),
        records: records?.[index] ?? 0,
        fresh: true,
        moved: false,
      })),
    ),
    uncertain: rows.flatMap(({ day, hours }) => (hours === null ? [day] : [])),
  };
};

const isComputable = (selection: RecordSelection): boolean =>
  (!selection.simIds || isOfManySims(selection)) &&
  selection.sessionKey === undefined &&
  selection.to > selection.from;

/** Whether there are enough SIMs to look them up in packs, which support no other filter. */
export const isOfManySims = ({ simIds, fewSims, plmns, radios, apns, sources }: RecordSelection): boolean =>
  simIds !== undefined && simIds.length > fewSims && (plmns ?? radios ?? apns ?? sources) === undefined;

const startOf = (at: Date): Date => new Date(Math.floor(at.getTime() / hourMs) * hourMs);

/**
 * Where to find the figures of a query. Stale hours are read from their records, and so are SIMs, sessions and few
 * records: figures are always exact.
 * @param hours the hours that the query touches
 * @param by `hour` if daily figures are too coarse
 * @param cut the hour at which figures are divided
 */
export const sourcesOf = (
  selection: RecordSelection,
  { hours, by, cut, few }: { hours: readonly Hour[]; by: 'day' | 'hour'; cut: Date; few: number },
): Sources => {
  const { from, to } = selection;
  const all = hours.reduce((sum, { records }) => sum + records, 0);
  if (!isComputable(selection) || all <= few) {
    return { days: [], hours: [], records: [{ from, to }], stale: [], isMoved: false, remaining: all, all };
  }
  const first = new Date(Math.ceil(from.getTime() / hourMs) * hourMs);
  const last = startOf(to);
  const within = hours.filter(({ hour_at }) => hour_at >= first && hour_at < last);
  const remaining = hours.filter(({ hour_at, fresh }) => !fresh || hour_at < first || hour_at >= last);
  return {
    ...splitHours(within, { from, to, first, last, by, cut }),
    stale: within.filter(({ fresh }) => !fresh).map(({ hour_at }) => hour_at),
    isMoved: within.some(({ moved }) => moved),
    remaining: remaining.reduce((sum, { records }) => sum + records, 0),
    all,
  };
};

interface Split extends Range {
  first: Date;
  last: Date;
  by: 'day' | 'hour';
  cut: Date;
}

/** Divides hours into whole computed days, other computed hours, and ranges to be read from records. */
const splitHours = (
  hours: readonly { hour_at: Date; fresh: boolean }[],
  { from, to, first, last, by, cut }: Split,
): Pick<Sources, 'days' | 'hours' | 'records'> => {
  const dayOf = (at: number) => Math.floor(at / dayMs);
  const stale = hours.filter(({ fresh }) => !fresh).map(({ hour_at }) => hour_at.getTime());
  const broken = new Set(stale.map(dayOf));
  const isWhole = (day: number) =>
    by === 'day' &&
    !broken.has(day) &&
    day * dayMs >= first.getTime() &&
    (day + 1) * dayMs <= last.getTime() &&
    (cut.getTime() <= day * dayMs || cut.getTime() >= (day + 1) * dayMs);
  const fresh = hours.filter((hour) => hour.fresh).map(({ hour_at }) => hour_at.getTime());
  const days = [...new Set(fresh.map(dayOf))].filter(isWhole);
  const edges =
    first > last
      ? [{ from, to }]
      : [
          { from, to: first },
          { from: last, to },
        ];
  return {
    days: days.map((day) => new Date(day * dayMs)),
    hours: fresh.filter((hour) => !isWhole(dayOf(hour))).map((hour) => new Date(hour)),
    records: mergeAdjacent([
      ...edges.filter((edge) => edge.to > edge.from),
      ...stale.map((hour) => ({ from: new Date(hour), to: new Date(hour + hourMs) })),
    ]),
  };
};

/** Joins adjacent ranges: the database would look each one up. */
const mergeAdjacent = (ranges: readonly Range[]): Range[] => {
  const found: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.from.getTime() - b.from.getTime())) {
    const last = found.at(-1);
    if (last && last.to.getTime() === range.from.getTime()) last.to = range.to;
    else found.push({ ...range });
  }
  return found;
};

/** Whether any part comes from stored counts. */
export const isComputed = ({ days, hours }: Pick<Sources, 'days' | 'hours'>): boolean =>
  days.length + hours.length > 0;

/** Up to this number, ranges are written as literals, so that the planner knows how few records they have. */
const maxLiteralRanges = 8;

/** The records of some ranges that match the filter. */
export const recordsOf = (selection: RecordSelection, ranges: readonly Range[]): Fragment => {
  const earlierOf = (one: Date, other: Date) => (one < other ? one : other);
  const laterOf = (one: Date, other: Date) => (one > other ? one : other);
  if (ranges.length <= maxLiteralRanges && ranges.length > 0) {
    return sql.join(
      ranges.map(({ from, to }) => {
        const within = { ...selection, from: laterOf(from, selection.from), to: earlierOf(to, selection.to) };
        return sql`select c.* from cdrs c where ${and(recordConditions(within))}`;
      }),
      sql` union all `,
    );
  }
  return sql`
    select c.* from unnest(${ranges.map(({ from }) => from)}::timestamptz[], ${ranges.map(({ to }) => to)}::timestamptz[])
      as range (since, until)
    cross join lateral (select * from cdrs c where c.ended_at >= range.since and c.ended_at < range.until
      and ${and(recordConditions(selection))}) as c`;
};

/** The distinctions that a key makes. */
export interface Distinctions {
  country: boolean;
  network: boolean;
  radio: boolean;
}

/** The level with the fewest rows for a filter and a key. */
export const levelOf = (
  { plmns, countries, radios, apns, sources }: RecordSelection,
  by: Distinctions,
): Level => {
  const isByNetwork = by.network || (plmns !== undefined && !countries);
  const isByCountry = by.country || countries !== undefined;
  const needed: Level[] = [
    ...(isByNetwork ? (['network'] as const) : isByCountry ? (['country'] as const) : []),
    ...(by.radio || radios ? (['radio'] as const) : []),
    ...(apns ? (['apn'] as const) : []),
    ...(sources ? (['source'] as const) : []),
  ];
  return needed.length > 1 ? 'trait' : (needed[0] ?? 'all');
};

/** Whether each group of a key is always exactly one part of the level. */
export const isOnePart = (selection: RecordSelection, level: Level, by: Distinctions): boolean => {
  const { plmns, countries, radios, apns, sources } = selection;
  const of: Record<Level, boolean> = {
    all: true,
    country: by.country || countries?.length === 1,
    network: by.network || plmns?.length === 1,
    radio: by.radio || radios?.length === 1,
    apn: apns?.length === 1,
    source: sources?.length === 1,
    trait: false,
  };
  return of[level];
};

/** The columns of a level for country, network and radio type. */
interface LevelColumns {
  country: Fragment;
  plmn: Fragment;
  radio: Fragment;
  /** Whether its parts are traits (`t`). */
  traits: boolean;
}

const noColumns: LevelColumns = {
  country: sql`null::text`,
  plmn: sql`null::integer`,
  radio: sql`null::smallint`,
  traits: false,
};

const levelColumns: Record<Level, LevelColumns> = {
  all: noColumns,
  country: { ...noColumns, country: sql`chr(s.part / 256) || chr(s.part % 256)` },
  network: { ...noColumns, plmn: sql`s.part` },
  radio: { ...noColumns, radio: sql`s.part::smallint` },
  apn: { ...noColumns, traits: true },
  source: noColumns,
  trait: { ...noColumns, plmn: sql`t.plmn`, radio: sql`t.radio`, traits: true },
};

/** The filter's conditions on the rows of a level. */
const partConditions = (
  { plmns, countries, radios, apns, sources }: RecordSelection,
  level: Level,
): Fragment<SqlBool> => {
  const { plmn, radio } = levelColumns[level];
  return and([
    sql`true`,
    ...(level === 'country' && countries
      ? [sql`s.part = any(${countries.map(countryPart)}::integer[])`]
      : []),
    ...(level !== 'country' && plmns ? [sql`${plmn} = any(${plmns}::integer[])`] : []),
    ...(radios ? [sql`${radio} = any(${radios}::smallint[])`] : []),
    ...(apns ? [sql`t.apn = any(${apns}::text[])`] : []),
    ...(sources
      ? [sql`${level === 'source' ? sql`s.part` : sql`t.source`} = any(${sources}::smallint[])`]
      : []),
  ] as Parameters<typeof and>[0]);
};

const unitOf = (unit: 'day' | 'hour', starts: readonly Date[]): Fragment =>
  sql`s.unit = ${unit} and s.starts_at = any(${starts}::timestamptz[])`;

type Stored = Pick<Sources, 'days' | 'hours'>;

/**
 * Stored counts with their hour, or the first hour of their day: `records` and bytes, the numbers of `sims` and
 * `sessions`, and their sets (`sim_set` and `session_set`; dense ones also as `sim_bits` and `session_bits`).
 * `country`, `plmn` and `radio` are present if the level distinguishes them.
 */
export const storedCounts = (selection: RecordSelection, stored: Stored, level: Level): Fragment =>
  selectStored('cdr_counts', {
    selection,
    stored,
    level,
    columns: sql`s.records, s.up_bytes, s.down_bytes, s.sims, s.sessions, s.sim_set, s.session_set, s.sim_bits, s.session_bits`,
  });

/**
 * Likewise: the numbers of `sims` and `sessions` that were not present in the days before, as arrays by the number of
 * days (`FirstSeenCounts`).
 */
export const storedFirsts = (selection: RecordSelection, stored: Stored, level: Level): Fragment =>
  selectStored('cdr_firsts', { selection, stored, level, columns: sql`s.sims, s.sessions` });

interface StoredQuery {
  selection: RecordSelection;
  stored: Stored;
  level: Level;
  columns: Fragment;
}

const selectStored = (
  table: 'cdr_counts' | 'cdr_firsts',
  { selection, stored, level, columns }: StoredQuery,
): Fragment => {
  const { country, plmn, radio, traits } = levelColumns[level];
  const of = (unit: Fragment) => sql`
    select s.starts_at as hour_at, ${country} as country, ${plmn} as plmn, ${radio} as radio, ${columns}
    from ${sql.table(table)} s ${traits ? sql`join cdr_traits t on t.id = s.part` : sql``}
    where s.org_id = ${selection.orgId} and s.level = ${level} and ${unit} and ${partConditions(selection, level)}`;
  return sql`${of(unitOf('day', stored.days))} union all ${of(unitOf('hour', stored.hours))}`;
};
