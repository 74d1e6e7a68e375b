import type { Connection, SimRow } from '@simcube/contract/sim';

/** What the live stream reported since the last update of the screen, by SIM. */
export interface LiveNews {
  bytes: ReadonlyMap<string, number>;
  connections: ReadonlyMap<string, Connection>;
}

/** Rows with the news in place. The same array and the same rows where nothing changed, so nothing redraws. */
export const withNews = (rows: readonly SimRow[], { bytes, connections }: LiveNews): readonly SimRow[] => {
  let changed = false;
  const next = rows.map((row) => {
    const added = bytes.get(row.iccid) ?? 0;
    const connection = connections.get(row.iccid) ?? row.connection;
    if (added === 0 && connection === row.connection) return row;
    changed = true;
    return {
      ...row,
      connection,
      // Without a session there is none that the network has to end.
      network_overdue: connection === 'offline' ? null : row.network_overdue,
      cycle_usage_bytes: row.cycle_usage_bytes + added,
      week_bytes: addToday(row, added),
    };
  });
  return changed ? next : rows;
};

const addToday = ({ week_bytes: week }: SimRow, added: number): number[] =>
  week.map((bytes, index) => (index === week.length - 1 ? bytes + added : bytes));
