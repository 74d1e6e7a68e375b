import type pg from 'pg';
import type { Sql } from '../../platform/db/index.ts';
import {
  countWorkers,
  distributeFunction,
  distributeTable,
  dropLeftOver,
  hasCitus,
  leftOver,
  listFunctions,
  listSpread,
} from './distribute.queries.ts';
import { tablesBySim } from './distribution.ts';

/** What there is to do until every table that goes by SIM is spread. */
export interface Plan {
  workers: number;
  /** Functions that workers do not know yet. */
  functions: string[];
  /** In the order in which they are spread. */
  tables: string[];
  /** Spread already, with rows left on the coordinator from before. */
  leftOver: string[];
  /** A table whose nodes the others' rows are put on. */
  beside: string | undefined;
}

/** Why nothing can be spread here. */
export class NotSpreadable extends Error {}

/**
 * @throws NotSpreadable where the database has no Citus or no worker, or where a table was spread in another way, which
 * people have to put right
 */
export const planDistribution = async (sql: Sql): Promise<Plan> => {
  if (!(await hasCitus(sql)))
    throw new NotSpreadable('This database has no Citus: its tables stay on one server');
  const workers = await countWorkers(sql);
  if (workers === 0)
    throw new NotSpreadable('The cluster has no worker yet: add one with citus_add_node(host, port)');
  const spread = await listSpread(sql);
  const ours = tablesBySim.flatMap((table) => {
    const how = spread.get(table);
    return how ? [{ table, ...how }] : [];
  });
  const [first] = ours;
  const odd = ours.find(({ column, colocation }) => column !== 'sim_id' || colocation !== first?.colocation);
  if (odd)
    throw new NotSpreadable(
      `${odd.table} was spread by ${odd.column} or on other nodes than ${first?.table}: undo it with undistribute_table('${odd.table}')`,
    );
  const withLeftOver: string[] = [];
  for (const { table } of ours) if ((await leftOver(sql, table)) > 0) withLeftOver.push(table);
  return {
    workers,
    functions: await listFunctions(sql),
    tables: tablesBySim.filter((table) => !spread.has(table)),
    leftOver: withLeftOver,
    beside: first?.table,
  };
};

interface Options {
  /** Of all tables together: each worker takes its share, and the number stays. */
  shards: number;
  lockSeconds: number;
  /** How often a table is tried whose lock was not got. */
  tries: number;
  say: (line: string) => void;
}

/**
 * Spreads the tables that go by SIM, one after the other, each in a transaction of its own; what is done stays done, and
 * to repeat it does the rest.
 * @throws NotSpreadable when a table stays locked by others
 */
export const distribute = async (
  pool: pg.Pool,
  { shards, lockSeconds, tries, say }: Options,
): Promise<void> => {
  const plan = await planDistribution(pool);
  for (const signature of plan.functions) await distributeFunction(pool, signature);
  let { beside } = plan;
  for (const table of plan.tables) {
    const step = { table, shards, beside, lockSeconds };
    const from = performance.now();
    let isDone = await distributeTable(pool, step);
    for (let tried = 1; !isDone && tried < tries; tried += 1) {
      say(`${table}: locked by others for ${lockSeconds} s, trying again`);
      isDone = await distributeTable(pool, step);
    }
    if (!isDone)
      throw new NotSpreadable(`${table} is locked by others. What was spread stays; run this again`);
    say(`${table}: spread in ${((performance.now() - from) / 1000).toFixed(1)} s`);
    beside ??= table;
    await giveBack(pool, table, say);
  }
  for (const table of plan.leftOver) await giveBack(pool, table, say);
};

const giveBack = async (pool: pg.Pool, table: string, say: (line: string) => void): Promise<void> => {
  if ((await leftOver(pool, table)) === 0) return;
  await dropLeftOver(pool, table);
  say(`${table}: dropped the rows that the coordinator had kept`);
};
