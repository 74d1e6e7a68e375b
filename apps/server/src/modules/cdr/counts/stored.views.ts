import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { and, type Fragment, holding, type Sought } from '../cdr-filter.views.ts';
import type { Level } from './levels.rules.ts';

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
  /** How many records there are in all, without regard to a filter, in the hours that it touches. */
  all: number;
}

/** An hour of an organisation, with all its records, and whether what was computed of it is of these. */
export interface Hour {
  hour_at: Date;
  records: number;
  fresh: boolean;
}

/** The hours that a question touches; none where what was computed of hours can't answer it. */
export const readHours = async (db: Db, sought: Sought): Promise<Hour[]> => {
  const { from, to, orgId } = sought;
  if (!isComputable(sought)) return [];
  const { rows } = await sql<Hour>`
    select u.hour_at, u.records, h.records is not distinct from u.records as fresh from (
      select hour_at, sum(records)::bigint as records from org_usage_hourly
      where org_id = ${orgId} and hour_at >= ${startOf(from)} and hour_at < ${to} group by 1) as u
    left join cdr_hours h on h.org_id = ${orgId} and h.hour_at = u.hour_at`.execute(db);
  return rows;
};

const isComputable = ({ simIds, sessionKey, from, to }: Sought): boolean =>
  !simIds && sessionKey === undefined && to > from;

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
  if (!isComputable(sought) || all <= few) return { days: [], hours: [], records: [{ from, to }], all };
  const first = new Date(Math.ceil(from.getTime() / hourMs) * hourMs);
  const last = startOf(to);
  const within = hours.filter(({ hour_at }) => hour_at >= first && hour_at < last);
  return { ...splitHours(within, { from, to, first, last, by, cut }), all };
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
): Omit<Sources, 'all'> => {
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
    records: [
      ...edges.filter((edge) => edge.to > edge.from),
      ...stale.map((hour) => ({ from: new Date(hour), to: new Date(hour + hourMs) })),
    ],
  };
};

/** Whether any of it was computed. */
export const isComputed = ({ days, hours }: Pick<Sources, 'days' | 'hours'>): boolean =>
  days.length + hours.length > 0;

/** The records of some ranges that are sought. */
export const recordsOf = (sought: Sought, ranges: readonly Range[]): Fragment => sql`
  select c.* from unnest(${ranges.map(({ from }) => from)}::timestamptz[], ${ranges.map(({ to }) => to)}::timestamptz[])
    as range (since, until)
  cross join lateral (select * from cdrs c where c.ended_at >= range.since and c.ended_at < range.until
    and ${and(holding(sought))}) as c`;

/** On which level the figures of a filter and a key are found with the fewest rows. */
export const levelOf = (
  { plmns, radios, apns, sources }: Sought,
  by: { network: boolean; radio: boolean },
): Level => {
  const network = by.network || plmns !== undefined;
  const radio = by.radio || radios !== undefined;
  if (apns || sources || (network && radio)) return 'trait';
  if (network) return 'network';
  return radio ? 'radio' : 'all';
};

/** Conditions on the rows of a level: what is sought of them. */
const partsSought = ({ plmns, radios, apns, sources }: Sought, level: Level): Fragment => {
  const [plmn, radio] = level === 'trait' ? [sql`t.plmn`, sql`t.radio`] : [sql`s.part`, sql`s.part`];
  return and([
    sql`true`,
    ...(plmns ? [sql`${plmn} = any(${plmns}::integer[])`] : []),
    ...(radios ? [sql`${radio} = any(${radios}::smallint[])`] : []),
    ...(apns ? [sql`t.apn = any(${apns}::text[])`] : []),
    ...(sources ? [sql`t.source = any(${sources}::smallint[])`] : []),
  ] as Parameters<typeof and>[0]);
};

const unitOf = (unit: 'day' | 'hour', starts: readonly Date[]): Fragment =>
  sql`s.unit = ${unit} and s.starts_at = any(${starts}::timestamptz[])`;

/**
 * What was computed, with the hour or the first one of the day: `records` and bytes, how many `sims` and `sessions`, and
 * which (`sim_set`, `session_set`). `plmn` and `radio` are there where the level tells them apart.
 */
export const storedCounts = (
  sought: Sought,
  { days, hours }: Pick<Sources, 'days' | 'hours'>,
  level: Level,
): Fragment => {
  const traits = level === 'trait' ? sql`join cdr_traits t on t.id = s.part` : sql``;
  const named = {
    all: sql`null::integer as plmn, null::smallint as radio`,
    network: sql`s.part as plmn, null::smallint as radio`,
    radio: sql`null::integer as plmn, s.part::smallint as radio`,
    trait: sql`t.plmn, t.radio`,
  }[level];
  const of = (unit: Fragment) => sql`
    select s.starts_at as hour_at, ${named}, s.records, s.up_bytes, s.down_bytes, s.sims, s.sessions, s.sim_set, s.session_set
    from cdr_counts s ${traits}
    where s.org_id = ${sought.orgId} and s.level = ${level} and ${unit} and ${partsSought(sought, level)}`;
  return sql`${of(unitOf('day', days))} union all ${of(unitOf('hour', hours))}`;
};
