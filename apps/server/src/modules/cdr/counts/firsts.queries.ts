import { limits } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';
import { addedUp, firstsOf } from './firsts.rules.ts';
import { type Level, levels } from './levels.rules.ts';

const dayMs = 86_400_000;
const daysEarlier = limits.cdrs.days - 1;
/** Questions by trait unite sets. */
const levelsCounted = levels.filter((level) => level !== 'trait');

/**
 * Counts whose members were there for the first time, of days of which hours were computed, and of those after them that
 * knew them as days before.
 */
export const countFirsts = async (tx: Sql, orgId: number, days: readonly number[]): Promise<void> => {
  for (const day of await daysTouched(tx, orgId, days)) {
    for (const level of levelsCounted) await countDay(tx, { orgId, level, day });
  }
};

const daysTouched = async (tx: Sql, orgId: number, days: readonly number[]): Promise<Date[]> => {
  const { rows } = await tx.query<{ starts_at: Date }>(
    `select distinct c.starts_at from unnest($2::timestamptz[]) as d (day)
     join cdr_counts c on c.org_id = $1 and c.unit = 'day' and c.level = 'all'
       and c.starts_at between d.day and d.day + make_interval(days => $3)
     order by 1`,
    [orgId, days.map((day) => new Date(day)), daysEarlier],
  );
  return rows.map(({ starts_at }) => starts_at);
};

interface DayOfLevel {
  orgId: number;
  level: Level;
  day: Date;
}

interface SetRow {
  part: number;
  starts_at: Date;
  sim_set: Buffer;
  session_set: Buffer;
}

const countDay = async (tx: Sql, { orgId, level, day }: DayOfLevel): Promise<void> => {
  const read = async (unit: 'hour' | 'day', from: Date, to: Date) => {
    const { rows } = await tx.query<SetRow>(
      `select part, starts_at, sim_set, session_set from cdr_counts
       where org_id = $1 and unit = $2 and level = $3 and starts_at >= $4 and starts_at < $5 order by starts_at`,
      [orgId, unit, level, from, to],
    );
    const byPart = new Map<number, SetRow[]>(rows.map(({ part }) => [part, []]));
    for (const row of rows) byPart.get(row.part)?.push(row);
    return byPart;
  };
  const hoursOf = await read('hour', day, new Date(day.getTime() + dayMs));
  const earlierOf = await read('day', new Date(day.getTime() - daysEarlier * dayMs), day);
  const found = [...hoursOf].flatMap(([part, hours]) => {
    const earlier: SetRow[] = [];
    for (const row of earlierOf.get(part) ?? []) {
      earlier[(day.getTime() - row.starts_at.getTime()) / dayMs - 1] = row;
    }
    const nearest = Array.from({ length: daysEarlier }, (_, index) => earlier[index]);
    const sims = firstsOf(
      hours.map(({ sim_set }) => sim_set),
      nearest.map((row) => row?.sim_set),
    );
    const sessions = firstsOf(
      hours.map(({ session_set }) => session_set),
      nearest.map((row) => row?.session_set),
    );
    return [
      { unit: 'day', at: day, part, sims: addedUp(sims), sessions: addedUp(sessions) },
      ...hours.map(({ starts_at: at }, index) => ({
        unit: 'hour',
        at,
        part,
        sims: sims[index] ?? [],
        sessions: sessions[index] ?? [],
      })),
    ];
  });
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
