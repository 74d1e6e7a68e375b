import { type SqlBool, sql } from 'kysely';
import type { Fragment, SampleSteps } from './list.ts';
import {
  all,
  and,
  type Counted,
  columnsRead,
  from,
  keyOf,
  own,
  tablesRead,
  used,
  type Wanted,
} from './wanted.ts';
import { idsOf } from './ways.ts';

/** How many matching rows have each value of a column; with `gte`, minimum numbers. */
export interface Groups extends Counted {
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
  wanted: Wanted,
  { by, rows = 0 }: { by: string; rows: number | undefined },
): Promise<Groups> => {
  const { list, order, conditions } = wanted;
  const { sample, few } = list.steps?.(order.sort) ?? {};
  const lookedUp = async (most?: number) => counted(await matchedGroups(wanted, { by, most }), most);
  if (list.counted === 'all' || (sample && rows <= sample.many)) return lookedUp();
  if (few && conditions.some((condition) => condition.few)) return lookedUp(few);
  if (!sample) return lookedUp(list.counted);
  const near = await sampledGroups(wanted, { by, rows: sample.few, most: sample.few });
  if (totalOf(near) < sample.denseShare * sample.few) return lookedUp(list.counted);
  const most = rows > sample.countedOut ? sample.leastShown : list.counted;
  const sampled = counted(await sampledGroups(wanted, { by, rows: sample.many, most }), most);
  return sampled.relation === 'gte' ? sampled : lookedUp(list.counted);
};

const totalOf = (found: readonly GroupRow[]): number => found.reduce((sum, { rows }) => sum + rows, 0);

const counted = (found: readonly GroupRow[], most: number | undefined): Groups => {
  const total = totalOf(found);
  const counts = new Map(found.map(({ value, rows }) => [value, rows]));
  return most !== undefined && total > most
    ? { counts, total: most, relation: 'gte' }
    : { counts, total, relation: 'eq' };
};

const grouped = async ({ db }: Wanted, values: Fragment): Promise<readonly GroupRow[]> => {
  const { rows } = await sql<GroupRow>`
    select value, count(*) as rows from (${values}) as found group by value`.execute(db);
  return rows;
};

const limited = (most: number | undefined): Fragment => (most === undefined ? sql`` : sql`limit ${most + 1}`);

/** Counts matches that are looked up. */
const matchedGroups = (
  wanted: Wanted,
  { by, most }: { by: string; most: number | undefined },
): Promise<readonly GroupRow[]> => {
  const [first] = wanted.list.tables;
  const ids = idsOf(wanted, most === undefined ? undefined : most + 1);
  return grouped(
    wanted,
    sql`select ${sql.ref(by)} as value from (${ids} offset 0) as matched
      join ${first.from(wanted)} on ${keyOf(wanted, [first])} = matched_id`,
  );
};

/** Counts the matches among the first rows in key order. */
const sampledGroups = (
  wanted: Wanted,
  { by, rows, most }: { by: string; rows: SampleSteps['few' | 'many']; most: number },
): Promise<readonly GroupRow[]> => {
  const { conditions, list } = wanted;
  const tables = used(wanted, [list.tables[0].name, ...tablesRead(wanted, conditions)]);
  const read = columnsRead([...conditions, { holds: sql<SqlBool>`true`, columns: [by] }]);
  return grouped(
    wanted,
    sql`select ${sql.ref(by)} as value from (
        select ${sql.join(read)} ${from(wanted, tables)} where ${and(own(wanted, tables))}
        order by ${keyOf(wanted, tables)} limit ${rows}) as walked
      where ${and(all(conditions))} ${limited(most)}`,
  );
};
