import type { DatabaseTable } from './database.views.ts';
import type { DistributionPlan } from './distribute.service.ts';

/** The plan in words: for each table what is locked, and for about how long. */
export const renderPlan = (
  plan: DistributionPlan,
  tables: readonly DatabaseTable[],
  shards: number,
): string => {
  const { workers, functions, colocateWith, tablesToReturn } = plan;
  if (plan.tables.length + functions.length + plan.tablesWithLeftovers.length + tablesToReturn.length === 0)
    return `Nothing to do: all tables keyed by SIM are distributed over ${workers} workers.`;
  const sizes = new Map(tables.map(({ table, bytes }) => [table, bytes]));
  const placement = colocateWith ? `colocated with ${colocateWith}` : `in ${shards} shards`;
  return [
    `${plan.tables.length} tables to distribute over ${workers} workers by sim_id, ${placement}:`,
    ...plan.tables.map((table) => `  ${table}: ${sizeOf(sizes.get(table) ?? 0)}`),
    'They are distributed one after the other, each in its own transaction. While its rows are copied, a table can be read',
    'but not written (lock EXCLUSIVE), and writers wait: accounting is not acknowledged, and gateways retransmit it. Then the',
    'rows left on the coordinator are dropped (lock ACCESS EXCLUSIVE, some milliseconds). If this is interrupted, nothing is',
    'lost: run it again.',
    ...tablesToReturn.map(
      (table) =>
        `${table}: moved back to the coordinator, ${sizeOf(sizes.get(table) ?? 0)}; until then, it cannot be read`,
    ),
    ...functions.map((signature) => `function ${signature}: distributed to the workers`),
    ...plan.tablesWithLeftovers.map((table) => `${table}: rows left on the coordinator are dropped`),
  ].join('\n');
};

/** Bytes per second that two cores copied, records with their indexes (decision 19). */
const bytesPerSecond = 20_000_000;

/** Megabytes, and for about how long nothing can be written. */
const sizeOf = (bytes: number): string =>
  `${(bytes / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB, about ${Math.ceil(bytes / bytesPerSecond)} s`;
