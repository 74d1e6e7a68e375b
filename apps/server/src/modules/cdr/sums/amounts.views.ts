import { type CdrGrouping, unknownOf } from '@simcube/contract/cdr';
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Fragment, Sought } from '../cdr-filter.views.ts';
import { countUnion } from '../counts/number-sets.rules.ts';
import { type Apart, type Range, recordsOf } from '../counts/stored.views.ts';
import type { Amounts, Distinct } from './sums.rules.ts';

/** What usage is summed by: the whole, or a group. */
export type Key = CdrGrouping | 'all';

/** The records of some ranges, each with the hour in which it ended. */
export const recordsIn = (sought: Sought, ranges: readonly Range[]): Fragment => sql`
  select date_trunc('hour', c.ended_at, 'UTC') as hour_at, c.plmn, c.radio, c.sim_id, c.session_key, 1 as records,
    c.up_bytes, c.down_bytes
  from (${recordsOf(sought, ranges)}) as c`;

/** The same with the `number` of the session of each: those that began after the last computation have none. */
export const numberedOf = ({ orgId }: Sought, records: Fragment): Fragment =>
  sql`(select r.*, s.number from (${records}) as r left join cdr_sessions s
    on s.org_id = ${orgId} and s.sim_id = r.sim_id and s.session_key = r.session_key)`;

/** What records with different keys are different in, beside their time. */
export const tellsApart = (key: Key): Apart => ({
  country: key === 'country',
  network: key === 'operator' || key === 'day_operator',
  radio: key === 'radio' || key === 'day_radio',
});

export interface Grouped {
  /** A relation with `hour_at`, `plmn` and `radio`, and `sim_id` where SIMs are grouped. */
  usage: Fragment;
  key: Key;
  /** Added to hours, in seconds: the period before stands beside the one asked for. */
  later: number;
}

/** Of which each is of one day at most. */
export const isOfTime = (key: Key): boolean =>
  key === 'hour' || key === 'day' || key === 'day_radio' || key === 'day_operator';

const day = (hour: Fragment): Fragment => sql`to_char(${hour} at time zone 'UTC', 'YYYY-MM-DD')`;

export const keyOf = ({ key, later }: Grouped): Fragment => {
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

/** SIMs and sessions of records by key; sessions that have no number yet are left out. */
interface Members {
  key: string;
  sims: number[];
  sessions: number[];
}

interface SetRow extends Distinct {
  key: string;
  /** Null where the counts of the row are those of its key: no other has a part in it. */
  sim_set: Buffer | null;
  session_set: Buffer | null;
}

/**
 * The same of what was computed together with records beside it: `usage` has `sims`, `sessions`, `sim_set` and
 * `session_set`, `beside` the `sim_id` and the `number` of the session of each record.
 */
export const countMembers = async (
  db: Db,
  { beside, ...grouped }: Grouped & { beside: Fragment | undefined },
): Promise<Map<string, Distinct>> => {
  const members = beside ? await readMembers(db, { ...grouped, usage: beside }) : [];
  const { rows } = await sql<SetRow>`
    select key, sims, sessions, case when not alone then sim_set end as sim_set,
      case when not alone then session_set end as session_set
    from (
      select *, count(*) over (partition by key) = 1 and key <> all(${members.map(({ key }) => key)}::text[]) as alone
      from (select ${keyOf(grouped)} as key, sims, sessions, sim_set, session_set from ${grouped.usage} as u) as keyed
    ) as counted order by key`.execute(db);
  const byKey = new Map<string, SetRow[]>(members.map(({ key }) => [key, []]));
  for (const row of rows) byKey.set(row.key, [...(byKey.get(row.key) ?? []), row]);
  const recent = new Map(members.map((one) => [one.key, one]));
  return new Map([...byKey].map(([key, sets]) => [key, unitedOf(sets, recent.get(key))]));
};

const unitedOf = (sets: readonly SetRow[], recent: Members | undefined): Distinct => {
  const [only] = sets;
  if (only && only.sim_set === null) return { sims: only.sims, sessions: only.sessions };
  return {
    sims: countUnion(
      sets.flatMap(({ sim_set }) => sim_set ?? []),
      recent?.sims,
    ),
    sessions: countUnion(
      sets.flatMap(({ session_set }) => session_set ?? []),
      recent?.sessions,
    ),
  };
};

export const readMembers = async (db: Db, grouped: Grouped): Promise<Members[]> => {
  const { rows } = await sql<Members>`
    select ${keyOf(grouped)} as key, to_json(array_agg(distinct sim_id)) as sims,
      coalesce(to_json(array_agg(distinct number) filter (where number is not null)), '[]') as sessions
    from ${grouped.usage} as u group by 1`.execute(db);
  return rows;
};
