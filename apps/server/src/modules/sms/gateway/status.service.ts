import type { Sql } from '../../../platform/db/index.ts';
import { type ConnectionRow, listConnections } from '../connections/connections.queries.ts';
import { isLeaseHeld } from './lease.queries.ts';

/** Of a connection that no process has: the last one that had it could not say that it ended. */
const noWorker = 'no-worker';

/** All connections as they are now: what their process said of them, as long as there is one. */
export const listConnectionsNow = async (sql: Sql): Promise<ConnectionRow[]> => {
  const [rows, isHeld] = [await listConnections(sql), await isLeaseHeld(sql)];
  return isHeld ? rows : rows.map((row) => (row.state === 'closed' ? row : { ...row, state: noWorker }));
};
