import type { Sql } from '../../../platform/db/index.ts';
import { type ConnectionRow, listConnections } from '../connections/connections.queries.ts';
import { isLeaseHeld } from './lease.queries.ts';

/** State of a connection without a process: the last one could not report its end. */
const noWorker = 'no-worker';

/** All connections with their current states, as reported by their process, if there is one. */
export const listConnectionStates = async (sql: Sql): Promise<ConnectionRow[]> => {
  const [rows, isHeld] = [await listConnections(sql), await isLeaseHeld(sql)];
  return isHeld ? rows : rows.map((row) => (row.state === 'closed' ? row : { ...row, state: noWorker }));
};
