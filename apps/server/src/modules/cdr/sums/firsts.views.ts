import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { and, type Fragment, holding, type Sought } from '../cdr-filter.views.ts';
import type { Level } from '../counts/levels.rules.ts';
import { unpackSet } from '../counts/number-sets.rules.ts';
import { type Sources, storedCounts, storedFirsts } from '../counts/stored.views.ts';
import { type Grouped, isOfTime, keyOf, readMembers } from './amounts.views.ts';
import type { Distinct } from './sums.rules.ts';

/** Members are looked up one by one, so of no more records than these. */
const besideMost = 20_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Whether SIMs and sessions can be counted by when they were there for the first time: from the beginning of a day on, and
 * where not many records came after hours were computed.
 */
export const canCountFirsts = ({ from }: Sought, { beside }: Sources): boolean =>
  from.getTime() % dayMs === 0 && beside <= besideMost;

interface FirstsQuestion extends Omit<Grouped, 'usage'> {
  sought: Sought;
  sources: Sources;
  level: Level;
}

/**
 * How many SIMs and sessions there are by key, each key being one part of the level: of the hours that were computed, as
 * they were then, those that were there for the first time; of the records beside those that no other hour has.
 * @param beside the `sim_id` and the `number` of the session of each such record
 */
export const countByFirsts = async (
  db: Db,
  { beside, ...question }: FirstsQuestion & { beside: Fragment | undefined },
): Promise<Map<string, Distinct>> => {
  const [counts, added] = await Promise.all([
    readFirsts(db, question),
    beside ? countAdded(db, { ...question, beside }) : [],
  ]);
  for (const { key, sims, sessions } of added) {
    const found = counts.get(key) ?? { sims: 0, sessions: 0 };
    counts.set(key, { sims: found.sims + sims, sessions: found.sessions + sessions });
  }
  return counts;
};

const readFirsts = async (
  db: Db,
  { sought, sources, level, ...grouped }: FirstsQuestion,
): Promise<Map<string, Distinct>> => {
  const stored = { days: sources.days, hours: [...sources.hours, ...sources.stale] };
  const usage = sql`(${storedFirsts(sought, stored, level)})`;
  const day = sql`date_trunc('day', u.hour_at, 'UTC')`;
  const first = isOfTime(grouped.key) ? day : sql`min(${day}) over ()`;
  const { rows } = await sql<Distinct & { key: string }>`
    select key, sum(sims[place])::bigint as sims, sum(sessions[place])::bigint as sessions from (
      select ${keyOf({ ...grouped, usage })} as key, u.sims, u.sessions,
        1 + extract(day from ${day} - ${first})::integer as place
      from ${usage} as u) as placed
    group by 1`.execute(db);
  return new Map(rows.map(({ key, ...distinct }) => [key, distinct]));
};

interface Added extends Distinct {
  key: string;
}

/** Of the members of records beside, those that no hour had when it was computed. */
const countAdded = async (
  db: Db,
  { beside, sought, sources, level, ...grouped }: FirstsQuestion & { beside: Fragment },
): Promise<Added[]> => {
  const stale = sql`(${storedCounts(sought, { days: [], hours: sources.stale }, level)})`;
  const [members, { rows: sets }] = await Promise.all([
    readMembers(db, { ...grouped, usage: beside }),
    sql<{ key: string; sim_set: Buffer; session_set: Buffer }>`
      select ${keyOf({ ...grouped, usage: stale })} as key, sim_set, session_set from ${stale} as u`.execute(
      db,
    ),
  ]);
  const [sims, sessions] = [new Map<string, Set<number>>(), new Map<string, Set<number>>()];
  for (const { key, ...one } of members) {
    sims.set(key, new Set(one.sims));
    sessions.set(key, new Set(one.sessions));
  }
  for (const { key, sim_set, session_set } of sets) {
    for (const sim of unpackSet(sim_set)) sims.get(key)?.delete(sim);
    for (const session of unpackSet(session_set)) sessions.get(key)?.delete(session);
  }
  const hours = sources.records.map(({ from }) => new Date(from.getTime() - (from.getTime() % hourMs)));
  const elsewhere = (own: Fragment) => sql`(
    select date_trunc('hour', c.ended_at, 'UTC') as hour_at, c.plmn, c.radio from cdrs c
    where ${own} and ${and(holding(sought))} and date_trunc('hour', c.ended_at, 'UTC') <> all(${hours}::timestamptz[]))`;
  const isNew = (own: Fragment) => {
    const usage = elsewhere(own);
    return sql`not exists (select from ${usage} as u where ${keyOf({ ...grouped, usage })} = m.key)`;
  };
  const [newSims, newSessions] = await Promise.all([
    countWhere(db, { members: sims, from: sql`m`, holds: isNew(sql`c.sim_id = m.number`) }),
    countWhere(db, {
      members: sessions,
      from: sql`m join cdr_sessions s on s.org_id = ${sought.orgId} and s.number = m.number`,
      holds: isNew(sql`c.sim_id = s.sim_id and c.session_key = s.session_key`),
    }),
  ]);
  return members.map(({ key }) => ({
    key,
    sims: newSims.get(key) ?? 0,
    sessions: newSessions.get(key) ?? 0,
  }));
};

/** How many of the members (`m`: `key` and `number`) of each key hold. */
const countWhere = async (
  db: Db,
  { members, from, holds }: { members: Map<string, Set<number>>; from: Fragment; holds: Fragment },
): Promise<Map<string, number>> => {
  const pairs = [...members].flatMap(([key, numbers]) => [...numbers].map((number) => ({ key, number })));
  if (pairs.length === 0) return new Map();
  const { rows } = await sql<{ key: string; count: number }>`
    with m as (select * from unnest(${pairs.map(({ key }) => key)}::text[], ${pairs.map(({ number }) => number)}::bigint[])
      as v (key, number))
    select m.key, count(*) as count from ${from} where ${holds} group by 1`.execute(db);
  return new Map(rows.map(({ key, count }) => [key, count]));
};
