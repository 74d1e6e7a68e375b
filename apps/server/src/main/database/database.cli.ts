import type { Command } from 'commander';
import type pg from 'pg';
import { using } from '../../platform/cli/index.ts';
import { type DatabaseState, type DatabaseTable, readDatabaseState } from './database.views.ts';
import { distribution, reasons } from './distribution.ts';

interface DatabaseContext {
  pool: pg.Pool;
  close: () => Promise<void>;
}

/** `simcube db …`: the servers that the database is on. */
export const databaseCommands = (program: Command, open: () => Promise<DatabaseContext>): void => {
  program
    .command('db')
    .description('The database: its servers and tables')
    .command('status')
    .description('Servers, sizes of tables, and which of them are spread over a Citus cluster')
    .option('--json', 'machine-readable output', false)
    .action(({ json }: { json: boolean }) =>
      using(open, async ({ pool }) => {
        const state = await readDatabaseState(pool);
        const tables = state.tables.map((table) => ({ ...table, ...placeOf(table) }));
        console.info(json ? JSON.stringify({ ...state, tables }) : textOf({ ...state, tables }));
      }),
    );
};

interface Placed {
  /** By which column its rows can be spread over nodes; null: it stays on the coordinator. */
  by: 'sim_id' | null;
  why: string | null;
}

interface PlacedState extends Omit<DatabaseState, 'tables'> {
  tables: (DatabaseTable & Placed)[];
}

/** Tables of the job queue are those of its library. */
const placeOf = ({ table }: DatabaseTable): Placed => {
  const place = Object.hasOwn(distribution, table)
    ? distribution[table as keyof typeof distribution]
    : 'work';
  return place === 'sim' ? { by: 'sim_id', why: null } : { by: null, why: reasons[place] };
};

const textOf = (state: PlacedState): string => {
  const { postgresql, citus, nodes, tables } = state;
  const all = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const cluster = citus === undefined ? 'without Citus: one server' : `Citus ${citus}, ${nodes.length} nodes`;
  const shown = tables.map(({ table, bytes, rows, isDistributed, by, why }) => [
    table,
    megabytes(bytes),
    rows === undefined ? 'not analysed' : Math.round(rows).toLocaleString('en-US'),
    isDistributed ? 'by sim_id' : 'one server',
    by === null ? `stays: ${why}` : 'can be spread by sim_id',
  ]);
  return [
    `PostgreSQL ${postgresql}, ${cluster}, ${megabytes(all)}`,
    ...nodes.map(
      ({ address, isCoordinator, isActive, shards, bytes }) =>
        `  ${address}  ${isCoordinator ? 'coordinator' : 'worker'}  ${isActive ? '' : 'NOT ACTIVE  '}${shards} shards  ${megabytes(bytes)}`,
    ),
    ...(nodes.length > 0 ? [`  largest share of a worker: ${skewOf(state)}`] : []),
    '',
    ...aligned([['table', 'size', 'rows', 'now', 'on a cluster'], ...shown]),
  ].join('\n');
};

/** Of the bytes of all workers, beside what an even share would be. */
const skewOf = ({ nodes }: Pick<DatabaseState, 'nodes'>): string => {
  const workers = nodes.filter(({ isCoordinator }) => !isCoordinator).map(({ bytes }) => bytes);
  const all = workers.reduce((sum, bytes) => sum + bytes, 0);
  if (all === 0) return 'nothing is spread';
  const percent = (share: number) => `${Math.round(share * 100)}%`;
  return `${percent(Math.max(...workers) / all)}, evenly ${percent(1 / workers.length)}`;
};

const megabytes = (bytes: number): string =>
  `${(bytes / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`;

const aligned = (rows: readonly string[][]): string[] => {
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
