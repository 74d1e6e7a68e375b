import type { Connection, SimRow } from '@simcube/contract/sim';
import { latestUsedBytes, mayBeNewer, type Received } from '../../../lib/live/index.ts';

/** The latest live news by SIM. */
export interface RowUpdates {
  used: ReadonlyMap<string, Received<number>>;
  connections: ReadonlyMap<string, Received<Connection>>;
}

/** Displayed rows by the rows of the response: they keep their identity while their news does not change. */
const displayedRows = new WeakMap<SimRow, SimRow>();

/**
 * Applies news to rows. Unchanged rows, and an unchanged array, keep their identity, so nothing re-renders.
 *
 * @param receivedAt when the rows arrived, in milliseconds since 1970
 */
export const withUpdates = (
  rows: readonly SimRow[],
  receivedAt: number,
  { used, connections }: RowUpdates,
): readonly SimRow[] => {
  const next = rows.map((row) => {
    const bytes = latestUsedBytes(row.cycle_usage_bytes, receivedAt, used.get(row.iccid));
    const update = connections.get(row.iccid);
    const connection = update && mayBeNewer(update, receivedAt) ? update.value : row.connection;
    if (bytes === row.cycle_usage_bytes && connection === row.connection) return row;
    const previous = displayedRows.get(row);
    if (previous?.cycle_usage_bytes === bytes && previous.connection === connection) return previous;
    const updated = { ...withUsage(row, bytes), ...withConnection(row, connection) };
    displayedRows.set(row, updated);
    return updated;
  });
  return next.some((row, index) => row !== rows[index]) ? next : rows;
};

/** If a new cycle has begun, all of its usage is at most today's. */
const withUsage = (row: SimRow, bytes: number): SimRow => {
  const added = bytes < row.cycle_usage_bytes ? bytes : bytes - row.cycle_usage_bytes;
  const week = row.week_bytes;
  return {
    ...row,
    cycle_usage_bytes: bytes,
    week_bytes: week.map((day, index) => (index === week.length - 1 ? day + added : day)),
  };
};

/** Without a session there is none that the network has to end. */
const withConnection = (row: SimRow, connection: Connection) => ({
  connection,
  network_overdue: connection === 'offline' ? null : row.network_overdue,
});
