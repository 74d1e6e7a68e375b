import { limits } from '@simcube/contract';
import { dayMs, hourMs } from '@simcube/contract/time';
import { groupBy } from '../../../platform/collections/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { dayTotals, FirstSeenCounts } from './firsts.rules.ts';
import { type Level, levels } from './levels.rules.ts';

const lookbackDays = limits.cdrs.days - 1;
/** Queries by trait unite sets instead. */
const countedLevels = levels.filter((level) => level !== 'trait');

/** Number of consecutive days counted with one read of the days before them. */
const daysPerRead = 8;

/** Computes the first-time counts (`FirstSeenCounts`) of days with recomputed hours, and of the later days whose counts depend on them. */
export const countFirsts = async (tx: Sql, orgId: number, days: readonly number[]): Promise<void> => {
  for (const group of groupNearbyDays(await listAffectedDays(tx, orgId, days))) {
    for (const level of countedLevels) await countDays(tx, { orgId, level, days: group });
  }
};

const groupNearbyDays = (sorted: readonly number[]): number[][] => {
  const groups: number[][] = [];
  for (const day of sorted) {
    const last = groups.at(-1);
    if (last && day - (last[0] ?? day) < daysPerRead * dayMs) last.push(day);
    else groups.push([day]);
  }
  return groups;
};

const listAffectedDays = async (tx: Sql, orgId: number, days: readonly number[]): Promise<number[]> => {
  const { rows } = await tx.query<{ starts_at: Date }>(
    `select distinct c.starts_at from unnest($2::timestamptz[]) as d (day)
     join cdr_counts c on c.org_id = $1 and c.unit = 'day' and c.level = 'all'
       and c.starts_at between d.day and d.day + make_interval(days => $3)
     order by 1`,
    [orgId, days.map((day) => new Date(day)), lookbackDays],
  );
  return rows.map(({ starts_at }) => starts_at.getTime());
};

interface DaysOfLevel {
  orgId: number;
  level: Level;
  days: readonly number[];
}

interface SetRow {
  part: number;
  starts_at: Date;
  sim_set: Buffer;
  session_set: Buffer;
}

const countDays = async (tx: Sql, { orgId, level, days }: DaysOfLevel): Promise<void> => {
  const read = async (unit: 'hour' | 'day', starts: readonly number[]) => {
    const { rows } = await tx.query<SetRow>(
      `select part, starts_at, sim_set, session_set from cdr_counts
       where org_id = $1 and unit = $2 and level = $3 and starts_at = any($4::timestamptz[]) order by starts_at`,
      [orgId, unit, level, starts.map((start) => new Date(start))],
    );
    return rows;
  };
  const [first = 0, last = first] = [days[0], days.at(-1)];
  const known: number[] = [];
  for (let day = first - lookbackDays * dayMs; day < last; day += dayMs) {
    if (!days.includes(day)) known.push(day);
  }
  const starts = days.flatMap((day) => Array.from({ length: 24 }, (_, hour) => day + hour * hourMs));
  const found = firstsByPart(await read('hour', starts), await read('day', known));
  // Of a country whose networks with records have all moved to another.
  await tx.query(
    `delete from cdr_firsts f where f.org_id = $1 and f.unit in ('hour', 'day') and f.level = $2
       and f.starts_at = any($3::timestamptz[]) and (f.unit, f.starts_at, f.part) not in (
         select * from unnest($4::text[], $5::timestamptz[], $6::integer[]))`,
    [
      orgId,
      level,
      starts.map((start) => new Date(start)),
      found.map(({ unit }) => unit),
      found.map(({ at }) => at),
      found.map(({ part }) => part),
    ],
  );
  await tx.query(
    `insert into cdr_firsts as f (org_id, unit, level, starts_at, part, sims, sessions)
     select $1, unit, $2, at, part, sims::integer[], sessions::integer[]
     from unnest($3::text[], $4::timestamptz[], $5::integer[], $6::text[], $7::text[]) as v (unit, at, part, sims, sessions)
     on conflict (org_id, unit, level, starts_at, part) do update set sims = excluded.sims, sessions = excluded.sessions
       where (f.sims, f.sessions) is distinct from (excluded.sims, excluded.sessions)`,
    [
      orgId,
      level,
      found.map(({ unit }) => unit),
      found.map(({ at }) => at),
      found.map(({ part }) => part),
      found.map(({ sims }) => `{${sims.join(',')}}`),
      found.map(({ sessions }) => `{${sessions.join(',')}}`),
    ],
  );
};

interface FirstsRow {
  unit: 'hour' | 'day';
  at: Date;
  part: number;
  sims: number[];
  sessions: number[];
}

const firstsByPart = (hours: readonly SetRow[], known: readonly SetRow[]): FirstsRow[] => {
  const parts = groupBy(hours, ({ part }) => part);
  const knownOf = new Map<number, SetRow[]>([...parts.keys()].map((part) => [part, []]));
  for (const day of known) knownOf.get(day.part)?.push(day);
  return [...parts].flatMap(([part, of]) => firstsOfPart(part, of, knownOf.get(part) ?? []));
};

/** @param hours of the days that are counted; `known` are the other days; both in order of time */
const firstsOfPart = (part: number, hours: readonly SetRow[], known: readonly SetRow[]): FirstsRow[] => {
  const dayOf = ({ starts_at }: SetRow) => Math.floor(starts_at.getTime() / dayMs);
  const byDay = groupBy(hours, dayOf);
  const [sims, sessions] = [new FirstSeenCounts(), new FirstSeenCounts()];
  const before = [...byDay.keys()][0] ?? 0;
  const numberOf = (day: number) => day - before + lookbackDays + 1;
  let nextKnown = 0;
  const rows: FirstsRow[] = [];
  for (const [day, ofDay] of byDay) {
    for (let earlier = known[nextKnown]; earlier && dayOf(earlier) < day; earlier = known[nextKnown]) {
      nextKnown += 1;
      const number = numberOf(dayOf(earlier));
      // Longer ago than any query needs.
      if (number < 1) continue;
      sims.markSeen(number, earlier.sim_set);
      sessions.markSeen(number, earlier.session_set);
    }
    const newSims = sims.count(
      numberOf(day),
      ofDay.map(({ sim_set }) => sim_set),
    );
    const newSessions = sessions.count(
      numberOf(day),
      ofDay.map(({ session_set }) => session_set),
    );
    rows.push(
      {
        unit: 'day',
        at: new Date(day * dayMs),
        part,
        sims: dayTotals(newSims),
        sessions: dayTotals(newSessions),
      },
      ...ofDay.map(({ starts_at: at }, index) => ({
        unit: 'hour' as const,
        at,
        part,
        sims: newSims[index] ?? [],
        sessions: newSessions[index] ?? [],
      })),
    );
  }
  return rows;
};
