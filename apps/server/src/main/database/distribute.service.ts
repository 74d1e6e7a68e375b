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

/** The steps until every table to be distributed by SIM is. */
export interface Plan {
  workers: number;
  /** Functions that workers do not have yet. */
  functions: string[];
  /** Tables to distribute, in this order. */
  tables: string[];
  /** Distributed by a previous version, to be moved back to the coordinator. */
  broughtBack: string[];
  /** Already distributed, with old rows left on the coordinator. */
  leftOver: string[];
  /** A distributed table with which the others are colocated. */
  beside: string | undefined;
}

/** Why nothing can be distributed here. */
export class NotSpreadable extends Error {}

/**
 * @throws NotSpreadable if the database has no Citus or no worker, or if a table was distributed in another
 * way, which the operator must correct
 */
export const planDistribution = async (sql: Sql): Promise<Plan> => {
  if (!(await hasCitus(sql)))
    throw new NotSpreadable('This database does not have Citus: its tables stay on one server');
  const workers = await countWorkers(sql);
  if (workers === 0)
    throw new NotSpreadable('The cluster has no workers yet: add one with citus_add_node(host, port)');
  const spread = await listSpread(sql);
  const ours = tablesBySim.flatMap((table) => {
    const how = spread.get(table);
    return how ? [{ table, ...how }] : [];
  });
  const [first] = ours;
  const odd = ours.find(({ column, colocation }) => column !== 'sim_id' || colocation !== first?.colocation);
  if (odd)
    throw new NotSpreadable(
      `${odd.table} is distributed by ${odd.column} or over other nodes than ${first?.table}: undo this with undistribute_table('${odd.table}')`,
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
  /** For all tables alike, distributed over the workers; the number can't be changed later. */
  shards: number;
  lockSeconds: number;
  /** How often a table is tried when its lock is not acquired. */
  tries: number;
  /**
   * Pause between the first two attempts; each later one is twice as long, 30 s at most. Statements that waited
   * behind the lock run during the pause.
   */
  pauseSeconds: number;
  say: (line: string) => void;
}

const longestPauseSeconds = 30;

/**
 * Distributes the tables by SIM one after the other, each in a separate transaction. Completed tables stay
 * distributed; a repeated call does the rest.
 * @throws NotSpreadable when a table stays locked by others
 */
export const distribute = async (pool: pg.Pool, options: Options): Promise<void> => {
  const { shards, lockSeconds, say } = options;
  const plan = await planDistribution(pool);
  for (const signature of plan.functions) await distributeFunction(pool, signature);
  for (const table of plan.broughtBack) {
    await persistently(pool, { ...options, table, work: () => bringBack(pool, { table, lockSeconds }) });
    say(`${table}: moved back to the coordinator`);
  }
  let { beside } = plan;
  for (const table of plan.tables) {
    const step = { table, shards, beside, lockSeconds };
    const from = performance.now();
    await persistently(pool, { ...options, table, work: () => distributeTable(pool, step) });
    say(`${table}: distributed in ${((performance.now() - from) / 1000).toFixed(1)} s`);
    beside ??= table;
    await giveBack(pool, table, options);
  }
  for (const table of plan.leftOver) await giveBack(pool, table, options);
};

const giveBack = async (pool: pg.Pool, table: string, options: Options): Promise<void> => {
  if ((await leftOver(pool, table)) === 0) return;
  const { lockSeconds, say } = options;
  await persistently(pool, { ...options, table, work: () => dropLeftOver(pool, { table, lockSeconds }) });
  say(`${table}: dropped the rows left on the coordinator`);
};

/**
 * Retries until the table's lock is acquired.
 * @throws NotSpreadable after the last attempt
 */
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
        `${table} was locked at each of ${tries} attempts, most recently by ${by}. Tables already distributed stay so: run this again for the rest`,
      );
    const pause = Math.min(pauseSeconds * 2 ** (tried - 1), longestPauseSeconds);
    say(`${table}: locked by ${by}; attempt ${tried + 1} of ${tries} in ${pause} s`);
    await sleep(pause * 1000);
  }
};
