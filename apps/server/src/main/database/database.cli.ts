import type { Command } from 'commander';
import type pg from 'pg';
import { operatorActor, recordAudit } from '../../modules/audit/index.ts';
import { argumentParser, type CliContext, jsonOption, using, wholeNumber } from '../../platform/cli/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { type DatabaseState, type DatabaseTable, readDatabaseState } from './database.views.ts';
import {
  distribute,
  NotDistributable,
  planDistribution,
  shardsOf,
  type TableMove,
} from './distribute.service.ts';
import { distribution, reasons } from './distribution.ts';
import { renderPlan } from './distribution-plan.ts';

/** `simcube db …`: the servers of the database. */
export const databaseCommands = (program: Command, open: () => Promise<CliContext>): void => {
  const database = program.command('db').description('Manage the servers and tables of the database');

  database
    .command('status')
    .description('Show servers, sizes of tables, and which tables are distributed over a Citus cluster')
    .option(...jsonOption)
    .action(({ json }: { json: boolean }) =>
      using(open, async ({ pool }) => {
        const state = await readDatabaseState(pool);
        const tables = state.tables.map((table) => ({ ...table, ...placeOf(table) }));
        console.info(json ? JSON.stringify({ ...state, tables }) : renderState({ ...state, tables }));
      }),
    );

  database
    .command('distribute')
    .description('Distribute the tables keyed by SIM over the workers of a Citus cluster, while servers run')
    .option('--plan', 'only show what would be done', false)
    .option(
      '--shards <count>',
      'number of shards of each table (default: 32); cannot be changed later',
      argumentParser(wholeNumber(1, 1024)),
    )
    .action(({ plan, shards }: { plan: boolean; shards?: number }) =>
      using(open, async ({ pool, clock }) => {
        console.info(await planText(pool, shards, { isPlanOnly: plan }));
        if (plan) return;
        await distribute(pool, {
          shards,
          lockSeconds: 5,
          maxAttempts: 12,
          pauseSeconds: 1,
          say: (line) => console.info(line),
          record: moveRecorder(clock),
        });
      }),
    );
};

export const moveRecorder =
  (clock: Clock) =>
  (tx: Sql, { table, to }: TableMove): Promise<void> =>
    recordAudit(tx, {
      orgId: null,
      actor: operatorActor(),
      at: clock.now(),
      action: to === 'coordinator' ? 'database.table-returned' : 'database.table-distributed',
      subject: { kind: 'installation', id: 'database', name: table },
      after: to === 'coordinator' ? null : to,
    });

/** A plan that is only shown may be that nothing can be distributed here. */
const planText = async (
  pool: pg.Pool,
  shards: number | undefined,
  { isPlanOnly }: { isPlanOnly: boolean },
): Promise<string> => {
  try {
    const plan = await planDistribution(pool);
    const { tables } = await readDatabaseState(pool);
    return renderPlan(plan, tables, shardsOf(plan, shards));
  } catch (error) {
    if (isPlanOnly && error instanceof NotDistributable) return error.message;
    throw error;
  }
};

interface Placement {
  /** The column by which its rows can be distributed over nodes; null: it stays on the coordinator. */
  by: 'sim_id' | null;
  why: string | null;
}

interface StateWithPlacement extends Omit<DatabaseState, 'tables'> {
  tables: (DatabaseTable & Placement)[];
}

/** The job queue's tables are defined by its library. */
const placeOf = ({ table }: DatabaseTable): Placement => {
  const place = Object.hasOwn(distribution, table)
    ? distribution[table as keyof typeof distribution]
    : 'work';
  return place === 'sim' ? { by: 'sim_id', why: null } : { by: null, why: reasons[place] };
};

const renderState = (state: StateWithPlacement): string => {
  const { postgresql, citus, nodes, tables } = state;
  const all = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const cluster = citus === undefined ? 'without Citus: one server' : `Citus ${citus}, ${nodes.length} nodes`;
  const tableRows = tables.map(({ table, bytes, rows, isDistributed, shards, by, why }) => [
    table,
    megabytes(bytes),
    rows === undefined ? 'not analysed' : Math.round(rows).toLocaleString('en-US'),
    isDistributed ? `by sim_id, ${shards} shards` : 'one server',
    placeText({ isDistributed, by, why }),
  ]);
  return [
    `PostgreSQL ${postgresql}, ${cluster}, ${megabytes(all)}`,
    ...nodes.map(
      ({ address, isCoordinator, isActive, shards, bytes }) =>
        `  ${address}  ${isCoordinator ? 'coordinator' : 'worker'}  ${isActive ? '' : 'NOT ACTIVE  '}${shards} shards  ${megabytes(bytes)}`,
    ),
    ...(nodes.length > 0 ? [`  largest share of a worker: ${skewOf(state)}`] : []),
    '',
    ...alignColumns([['table', 'size', 'rows', 'now', 'on a cluster'], ...tableRows]),
  ].join('\n');
};

const placeText = ({ isDistributed, by, why }: Pick<DatabaseTable, 'isDistributed'> & Placement): string => {
  if (by === null) return `stays: ${why}`;
  return isDistributed ? 'is distributed' : 'can be distributed by sim_id';
};

/** The workers' share of bytes compared with an even distribution. */
const skewOf = ({ nodes }: Pick<DatabaseState, 'nodes'>): string => {
  const workers = nodes.filter(({ isCoordinator }) => !isCoordinator).map(({ bytes }) => bytes);
  const all = workers.reduce((sum, bytes) => sum + bytes, 0);
  if (all === 0) return 'nothing is distributed';
  const percent = (share: number) => `${Math.round(share * 100)}%`;
  return `${percent(Math.max(...workers) / all)} (even distribution: ${percent(1 / workers.length)})`;
};

const megabytes = (bytes: number): string =>
  `${(bytes / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`;

const alignColumns = (rows: readonly string[][]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};
