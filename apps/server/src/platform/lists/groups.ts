import { type SqlBool, sql } from 'kysely';
import type { Fragment, SampleLimits } from './list.ts';
import {
  and,
  columnsOfConditions,
  fromClause,
  keyOf,
  type MatchCount,
  type PageRequest,
  predicatesOf,
  scopePredicates,
  tablesFor,
  tablesOfConditions,
} from './page-request.ts';
import { idsOf } from './strategies.ts';

/** How many matching rows have each value of a column; with `gte`, minimum numbers. */
export interface Groups extends MatchCount {
  counts: ReadonlyMap<unknown, number>;
}

interface GroupRow {
  value: unknown;
  rows: number;
}

/**
 * Counts the matches by the values of a column of the first table, as far as for a page: in a sample if matches
 * are everywhere, else by looking matches up. If the scope has no more rows than a sample, all are counted.
 */
export const groupsOf = async (
  request: PageRequest,
  { by, rows = 0 }: { by: string; rows: number | undefined },
): Promise<Groups> => {
  const { list, order, conditions } = request;
  const { sample, few } = list.searchLimits?.(order.sort) ?? {};
  const countLookedUp = async (limit?: number) =>
    groupsFrom(await matchedGroups(request, { by, limit }), limit);
  if (list.countLimit === 'all' || (sample && rows <= sample.many)) return countLookedUp();
  if (few && conditions.some((condition) => condition.few)) return countLookedUp(few);
  if (!sample) return countLookedUp(list.countLimit);
  const probe = await sampledGroups(request, { by, rows: sample.few, limit: sample.few });
  if (totalOf(probe) < sample.denseShare * sample.few) return countLookedUp(list.countLimit);
  const limit = rows > sample.reducedCountAbove ? sample.reducedCount : list.countLimit;
  const sampled = groupsFrom(await sampledGroups(request, { by, rows: sample.many, limit }), limit);
  return sampled.relation === 'gte' ? sampled : countLookedUp(list.countLimit);
};

const totalOf = (groups: readonly GroupRow[]): number => groups.reduce((sum, { rows }) => sum + rows, 0);

const groupsFrom = (groups: readonly GroupRow[], limit: number | undefined): Groups => {
  const total = totalOf(groups);
  const counts = new Map(groups.map(({ value, rows }) => [value, rows]));
  return limit !== undefined && total > limit
    ? { counts, total: limit, relation: 'gte' }
    : { counts, total, relation: 'eq' };
};

const grouped = async ({ db }: PageRequest, values: Fragment): Promise<readonly GroupRow[]> => {
  const { rows } = await sql<GroupRow>`
    select value, count(*) as rows from (${values}) as found group by value`.execute(db);
  return rows;
};

const limited = (limit: number | undefined): Fragment =>
  limit === undefined ? sql`` : sql`limit ${limit + 1}`;

/** Counts matches that are looked up. */
const matchedGroups = (
  request: PageRequest,
  { by, limit }: { by: string; limit: number | undefined },
): Promise<readonly GroupRow[]> => {
  const [first] = request.list.tables;
  const ids = idsOf(request, limit === undefined ? undefined : limit + 1);
  return grouped(
    request,
    sql`select ${sql.ref(by)} as value from (${ids} offset 0) as matched
      join ${first.from(request)} on ${keyOf(request, [first])} = matched_id`,
  );
};

/** Counts the matches among the first rows in key order. */
const sampledGroups = (
  request: PageRequest,
  { by, rows, limit }: { by: string; rows: SampleLimits['few' | 'many']; limit: number },
): Promise<readonly GroupRow[]> => {
  const { conditions, list } = request;
  const tables = tablesFor(request, [list.tables[0].name, ...tablesOfConditions(request, conditions)]);
  const read = columnsOfConditions([...conditions, { holds: sql<SqlBool>`true`, columns: [by] }]);
  return grouped(
    request,
    sql`select ${sql.ref(by)} as value from (
        select ${sql.join(read)} ${fromClause(request, tables)} where ${and(scopePredicates(request, tables))}
        order by ${keyOf(request, tables)} limit ${rows}) as walked
      where ${and(predicatesOf(conditions))} ${limited(limit)}`,
  );
};
