import { unknownValues } from '@simcube/contract/cdr';
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Fragment, RecordSelection } from '../cdr-filter.views.ts';
import { type Distinctions, type Range, recordsOf } from '../counts/stored.views.ts';
import type { Amounts, GroupedResults, Key } from './sums.rules.ts';

/** The hour that contains a time. */
export const hourOf = (time: Fragment): Fragment =>
  sql`date_bin('1 hour', ${time}, timestamptz '1970-01-01 00:00:00+00')`;

/** The records of some ranges, each with the hour in which it ended. */
export const recordsIn = (selection: RecordSelection, ranges: readonly Range[]): Fragment => sql`
  select ${hourOf(sql`c.ended_at`)} as hour_at, null::text as country, c.plmn, c.radio, c.sim_id, c.session_key,
    1 as records, c.up_bytes, c.down_bytes
  from (${recordsOf(selection, ranges)}) as c`;

/** The distinctions that a key makes, other than time. */
export const distinctionsOf = (key: Key): Distinctions => ({
  country: key === 'country',
  network: key === 'operator' || key === 'day_operator',
  radio: key === 'radio' || key === 'day_radio',
});

/** Usage of a span, and its groupings. */
export interface Grouped {
  /** A relation with `hour_at`, `country`, `plmn` and `radio`, and with `sim_id` when grouping by SIM. */
  usage: Fragment;
  keys: readonly Key[];
  /** Seconds added to hours, so that the previous period is aligned with the queried one. */
  offsetSeconds: number;
}

/** Whether each group is within one day. */
export const isTimeKey = (key: Key): boolean =>
  key === 'hour' || key === 'day' || key === 'day_radio' || key === 'day_operator';

const day = (hour: Fragment): Fragment => sql`to_char(${hour} at time zone 'UTC', 'YYYY-MM-DD')`;

/** The group of a row of usage (`u`); when summing by country, with its network (`n`). */
const groupOf = (key: Key, offsetSeconds: number): Fragment => {
  const hour =
    offsetSeconds === 0 ? sql`u.hour_at` : sql`(u.hour_at + make_interval(secs => ${offsetSeconds}))`;
  const groups: Record<Key, Fragment> = {
    all: sql`''`,
    hour: sql`to_char(${hour} at time zone 'UTC', 'YYYY-MM-DD"T"HH24":00:00.000Z"')`,
    day: day(hour),
    country: sql`coalesce(u.country, n.country, ${unknownValues.country})`,
    operator: sql`u.plmn::text`,
    radio: sql`u.radio::text`,
    day_radio: sql`${day(hour)} || ' ' || u.radio`,
    day_operator: sql`${day(hour)} || ' ' || u.plmn`,
    sim: sql`u.sim_id::text`,
  };
  return groups[key];
};

export interface GroupRow {
  /** Position of its span. */
  span: number;
  key: Key;
  name: string;
}

/**
 * Repeats each row of usage (`u`) for each key, with its group (`name`). A cluster requires arrays for this instead
 * of `values`.
 */
export const grouped = (spans: readonly Grouped[], columns: Fragment): Fragment =>
  sql.join(
    spans.flatMap(({ usage, keys, offsetSeconds }, span) => {
      if (keys.length === 0) return [];
      const names = keys.map((key) => groupOf(key, offsetSeconds));
      // Selected first (offset): a cluster joins records neither with networks nor, when grouping by SIM, with an
      // array.
      const ungrouped = sql`(select * from ${usage} as r offset 0) as u`;
      const named = keys.includes('country')
        ? sql`${ungrouped} left join networks n on n.plmn = u.plmn`
        : keys.includes('sim')
          ? ungrouped
          : sql`${usage} as u`;
      return sql`select ${sql.lit(span)} as span, g.key, g.name, ${columns} from (
          select u.*, array[${sql.join(names)}]::text[] as names from ${named}) as u
        cross join lateral (select unnest(${[...keys]}::text[]) as key, unnest(u.names) as name) as g`;
    }),
    sql` union all `,
  );

/** Results by the position of their span. */
export const readGrouped = async <R extends GroupRow, T>(
  spans: readonly Grouped[],
  read: () => Promise<readonly R[]>,
  resultOf: (row: R) => T,
): Promise<GroupedResults<T>[]> => {
  const found = spans.map(({ keys }): GroupedResults<T> => new Map(keys.map((key) => [key, new Map()])));
  if (spans.every(({ keys }) => keys.length === 0)) return found;
  for (const row of await read()) found[row.span]?.get(row.key)?.set(row.name, resultOf(row));
  return found;
};

const amounts = (provisional: Date): Fragment => sql`
  coalesce(sum(records), 0)::bigint as records, coalesce(sum(up_bytes), 0)::bigint as up_bytes,
  coalesce(sum(down_bytes), 0)::bigint as down_bytes,
  coalesce(sum(records) filter (where hour_at >= ${provisional}), 0)::bigint as late_records,
  coalesce(sum(up_bytes) filter (where hour_at >= ${provisional}), 0)::bigint as late_up_bytes,
  coalesce(sum(down_bytes) filter (where hour_at >= ${provisional}), 0)::bigint as late_down_bytes`;
const amountsOf = sql`u.hour_at, u.records, u.up_bytes, u.down_bytes`;

/** Records and volume of all spans, by each key and its groups. `usage` has `records`, `up_bytes` and `down_bytes`. */
export const readAmounts = (
  db: Db,
  { spans, provisional }: { spans: readonly Grouped[]; provisional: Date },
): Promise<GroupedResults<Amounts>[]> =>
  readGrouped(
    spans,
    async () => {
      const { rows } = await sql<GroupRow & Amounts>`
        select span, key, name, ${amounts(provisional)} from (${grouped(spans, amountsOf)}) as u
        group by 1, 2, 3`.execute(db);
      return rows;
    },
    ({ span: _, key: __, name: ___, ...found }) => found,
  );
