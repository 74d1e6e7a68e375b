import { type SqlBool, sql } from 'kysely';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Db } from '../../../platform/db/index.ts';
import { and, type Fragment, holding, type Sought } from '../cdr-filter.views.ts';
import { countryPart, type Level } from './levels.rules.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Of no more records than these, sums are read from the records themselves. */
export const fewRecords = 20_000;

export interface Range {
  from: Date;
  to: Date;
}

/** Where the figures of a span are found: in what was computed of whole days and hours, and in records for the rest. */
export interface Sources {
  days: Date[];
  hours: Date[];
  records: Range[];
  /** Hours that were computed from other records than they have now. */
  stale: Date[];
  /** Whether some were computed while one of their networks belonged to another country. */
  isMoved: boolean;
  /** Number of records in these ranges and in the rest of the hours at their ends, without regard to a filter. */
  beside: number;
  /** Number of all records in the hours that the question touches, without regard to a filter. */
  all: number;
}

/** An hour of an organisation, with the number of its records, and whether it was computed from these. */
export interface Hour {
  hour_at: Date;
  records: number;
  fresh: boolean;
  /** It was computed while one of its networks belonged to another country. */
  moved: boolean;
}

/** The hours that a question touches; none where what was computed of hours can't answer it. */
export const readHours = async (db: Db, sought: Sought): Promise<Hour[]> => {
  const { orgId } = sought;
  if (!isComputable(sought)) return [];
  const { fresh, doubtful } = await readDays(db, sought);
  const hours = doubtful.flatMap((day) =>
    Array.from({ length: 24 }, (_, hour) => new Date(dashboardDays.startOf(day).getTime() + hour * hourMs)),
  );
  const { rows } = await sql<Hour>`
    select hour_at, records, fresh, moved from cdr_hour_states
    where org_id = ${orgId} and hour_at = any(${hours}::timestamptz[])`.execute(db);
  return hoursOf([...fresh, ...rows], sought);
};

/** Of some hours those that a span touches. */
export const hoursOf = (hours: readonly Hour[], { from, to }: Range): Hour[] =>
  hours.filter(({ hour_at }) => hour_at >= startOf(from) && hour_at < to);

interface DayRow {
  day: string;
  /** When its hours begin, in seconds since 1970, and their records; null where not all of the day's records were computed. */
  hours: number[] | null;
  records: number[] | null;
}

/**
 * Days of the organisation's rollups, which have few rows: those of which all records were computed, with their hours, and
 * the others, each hour of which is to be looked at.
 */
const readDays = async (
  db: Db,
  { orgId, from, to }: Sought,
): Promise<{ fresh: Hour[]; doubtful: string[] }> => {
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
    doubtful: rows.flatMap(({ day, hours }) => (hours === null ? [day] : [])),
  };
};

const isComputable = (sought: Sought): boolean =>
  (!sought.simIds || isOfManySims(sought)) && sought.sessionKey === undefined && sought.to > sought.from;

/** Whether there are enough SIMs to look them up in what was computed by SIM, which knows no other filter. */
export const isOfManySims = ({ simIds, fewSims, plmns, radios, apns, sources }: Sought): boolean =>
  simIds !== undefined && simIds.length > fewSims && (plmns ?? radios ?? apns ?? sources) === undefined;

const startOf = (at: Date): Date => new Date(Math.floor(at.getTime() / hourMs) * hourMs);

/**
 * Where the figures of what is sought are found. Hours that were computed of other records than they have now are read from
 * their records, and so are SIMs, sessions and few records: figures are exact in any case.
 * @param hours those that it touches
 * @param by hours, where days do not say enough
 * @param cut the hour at which figures are divided
 */
export const sourcesOf = (
  sought: Sought,
  { hours, by, cut, few }: { hours: readonly Hour[]; by: 'day' | 'hour'; cut: Date; few: number },
): Sources => {
  const { from, to } = sought;
  const all = hours.reduce((sum, { records }) => sum + records, 0);
  if (!isComputable(sought) || all <= few) {
    return { days: [], hours: [], records: [{ from, to }], stale: [], isMoved: false, beside: all, all };
  }
  const first = new Date(Math.ceil(from.getTime() / hourMs) * hourMs);
  const last = startOf(to);
  const within = hours.filter(({ hour_at }) => hour_at >= first && hour_at < last);
  const beside = hours.filter(({ hour_at, fresh }) => !fresh || hour_at < first || hour_at >= last);
  return {
    ...splitHours(within, { from, to, first, last, by, cut }),
    stale: within.filter(({ fresh }) => !fresh).map(({ hour_at }) => hour_at),
    isMoved: within.some(({ moved }) => moved),
    beside: beside.reduce((sum, { records }) => sum + records, 0),
    all,
  };
};

interface Split extends Range {
  first: Date;
  last: Date;
  by: 'day' | 'hour';
  cut: Date;
}

/** Hours as they are read: by the day where all of it is computed, else by the hour, else from their records. */
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
    records: joined([
      ...edges.filter((edge) => edge.to > edge.from),
      ...stale.map((hour) => ({ from: new Date(hour), to: new Date(hour + hourMs) })),
    ]),
  };
};

/** Ranges that follow one another are one: of many, the database would look each up. */
const joined = (ranges: readonly Range[]): Range[] => {
  const found: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.from.getTime() - b.from.getTime())) {
    const last = found.at(-1);
    if (last && last.to.getTime() === range.from.getTime()) last.to = range.to;
    else found.push({ ...range });
  }
  return found;
};

/** Whether any of it was computed. */
export const isComputed = ({ days, hours }: Pick<Sources, 'days' | 'hours'>): boolean =>
  days.length + hours.length > 0;

/** So many ranges are written out, so that the database knows how few records they have. */
const rangesWrittenOut = 8;

/** The records of some ranges that are sought. */
export const recordsOf = (sought: Sought, ranges: readonly Range[]): Fragment => {
  const sooner = (one: Date, other: Date) => (one < other ? one : other);
  const later = (one: Date, other: Date) => (one > other ? one : other);
  if (ranges.length <= rangesWrittenOut && ranges.length > 0) {
    return sql.join(
      ranges.map(({ from, to }) => {
        const within = { ...sought, from: later(from, sought.from), to: sooner(to, sought.to) };
        return sql`select c.* from cdrs c where ${and(holding(within))}`;
      }),
      sql` union all `,
    );
  }
  return sql`
    select c.* from unnest(${ranges.map(({ from }) => from)}::timestamptz[], ${ranges.map(({ to }) => to)}::timestamptz[])
      as range (since, until)
    cross join lateral (select * from cdrs c where c.ended_at >= range.since and c.ended_at < range.until
      and ${and(holding(sought))}) as c`;
};

/** What a key tells apart. */
export interface Apart {
  country: boolean;
  network: boolean;
  radio: boolean;
}

/** On which level the figures of a filter and a key are found with the fewest rows. */
export const levelOf = ({ plmns, countries, radios, apns, sources }: Sought, by: Apart): Level => {
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

/** Whether all of what a key stands for is one part of the level at any time. */
export const isOnePart = (sought: Sought, level: Level, by: Apart): boolean => {
  const { plmns, countries, radios, apns, sources } = sought;
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

/** The columns by which a level tells countries, networks and radio types apart. */
interface Names {
  country: Fragment;
  plmn: Fragment;
  radio: Fragment;
  /** Whether a part is a trait (`t`). */
  traits: boolean;
}

const nameless: Names = {
  country: sql`null::text`,
  plmn: sql`null::integer`,
  radio: sql`null::smallint`,
  traits: false,
};

const namedOn: Record<Level, Names> = {
  all: nameless,
  country: { ...nameless, country: sql`chr(s.part / 256) || chr(s.part % 256)` },
  network: { ...nameless, plmn: sql`s.part` },
  radio: { ...nameless, radio: sql`s.part::smallint` },
  apn: { ...nameless, traits: true },
  source: nameless,
  trait: { ...nameless, plmn: sql`t.plmn`, radio: sql`t.radio`, traits: true },
};

/** Conditions on the rows of a level: what is sought of them. */
const partsSought = (
  { plmns, countries, radios, apns, sources }: Sought,
  level: Level,
): Fragment<SqlBool> => {
  const { plmn, radio } = namedOn[level];
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
 * What was computed, with the hour or the first one of the day: `records` and bytes, how many `sims` and `sessions`, and
 * which (`sim_set` and `session_set`, and, where they are dense, `sim_bits` and `session_bits`). `country`, `plmn` and `radio` are there where the level tells them apart.
 */
export const storedCounts = (sought: Sought, stored: Stored, level: Level): Fragment =>
  storedIn('cdr_counts', {
    sought,
    stored,
    level,
    columns: sql`s.records, s.up_bytes, s.down_bytes, s.sims, s.sessions, s.sim_set, s.session_set, s.sim_bits, s.session_bits`,
  });

/** Likewise: how many `sims` and `sessions` were not there in the days before, as arrays by the number of days (`firstsOf`). */
export const storedFirsts = (sought: Sought, stored: Stored, level: Level): Fragment =>
  storedIn('cdr_firsts', { sought, stored, level, columns: sql`s.sims, s.sessions` });

interface StoredQuestion {
  sought: Sought;
  stored: Stored;
  level: Level;
  columns: Fragment;
}

const storedIn = (
  table: 'cdr_counts' | 'cdr_firsts',
  { sought, stored, level, columns }: StoredQuestion,
): Fragment => {
  const { country, plmn, radio, traits } = namedOn[level];
  const of = (unit: Fragment) => sql`
    select s.starts_at as hour_at, ${country} as country, ${plmn} as plmn, ${radio} as radio, ${columns}
    from ${sql.table(table)} s ${traits ? sql`join cdr_traits t on t.id = s.part` : sql``}
    where s.org_id = ${sought.orgId} and s.level = ${level} and ${unit} and ${partsSought(sought, level)}`;
  return sql`${of(unitOf('day', stored.days))} union all ${of(unitOf('hour', stored.hours))}`;
};
