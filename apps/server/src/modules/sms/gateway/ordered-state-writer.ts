import type { ClientState } from '@simcube/smpp';

export interface ConnectionState {
  /** Id of the connection. */
  id: number;
  state: ClientState | 'unreadable';
  error: string | null;
  now: Date;
}

/**
 * Allows one write at a time per connection and then writes only the latest of its newer states: concurrent writes
 * could finish in the wrong order, and a connection would be shown in an old state until its next change.
 */
export const orderedStateWriter = (
  save: (state: ConnectionState) => Promise<void>,
): ((state: ConnectionState) => Promise<void>) => {
  const writing = new Set<number>();
  const latest = new Map<number, ConnectionState>();
  return async (state) => {
    const { id } = state;
    latest.set(id, state);
    if (writing.has(id)) return;
    writing.add(id);
    try {
      for (let next = latest.get(id); next; next = latest.get(id)) {
        latest.delete(id);
        await save(next).catch((error: unknown) => {
          if (!latest.has(id)) throw error;
        });
      }
    } finally {
      writing.delete(id);
    }
  };
};
