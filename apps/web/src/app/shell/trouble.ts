import type { Query, QueryCache } from '@tanstack/react-query';
import { ApiFailure, mayPass } from '../../lib/api-client/index.ts';

/** Why the page is not up to date. */
export interface Trouble {
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
const patienceMs = { silent: 1500, failing: 500 } as const;
export interface Question {
  now: number;
  /** When each running request was sent, by the hash of its query. */
  asked: ReadonlyMap<string, number>;
  /** When the last message arrived on a stream that is being reopened. */
  silentSince: number | null;
}

/** The current trouble: the worst among the queries on screen, else that of the live stream. */
export const troubleOf = (cache: QueryCache, question: Question): Trouble | null => {
  const late = cache.findAll({ type: 'active' }).filter((query) => isLate(query, question));
  const failures = late.flatMap(({ state }) => {
    const failure = state.fetchFailureReason ?? state.error;
    return failure instanceof ApiFailure ? [failure] : [];
  });
  const shownAt = late.flatMap(({ state }) => (state.data === undefined ? [] : [state.dataUpdatedAt]));
  const at = shownAt.length > 0 ? Math.min(...shownAt) : null;
  const { silentSince } = question;
  if (failures.some(({ http }) => http === 0)) return { kind: 'lost', at: silentSince ?? at, failure: null };
  const [failure] = failures;
  if (failure) return { kind: 'failing', at, failure };
  if (late.length > 0) return { kind: 'slow', at, failure: null };
  if (silentSince === null) return null;
  return { kind: navigator.onLine ? 'unheard' : 'lost', at: silentSince, failure: null };
};

const isLate = (query: Query, { asked, now }: Question): boolean => {
  const { fetchStatus, error, fetchFailureReason } = query.state;
  if (fetchStatus === 'idle') return mayPass(error);
  const waited = now - (asked.get(query.queryHash) ?? now);
  return waited >= (mayPass(fetchFailureReason) ? patienceMs.failing : patienceMs.silent);
};

export const isSame = (one: Trouble | null, other: Trouble | null): boolean =>
  one?.kind === other?.kind && one?.at === other?.at && one?.failure?.message === other?.failure?.message;
