import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Sql } from '../../platform/db/index.ts';
import {
  countWorkers,
  distributeFunction,
  distributeTable,
  dropLeftoverRows,
  findLockHolder,
  hasCitus,
  listDistributedTables,
  listFunctions,
  readLeftoverBytes,
  undistributeTable,
} from './distribute.queries.ts';
import { distribution, tablesBySim } from './distribution.ts';

/** The steps until every table to be distributed by SIM is. */
export interface DistributionPlan {
  workers: number;
  /** Functions that workers do not have yet. */
  functions: string[];
  /** Tables to distribute, in this order. */
  tables: string[];
  /** Distributed by a previous version, to be moved back to the coordinator. */
  tablesToReturn: string[];
  /** Already distributed, with old rows left on the coordinator. */
  tablesWithLeftovers: string[];
  /** A distributed table with which the others are colocated. */
  colocateWith: string | undefined;
  /** The number of its shards, which the others get, too. */
  shards: number | undefined;
}

/** Why nothing can be distributed here. */
export class NotDistributable extends Error {}

/**
 * @throws NotDistributable if the database has no Citus or no worker, or if a table was distributed in another
 * way, which the operator must correct
 */
export const planDistribution = async (sql: Sql): Promise<DistributionPlan> => {
  if (!(await hasCitus(sql)))
    throw new NotDistributable('This database does not have Citus: its tables stay on one server');
  const workers = await countWorkers(sql);
  if (workers === 0)
    throw new NotDistributable('The cluster has no workers yet: add one with citus_add_node(host, port)');
  const existing = await listDistributedTables(sql);
  const distributed = tablesBySim.flatMap((table) => {
    const tableDistribution = existing.get(table);
    return tableDistribution ? [{ table, ...tableDistribution }] : [];
  });
  const [first] = distributed;
  const incompatible = distributed.find(
    ({ column, colocation }) => column !== 'sim_id' || colocation !== first?.colocation,
  );
  if (incompatible)
    throw new NotDistributable(
      `${incompatible.table} is distributed by ${incompatible.column} or over other nodes than ${first?.table}: undo this with undistribute_table('${incompatible.table}')`,
    );
  const tablesWithLeftovers: string[] = [];
  for (const { table } of distributed)
    if ((await readLeftoverBytes(sql, table)) > 0) tablesWithLeftovers.push(table);
  return {
    workers,
    functions: await listFunctions(sql),
    tables: tablesBySim.filter((table) => !existing.has(table)),
    tablesToReturn: [...existing.keys()].filter(
      (table) => Object.hasOwn(distribution, table) && !tablesBySim.includes(table),
    ),
    tablesWithLeftovers,
    colocateWith: first?.table,
    shards: first?.shards,
  };
};

const defaultShards = 32;

/**
 * @param wanted undefined: those that distributed tables have
 * @throws NotDistributable if they have another number: colocated tables can't differ
 */
export const shardsOf = ({ shards, colocateWith }: DistributionPlan, wanted: number | undefined): number => {
  if (shards !== undefined && wanted !== undefined && wanted !== shards)
    throw new NotDistributable(
      `Tables are distributed in ${shards} shards already, as ${colocateWith}, and the number can't be changed: omit --shards`,
    );
  return shards ?? wanted ?? defaultShards;
};

interface Options {
  /** For all tables alike, distributed over the workers; the number can't be changed later. */
  shards?: number | undefined;
  lockSeconds: number;
  /** How often a table is tried when its lock is not acquired. */
  maxAttempts: number;
  /**
   * Pause between the first two attempts; each later one is twice as long, 30 s at most. Statements that waited
   * behind the lock run during the pause.
   */
  pauseSeconds: number;
  say: (line: string) => void;
  /** Writes the audit entry in the transaction that moves the table. */
  record: (tx: Sql, move: TableMove) => Promise<void>;
}

/** A table whose rows other servers have from now on: those of the cluster, or the coordinator alone. */
export interface TableMove {
  table: string;
  to: { shards: number } | 'coordinator';
}

const maxPauseSeconds = 30;

/**
 * Distributes the tables by SIM one after the other, each in a separate transaction. Completed tables stay
 * distributed; a repeated call does the rest.
 * @throws NotDistributable when a table stays locked by others
 */
export const distribute = async (pool: pg.Pool, options: Options): Promise<void> => {
  const { lockSeconds, say, record } = options;
  const plan = await planDistribution(pool);
  const shards = shardsOf(plan, options.shards);
  for (const signature of plan.functions) await distributeFunction(pool, signature);
  for (const table of plan.tablesToReturn) {
    await retryWhileLocked(pool, {
      ...options,
      table,
      work: () =>
        undistributeTable(pool, {
          table,
          lockSeconds,
          record: (tx) => record(tx, { table, to: 'coordinator' }),
        }),
    });
    say(`${table}: moved back to the coordinator`);
  }
  let { colocateWith } = plan;
  for (const table of plan.tables) {
    const step = {
      table,
      shards,
      colocateWith,
      lockSeconds,
      record: (tx: Sql) => record(tx, { table, to: { shards } }),
    };
    const startedAt = performance.now();
    await retryWhileLocked(pool, { ...options, table, work: () => distributeTable(pool, step) });
    say(`${table}: distributed in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    colocateWith ??= table;
    await dropLeftovers(pool, table, options);
  }
  for (const table of plan.tablesWithLeftovers) await dropLeftovers(pool, table, options);
};

const dropLeftovers = async (pool: pg.Pool, table: string, options: Options): Promise<void> => {
  if ((await readLeftoverBytes(pool, table)) === 0) return;
  const { lockSeconds, say } = options;
  await retryWhileLocked(pool, {
    ...options,
    table,
    work: () => dropLeftoverRows(pool, { table, lockSeconds }),
  });
  say(`${table}: dropped the rows left on the coordinator`);
};

/**
 * Retries until the table's lock is acquired.
 * @throws NotDistributable after the last attempt
 */
const retryWhileLocked = async (
  pool: pg.Pool,
  {
    table,
    maxAttempts,
    pauseSeconds,
    say,
    work,
  }: Pick<Options, 'maxAttempts' | 'pauseSeconds' | 'say'> & { table: string; work: () => Promise<boolean> },
): Promise<void> => {
  for (let attempt = 1; !(await work()); attempt += 1) {
    const holder = await findLockHolder(pool, table);
    const holderText = holder
      ? `${holder.name}, process ${holder.pid}, in a transaction for ${Math.round(holder.seconds)} s`
      : 'others';
    if (attempt >= maxAttempts)
      throw new NotDistributable(
        `${table} was locked at each of ${maxAttempts} attempts, most recently by ${holderText}. Tables already distributed stay so: run this again for the rest`,
      );
    const pause = Math.min(pauseSeconds * 2 ** (attempt - 1), maxPauseSeconds);
    say(`${table}: locked by ${holderText}; attempt ${attempt + 1} of ${maxAttempts} in ${pause} s`);
    await sleep(pause * 1000);
  }
};
