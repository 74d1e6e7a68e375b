import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Sql } from '../../platform/db/index.ts';
import {
  bringBack,
  countWorkers,
  distributeFunction,
  distributeTable,
  dropLeftOver,
  findHolder,
  hasCitus,
  leftOver,
  listFunctions,
  listSpread,
} from './distribute.queries.ts';
import { distribution, tablesBySim } from './distribution.ts';

/** What there is to do until every table that goes by SIM is spread. */
export interface Plan {
  workers: number;
  /** Functions that workers do not know yet. */
  functions: string[];
  /** In the order in which they are spread. */
  tables: string[];
  /** Spread by a version before, and better on the coordinator. */
  broughtBack: string[];
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
    broughtBack: [...spread.keys()].filter(
      (table) => Object.hasOwn(distribution, table) && !tablesBySim.includes(table),
    ),
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
  /** Between the first two tries; each one after is twice as long, 30 s at most. What waited behind the lock goes on meanwhile. */
  pauseSeconds: number;
  say: (line: string) => void;
}

const longestPauseSeconds = 30;

/**
 * Spreads the tables that go by SIM, one after the other, each in a transaction of its own; what is done stays done, and
 * to repeat it does the rest.
 * @throws NotSpreadable when a table stays locked by others
 */
export const distribute = async (pool: pg.Pool, options: Options): Promise<void> => {
  const { shards, lockSeconds, say } = options;
  const plan = await planDistribution(pool);
  for (const signature of plan.functions) await distributeFunction(pool, signature);
  for (const table of plan.broughtBack) {
    await persistently(pool, { ...options, table, work: () => bringBack(pool, { table, lockSeconds }) });
    say(`${table}: brought back to the coordinator`);
  }
  let { beside } = plan;
  for (const table of plan.tables) {
    const step = { table, shards, beside, lockSeconds };
    const from = performance.now();
    await persistently(pool, { ...options, table, work: () => distributeTable(pool, step) });
    say(`${table}: spread in ${((performance.now() - from) / 1000).toFixed(1)} s`);
    beside ??= table;
    await giveBack(pool, table, options);
  }
  for (const table of plan.leftOver) await giveBack(pool, table, options);
};

const giveBack = async (pool: pg.Pool, table: string, options: Options): Promise<void> => {
  if ((await leftOver(pool, table)) === 0) return;
  const { lockSeconds, say } = options;
  await persistently(pool, { ...options, table, work: () => dropLeftOver(pool, { table, lockSeconds }) });
  say(`${table}: dropped the rows that the coordinator had kept`);
};

/** Tries until the table's lock is got. @throws NotSpreadable after the last try */
const persistently = async (
  pool: pg.Pool,
  {
    table,
    tries,
    pauseSeconds,
    say,
    work,
  }: Pick<Options, 'tries' | 'pauseSeconds' | 'say'> & { table: string; work: () => Promise<boolean> },
): Promise<void> => {
  for (let tried = 1; !(await work()); tried += 1) {
    const holder = await findHolder(pool, table);
    const by = holder
      ? `${holder.name}, process ${holder.pid}, in a transaction for ${Math.round(holder.seconds)} s`
      : 'others';
    if (tried >= tries)
      throw new NotSpreadable(
        `${table} was locked in each of ${tries} tries, at last by ${by}. What was spread stays so: run this again for the rest`,
      );
    const pause = Math.min(pauseSeconds * 2 ** (tried - 1), longestPauseSeconds);
    say(`${table}: locked by ${by}; try ${tried + 1} of ${tries} in ${pause} s`);
    await sleep(pause * 1000);
  }
};
