import type { ClientState } from '@simcube/smpp';

export interface NotedState {
  /** Of the connection. */
  id: number;
  state: ClientState | 'unreadable';
  error: string | null;
  now: Date;
}

/**
 * One write at a time for each connection, and of the states that it came to meanwhile the latest alone: two writes on their way
 * could end in the other order, and a connection would be shown as it was before, until it changes again.
 */
export const statesInOrder = (
  save: (state: NotedState) => Promise<void>,
): ((state: NotedState) => Promise<void>) => {
  const writing = new Set<number>();
  const latest = new Map<number, NotedState>();
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
