import { dayMs } from '@simcube/contract/time';
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { RecordSelection } from '../cdr-filter.views.ts';
import type { Level } from '../counts/levels.rules.ts';
import { type Sources, storedFirsts } from '../counts/stored.views.ts';
import { type Grouped, type GroupRow, grouped, isTimeKey, readGrouped } from './amounts.views.ts';
import type { Distinct, GroupedResults } from './sums.rules.ts';

/**
 * Whether SIMs and sessions can be counted by first-time counts: the span begins with a day, no records are outside the
 * stored counts (to look up their members would take longer than to unite sets), and, by country, no network changed
 * its country.
 */
export const canCountFirsts = (
  { from }: RecordSelection,
  { remaining, isMoved }: Pick<Sources, 'remaining' | 'isMoved'>,
  level: Level,
): boolean => from.getTime() % dayMs === 0 && remaining === 0 && !(isMoved && level === 'country');

export interface FirstsSpan extends Omit<Grouped, 'usage'> {
  selection: RecordSelection;
  sources: Sources;
  level: Level;
}

/** The number of SIMs and sessions in each group, where each group is one part of the level. */
export const countByFirsts = async (
  db: Db,
  spans: readonly FirstsSpan[],
): Promise<GroupedResults<Distinct>[]> => {
  const queried = spans.map(({ selection, sources, level, keys, offsetSeconds }) => ({
    usage: sql`(${storedFirsts(selection, sources, level)})`,
    keys,
    offsetSeconds,
  }));
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
