import type { Query, QueryCache } from '@tanstack/react-query';
import { ApiFailure, isTemporary } from '../../lib/api-client/index.ts';

/** Why the page is not up to date. */
export interface ConnectionProblem {
  /**
   * `lost`: the server can't be reached; `failing`: it responds with errors; `slow`: no response yet; `unheard`: only live
   * updates are lost.
   */
  kind: 'lost' | 'failing' | 'slow' | 'unheard';
  /** The time of the data shown, in milliseconds since 1970; null if nothing is shown yet. */
  at: number | null;
  /** The response of a failing server. */
  failure: ApiFailure | null;
}

/** Time after which a request counts as trouble: without a response, or failed and retried once. */
const toleratedMs = { silent: 1500, failing: 500 } as const;
export interface ConnectionState {
  now: number;
  /** When each running request was sent, by the hash of its query. */
  sentAt: ReadonlyMap<string, number>;
  /** When the last message arrived on a stream that is being reopened. */
  silentSince: number | null;
}

/** The current trouble: the worst among the queries on screen, else that of the live stream. */
export const connectionProblemOf = (
  cache: QueryCache,
  connection: ConnectionState,
): ConnectionProblem | null => {
  const late = cache.findAll({ type: 'active' }).filter((query) => isLate(query, connection));
  const failures = late.flatMap(({ state }) => {
    const failure = state.fetchFailureReason ?? state.error;
    return failure instanceof ApiFailure ? [failure] : [];
  });
  const shownAt = late.flatMap(({ state }) => (state.data === undefined ? [] : [state.dataUpdatedAt]));
  const at = shownAt.length > 0 ? Math.min(...shownAt) : null;
  const { silentSince } = connection;
  if (failures.some(({ http }) => http === 0)) return { kind: 'lost', at: silentSince ?? at, failure: null };
  const [failure] = failures;
  if (failure) return { kind: 'failing', at, failure };
  if (late.length > 0) return { kind: 'slow', at, failure: null };
  if (silentSince === null) return null;
  return { kind: navigator.onLine ? 'unheard' : 'lost', at: silentSince, failure: null };
};

const isLate = (query: Query, { sentAt, now }: ConnectionState): boolean => {
  const { fetchStatus, error, fetchFailureReason } = query.state;
  if (fetchStatus === 'idle') return isTemporary(error);
  const waited = now - (sentAt.get(query.queryHash) ?? now);
  return waited >= (isTemporary(fetchFailureReason) ? toleratedMs.failing : toleratedMs.silent);
};

export const isSame = (one: ConnectionProblem | null, other: ConnectionProblem | null): boolean =>
  one?.kind === other?.kind && one?.at === other?.at && one?.failure?.message === other?.failure?.message;
