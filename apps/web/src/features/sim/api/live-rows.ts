import type { Connection, SimRow } from '@simcube/contract/sim';
import { type Heard, mayFollow, usedBytes } from '../../../lib/live/index.ts';

/** What the live stream reported last, by SIM. */
export interface RowNews {
  used: ReadonlyMap<string, Heard<number>>;
  connections: ReadonlyMap<string, Heard<Connection>>;
}

/** Rows as they are shown, by the answered ones: the same while the news of them says the same. */
const shown = new WeakMap<SimRow, SimRow>();

/**
 * Rows with the news in place. The same array and the same rows where nothing changed, so nothing redraws.
 *
 * @param answeredAt when the rows came, in milliseconds since 1970
 */
export const withNews = (
  rows: readonly SimRow[],
  answeredAt: number,
  { used, connections }: RowNews,
): readonly SimRow[] => {
  const next = rows.map((row) => {
    const bytes = usedBytes(row.cycle_usage_bytes, answeredAt, used.get(row.iccid));
    const told = connections.get(row.iccid);
    const connection = told && mayFollow(told, answeredAt) ? told.is : row.connection;
    if (bytes === row.cycle_usage_bytes && connection === row.connection) return row;
    const before = shown.get(row);
    if (before?.cycle_usage_bytes === bytes && before.connection === connection) return before;
    const now = { ...withUsage(row, bytes), ...withConnection(row, connection) };
    shown.set(row, now);
    return now;
  });
  return next.some((row, index) => row !== rows[index]) ? next : rows;
};

/** Where a new cycle has begun, what was used in it is today's at most. */
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
