import { dayMs, hourMs } from '@simcube/contract/time';
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { and, type Fragment, type RecordSelection, recordConditions } from '../cdr-filter.views.ts';
import type { Level } from '../counts/levels.rules.ts';
import { unpackSet } from '../counts/number-sets.rules.ts';
import { type Range, type Sources, storedCounts, storedFirsts } from '../counts/stored.views.ts';
import { type Grouped, type GroupRow, grouped, groupOf, isTimeKey, readGrouped } from './amounts.views.ts';
import { readMembers } from './remaining.views.ts';
import type { Distinct, GroupedResults } from './sums.rules.ts';

/** Maximum number of records outside the stored counts, because their members are looked up one by one. */
const maxRemaining = 20_000;

/**
 * Whether SIMs and sessions can be counted by first-time counts: the span begins with a day, few records arrived
 * after hours were computed, and, by country, no network changed its country.
 */
export const canCountFirsts = (
  { from }: RecordSelection,
  { remaining, isMoved }: Pick<Sources, 'remaining' | 'isMoved'>,
  level: Level,
): boolean => from.getTime() % dayMs === 0 && remaining <= maxRemaining && !(isMoved && level === 'country');

export interface FirstsSpan extends Omit<Grouped, 'usage'> {
  selection: RecordSelection;
  sources: Sources;
  level: Level;
}

/**
 * The number of SIMs and sessions in each group, where each group is one part of the level: first-time members of the
 * computed hours, plus members of the remaining records that are in no computed hour.
 */
export const countByFirsts = async (
  db: Db,
  spans: readonly FirstsSpan[],
): Promise<GroupedResults<Distinct>[]> => {
  const [counts, added] = await Promise.all([
    readFirsts(db, spans),
    Promise.all(spans.map((span) => countAdded(db, span))),
  ]);
  added.forEach((more, span) => {
    for (const { key, name, sims, sessions } of more) {
      const byName = counts[span]?.get(key);
      const found = byName?.get(name) ?? { sims: 0, sessions: 0 };
      byName?.set(name, { sims: found.sims + sims, sessions: found.sessions + sessions });
    }
  });
  return counts;
};

const readFirsts = (db: Db, spans: readonly FirstsSpan[]): Promise<GroupedResults<Distinct>[]> => {
  const queried = spans.map(({ selection, sources, level, keys, offsetSeconds }) => {
    const stored = { days: sources.days, hours: [...sources.hours, ...sources.stale] };
    return { usage: sql`(${storedFirsts(selection, stored, level)})`, keys, offsetSeconds };
  });
  const firsts = sql.join(
    spans.map(({ selection }, span) => sql`when ${sql.lit(span)} then ${selection.from}::timestamptz`),
    sql` `,
  );
  const keysOfTime = [...new Set(spans.flatMap(({ keys }) => keys.filter(isTimeKey)))];
  return readGrouped(
    queried,
    async () => {
      const { rows } = await sql<GroupRow & Distinct>`
        select span, key, name, sum(sims[place])::bigint as sims, sum(sessions[place])::bigint as sessions from (
          select span, key, name, sims, sessions, 1 + case when key = any(${keysOfTime}::text[]) then 0
            else extract(day from hour_at - case span ${firsts} end)::integer end as place
          from (${grouped(queried, sql`u.sims, u.sessions, u.hour_at`)}) as u) as placed
        group by 1, 2, 3`.execute(db);
      return rows;
    },
    ({ sims, sessions }) => ({ sims, sessions }),
  );
};

type Added = Omit<GroupRow, 'span'> & Distinct;

/** Members of the remaining records that no hour contained when it was computed. */
const countAdded = async (
  db: Db,
  { selection, sources, level, keys, offsetSeconds }: FirstsSpan,
): Promise<Added[]> => {
  if (sources.records.length === 0 || keys.length === 0) return [];
  const stale = sql`(${storedCounts(selection, { days: [], hours: sources.stale }, level)})`;
  const [members, { rows: sets }] = await Promise.all([
    readMembers(db, { selection, sources, keys, offsetSeconds }),
    sql<GroupRow & { sim_set: Buffer; session_set: Buffer }>`${grouped(
      [{ usage: stale, keys, offsetSeconds }],
      sql`u.sim_set, u.session_set`,
    )}`.execute(db),
  ]);
  const found = [...members].flatMap(([key, byName]) =>
    [...byName].map(([name, { sims, sessions, unnumbered }]) => ({
      key,
      name,
      sims: new Set(sims),
      sessions: new Set(sessions),
      unnumbered,
    })),
  );
  const byGroup = new Map(found.map((one) => [groupId(one), one]));
  for (const { sim_set, session_set, ...group } of sets) {
    const one = byGroup.get(groupId(group));
    for (const sim of unpackSet(sim_set)) one?.sims.delete(sim);
    for (const session of unpackSet(session_set)) one?.sessions.delete(session);
  }
  const hours = sources.records.flatMap(hoursIn);
  const groupNamed = sql`case u.key ${sql.join(
    keys.map((key) => sql`when ${sql.lit(key)} then ${groupOf(key, offsetSeconds)}`),
    sql` `,
  )} end`;
  const known = sql`
    select date_trunc('hour', c.ended_at, 'UTC') as hour_at, null::text as country, c.plmn, c.radio, c.sim_id, c.session_key
    from cdrs c
    where ${and(recordConditions(selection))} and date_trunc('hour', c.ended_at, 'UTC') <> all(${hours}::timestamptz[])`;
  const [newSims, newSessions] = await Promise.all([
    countNew(db, {
      members: found.map(({ key, name, sims }) => ({ key, name, numbers: sims })),
      from: sql`select v.key, v.name, v.number, v.number as sim_id from v`,
      known: sql`m join (${known}) as r on r.sim_id = m.sim_id`,
      groupNamed,
    }),
    countNew(db, {
      members: found.map(({ key, name, sessions }) => ({ key, name, numbers: sessions })),
      from: sql`select v.key, v.name, v.number, s.sim_id, s.session_key
        from v join cdr_sessions s on s.org_id = ${selection.orgId} and s.number = v.number`,
      known: sql`m join (${known}) as r on r.sim_id = m.sim_id and r.session_key = m.session_key`,
      groupNamed,
    }),
  ]);
  return found.map(({ key, name, unnumbered }) => ({
    key,
    name,
    sims: newSims.get(groupId({ key, name })) ?? 0,
    sessions: unnumbered + (newSessions.get(groupId({ key, name })) ?? 0),
  }));
};

/** The starts of all hours that a range touches; ranges of adjacent hours are one. */
const hoursIn = ({ from, to }: Range): Date[] => {
  const first = Math.floor(from.getTime() / hourMs);
  const count = Math.ceil(to.getTime() / hourMs) - first;
  return Array.from({ length: count }, (_, index) => new Date((first + index) * hourMs));
};

const groupId = ({ key, name }: Omit<GroupRow, 'span'>): string => `${key} ${name}`;

interface Numbered extends Omit<GroupRow, 'span'> {
  numbers: ReadonlySet<number>;
}

interface NewMembersQuery {
  members: readonly Numbered[];
  /** The relation that identifies the members (`v`: `key`, `name` and `number`). */
  from: Fragment;
  /** The members (`m`) with their usage (`r`). */
  known: Fragment;
  /** The group of that usage (`u`), with its network (`n`). */
  groupNamed: Fragment;
}

/** How many of the members of each group had no usage in it. */
const countNew = async (
  db: Db,
  { members, from, known, groupNamed }: NewMembersQuery,
): Promise<Map<string, number>> => {
  const each = members.flatMap(({ key, name, numbers }) =>
    [...numbers].map((number) => ({ key, name, number })),
  );
  if (each.length === 0) return new Map();
  const { rows } = await sql<Omit<GroupRow, 'span'> & { count: number }>`
    with v as (
      select * from unnest(${each.map(({ key }) => key)}::text[], ${each.map(({ name }) => name)}::text[],
        ${each.map(({ number }) => number)}::bigint[]) as given (key, name, number)),
    m as materialized (${from}),
    -- Usage of members on its own first (offset): a cluster joins no records with networks.
    old as (
      select distinct u.key, u.name, u.number
      from (select m.key, m.name, m.number, r.hour_at, r.country, r.plmn, r.radio from ${known} offset 0) as u
        left join networks n on n.plmn = u.plmn
      where ${groupNamed} = u.name)
    select m.key, m.name, count(*) filter (where old.number is null) as count
    from m left join old on old.key = m.key and old.name = m.name and old.number = m.number group by 1, 2`.execute(
    db,
  );
  return new Map(rows.map(({ count, ...group }) => [groupId(group), count]));
};
