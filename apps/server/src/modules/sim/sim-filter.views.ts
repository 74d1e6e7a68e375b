import { lifecycleNumbers, type SimFilter } from '@simcube/contract';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { connectionNumbers } from './sim.rules.ts';
import type { Fragment, SimScope } from './sim-scope.views.ts';
import { mayIdentify, searchPattern } from './sim-search.rules.ts';

/** One condition of a list, in columns whose names are those of `sims` or `sim_live` alone. */
export interface Condition {
  holds: Fragment<SqlBool>;
  /** The columns it reads: a window over the sort order fetches no others. */
  columns: readonly (keyof typeof columns)[];
  /** Whether they are in `sim_live`. */
  live: boolean;
  /** Set when it is known to hold for a handful of SIMs only. */
  few?: true;
  /** Set when an index lists the SIMs that it holds for one by one, so that counting them can stop early. */
  listed?: true;
}

/** Columns that conditions may read, as fragments, so that no name is ever pasted into a statement. */
export const columns = {
  lifecycle: sql`lifecycle`,
  tags: sql`tags`,
  bundle_id: sql`bundle_id`,
  expires_key: sql`expires_key`,
  search_text: sql`search_text`,
  connection: sql`connection`,
  used_bytes: sql`used_bytes`,
  limit_bytes: sql`limit_bytes`,
  usage_percent: sql`usage_percent`,
  over_limit: sql`over_limit`,
} as const;

const dayMs = 86_400_000;

/** The conditions of a filter; all must hold. Bundle codes are looked up, as the planner can then see their number. */
export const conditionsOf = async (
  db: Db,
  { scope, filter, now }: { scope: SimScope; filter: SimFilter; now: Date },
): Promise<Condition[]> => {
  const found: Condition[] = [];
  const add = (holds: Fragment<SqlBool>, columns: Condition['columns'], more: Partial<Condition> = {}) =>
    found.push({ holds, columns, live: false, ...more });
  const listed = true;

  if (filter.lifecycle?.length) {
    const numbers = filter.lifecycle.map((name) => lifecycleNumbers[name]);
    add(sql`lifecycle = any(${numbers}::smallint[])`, ['lifecycle'], { listed });
  }
  if (filter.tags?.length) add(sql`tags @> ${filter.tags}::text[]`, ['tags']);
  if (filter.bundle?.length) {
    const bundles = await db.selectFrom('bundles').select('id').where('code', 'in', filter.bundle).execute();
    add(sql`bundle_id = any(${bundles.map(({ id }) => id)}::bigint[])`, ['bundle_id'], { listed });
  }
  if (filter.expires_within_days !== undefined) {
    const until = new Date(now.getTime() + filter.expires_within_days * dayMs);
    add(sql`expires_key > ${now} and expires_key <= ${until}`, ['expires_key'], { listed });
  }
  if (filter.connection?.length) {
    const numbers = filter.connection.map((name) => connectionNumbers[name]);
    add(sql`connection = any(${numbers}::smallint[])`, ['connection'], { live: true, listed });
  }
  if (filter.over_limit !== undefined) {
    if (filter.over_limit) add(sql`over_limit`, ['over_limit'], { live: true, listed });
    else add(sql`not over_limit`, ['over_limit'], { live: true });
  }
  if (filter.usage_percent_min !== undefined) found.push(usageCondition(filter.usage_percent_min));
  const identified = await identify(db, scope, filter.search ?? '');
  if (identified.length > 0) {
    found.push({ holds: sql`id = any(${identified}::bigint[])`, columns: [], live: false, few: true });
    return found;
  }
  const search = searchPattern(filter.search ?? '');
  if (search.kind === 'nothing') add(sql`false`, ['search_text']);
  if (search.kind === 'pattern') {
    add(sql`search_text like lower(${search.like})`, ['search_text']);
    // Concatenation hides the column from the index: the first condition is the one to look up.
    if (search.recheck) add(sql`(search_text || '') like ${search.recheck}`, ['search_text']);
  }
  return found;
};

/** Whole percents are in an index; what lies between is checked besides. SIMs without a limit have no share. */
const usageCondition = (percent: number): Condition => {
  const exact = sql<SqlBool>`limit_bytes > 0 and used_bytes::float8 * 100 >= limit_bytes::float8 * ${percent}::float8`;
  const whole = Math.floor(percent);
  // Below one percent there is nothing to look up: nearly every SIM with a limit is there.
  if (whole === 0) return { holds: exact, columns: ['limit_bytes', 'used_bytes'], live: true };
  const found = sql<SqlBool>`usage_percent > 0 and usage_percent >= ${whole}::smallint`;
  if (whole === percent) return { holds: found, columns: ['usage_percent'], live: true, listed: true };
  return {
    holds: sql<SqlBool>`${found} and ${exact}`,
    columns: ['limit_bytes', 'used_bytes', 'usage_percent'],
    live: true,
  };
};

/** The SIMs whose whole ICCID, IMSI or MSISDN the text is: found at once, while a part has to be searched for. */
const identify = async (db: Db, scope: SimScope, text: string): Promise<number[]> => {
  if (!mayIdentify(text)) return [];
  const whole = text.trim();
  const { rows } = await sql<{ id: number }>`
    select s.id from sims s
    where ${scope.sims} and (iccid = ${whole} or imsi = ${whole} or msisdn = ${whole})`.execute(db);
  return rows.map(({ id }) => id);
};
