import { type CdrGrouping, unknownOf } from '@simcube/contract/cdr';
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Fragment } from '../cdr-filter.views.ts';

/** What usage is summed by: the whole, or a group. */
export type Key = CdrGrouping | 'all';

export interface Amounts {
  records: number;
  up_bytes: number;
  down_bytes: number;
  /** Of these, what is of the provisional hours. */
  late_records: number;
  late_up_bytes: number;
  late_down_bytes: number;
}

export interface Distinct {
  sims: number;
  sessions: number;
}

interface Grouped {
  /** A relation with `hour_at`, `plmn` and `radio`, and `sim_id` where SIMs are grouped. */
  usage: Fragment;
  key: Key;
  /** Added to hours, in seconds: the period before stands beside the one asked for. */
  later: number;
}

const day = (hour: Fragment): Fragment => sql`to_char(${hour} at time zone 'UTC', 'YYYY-MM-DD')`;

const keyOf = ({ key, later }: Grouped): Fragment => {
  const hour = later === 0 ? sql`u.hour_at` : sql`(u.hour_at + make_interval(secs => ${later}))`;
  const keys: Record<Key, Fragment> = {
    all: sql`''`,
    hour: sql`to_char(${hour} at time zone 'UTC', 'YYYY-MM-DD"T"HH24":00:00.000Z"')`,
    day: day(hour),
    country: sql`coalesce((select n.country from networks n where n.plmn = u.plmn), ${unknownOf.country})`,
    operator: sql`u.plmn::text`,
    radio: sql`u.radio::text`,
    day_radio: sql`${day(hour)} || ' ' || u.radio`,
    day_operator: sql`${day(hour)} || ' ' || u.plmn`,
    sim: sql`u.sim_id::text`,
  };
  return keys[key];
};

/** Records and volume by key, at most so many, those with the most. `usage` has `records`, `up_bytes` and `down_bytes`. */
export const readAmounts = async (
  db: Db,
  { provisional, most, ...grouped }: Grouped & { provisional: Date; most: number },
): Promise<Map<string, Amounts>> => {
  const { rows } = await sql<Amounts & { key: string }>`
    select ${keyOf(grouped)} as key, coalesce(sum(records), 0)::bigint as records,
      coalesce(sum(up_bytes), 0)::bigint as up_bytes, coalesce(sum(down_bytes), 0)::bigint as down_bytes,
      coalesce(sum(records) filter (where hour_at >= ${provisional}), 0)::bigint as late_records,
      coalesce(sum(up_bytes) filter (where hour_at >= ${provisional}), 0)::bigint as late_up_bytes,
      coalesce(sum(down_bytes) filter (where hour_at >= ${provisional}), 0)::bigint as late_down_bytes
    from ${grouped.usage} as u group by 1 order by sum(up_bytes + down_bytes) desc, 1 limit ${most}`.execute(
    db,
  );
  return new Map(rows.map(({ key, ...amounts }) => [key, amounts]));
};

/** How many SIMs and sessions there are by key; `usage` has `sim_id` and `session_key` of each record. */
export const countDistinct = async (db: Db, grouped: Grouped): Promise<Map<string, Distinct>> => {
  const { rows } = await sql<Distinct & { key: string }>`
    select ${keyOf(grouped)} as key, count(distinct sim_id) as sims,
      count(distinct (sim_id, session_key)) filter (where session_key is not null) as sessions
    from ${grouped.usage} as u group by 1`.execute(db);
  return new Map(rows.map(({ key, ...distinct }) => [key, distinct]));
};

/** The same of sets: `usage` has `kind`, `chunk` and `members`. */
export const countMembers = async (db: Db, grouped: Grouped): Promise<Map<string, Distinct>> => {
  const { rows } = await sql<Distinct & { key: string }>`
    select key, coalesce(sum(bit_count(members)) filter (where kind = 'sim'), 0)::bigint as sims,
      coalesce(sum(bit_count(members)) filter (where kind = 'session'), 0)::bigint as sessions
    from (select ${keyOf(grouped)} as key, kind, chunk, bit_or(members) as members
      from ${grouped.usage} as u group by 1, 2, 3) as sets group by 1`.execute(db);
  return new Map(rows.map(({ key, ...distinct }) => [key, distinct]));
};
