import { listTableSizes } from '../main/support/support.views.ts';
import type { Sql } from '../platform/db/index.ts';

/** The size of each table, including indexes and TOAST, of the partitions with rows; after an `analyze`. */
export const readTableBytes = async (sql: Sql): Promise<Map<string, number>> => {
  const bytesByTable = new Map<string, number>();
  for (const { table, partitionOf, rows, totalBytes } of await listTableSizes(sql)) {
    const name = partitionOf ?? table;
    if (rows > 0) bytesByTable.set(name, (bytesByTable.get(name) ?? 0) + totalBytes);
  }
  return bytesByTable;
};
