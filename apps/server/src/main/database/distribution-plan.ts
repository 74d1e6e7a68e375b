import type { DatabaseTable } from './database.views.ts';
import type { Plan } from './distribute.service.ts';

/** The plan in words: for each table what is locked, and for about how long. */
export const textOfPlan = (plan: Plan, tables: readonly DatabaseTable[], shards: number): string => {
  const { workers, functions, beside, broughtBack } = plan;
  if (plan.tables.length + functions.length + plan.leftOver.length + broughtBack.length === 0)
    return `Nothing to do: all tables that go by SIM are spread over ${workers} workers.`;
  const sizes = new Map(tables.map(({ table, bytes }) => [table, bytes]));
  const parts = beside ? `as ${beside} is` : `in ${shards} shards`;
  return [
    `${plan.tables.length} tables to spread over ${workers} workers by sim_id, ${parts}:`,
    ...plan.tables.map((table) => `  ${table}: ${sizeOf(sizes.get(table) ?? 0)}`),
    'One after the other, each in a transaction of its own: while its rows are copied, the table is read and not written',
    '(lock EXCLUSIVE), and what writes it waits: accounting is then not acknowledged, and gateways repeat it. Then the',
    'rows that the coordinator has kept are dropped (lock ACCESS EXCLUSIVE, some milliseconds). Nothing is lost when it is',
    'interrupted: run it again.',
    ...broughtBack.map(
      (table) =>
        `${table}: brought back to the coordinator, ${sizeOf(sizes.get(table) ?? 0)}; it is not read meanwhile`,
    ),
    ...functions.map((signature) => `function ${signature}: made known to the workers`),
    ...plan.leftOver.map((table) => `${table}: rows that the coordinator has kept are dropped`),
  ].join('\n');
};

/** Bytes per second that two cores copied, records with their indexes (decision 19). */
const bytesInSecond = 20_000_000;

/** Megabytes, and for about how long nothing can be written. */
const sizeOf = (bytes: number): string =>
  `${(bytes / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB, about ${Math.ceil(bytes / bytesInSecond)} s`;
