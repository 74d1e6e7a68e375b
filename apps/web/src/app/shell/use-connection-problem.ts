import { type QueryCacheNotifyEvent, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isTemporary } from '../../lib/api-client/index.ts';
import { probeLive, useSilentSince } from '../../lib/live/index.ts';
import { now } from '../../lib/time/index.ts';
import { type ConnectionProblem, connectionProblemOf, isSame } from './connection-problem.ts';

/** Minimum time between two checks after changes; also the interval of checks while requests are running. */
const checkEveryMs = 250;
/** A stream that is replaced sooner is not reported, unless the browser is offline. */
const toleratedSilenceMs = 800;

/**
 * Whether the page is up to date, and a function to retry now. The console also retries automatically: each query on its own, and
 * all failed ones when the network or the stream returns.
 */
export const useConnectionProblem = (): { problem: ConnectionProblem | null; retry: () => void } => {
  const queries = useQueryClient();
  const silentSince = useLasting(useSilentSince());
  const [problem, setProblem] = useState<ConnectionProblem | null>(null);
  const sentAt = useRef(new Map<string, number>());
  useEffect(
    () =>
      watch(queries, sentAt.current, () => {
        const next = connectionProblemOf(queries.getQueryCache(), {
          now: now(),
          sentAt: sentAt.current,
          silentSince,
        });
        setProblem((before) => (isSame(before, next) ? before : next));
      }),
    [queries, silentSince],
  );
  const isLost = problem?.kind === 'lost';
  useEffect(() => {
    if (isLost) probeLive();
  }, [isLost]);
  useReconnect(silentSince === null, () => void refetchMissing(queries));
  return {
    problem,
    retry: () => {
      probeLive();
      void refetchMissing(queries);
    },
  };
};

/** Records when requests are sent, and calls `check` after changes. @returns a function that stops it */
const watch = (queries: QueryClient, sentAt: Map<string, number>, check: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const scheduleCheck = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      check();
      if (sentAt.size > 0) scheduleCheck();
    }, checkEveryMs);
  };
  const unsubscribe = queries.getQueryCache().subscribe(({ type, query }: QueryCacheNotifyEvent) => {
    if (type === 'removed' || query.state.fetchStatus === 'idle') sentAt.delete(query.queryHash);
    else if (!sentAt.has(query.queryHash)) sentAt.set(query.queryHash, now());
    scheduleCheck();
  });
  check();
  scheduleCheck();
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
};

const useLasting = (since: number | null): number | null => {
  const [lasting, setLasting] = useState<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(
      () => setLasting(since),
      since === null || !navigator.onLine ? 0 : toleratedSilenceMs,
    );
    return () => clearTimeout(timer);
  }, [since]);
  return since === null ? null : lasting;
};

/** Calls `onReconnect` when the stream returns and when the browser reports that it is online again. */
const useReconnect = (isStreaming: boolean, onReconnect: () => void): void => {
  const reconnect = useEffectEvent(onReconnect);
  const wasStreaming = useRef(true);
  useEffect(() => {
    if (isStreaming && !wasStreaming.current) reconnect();
    wasStreaming.current = isStreaming;
  }, [isStreaming]);
  useEffect(() => {
    const listen = (): void => reconnect();
    window.addEventListener('online', listen);
    return () => window.removeEventListener('online', listen);
  }, []);
};

/** Requests everything on screen that is missing, including queries whose response was lost on its way. */
const refetchMissing = async (queries: QueryClient): Promise<void> => {
  const missing = new Set(
    queries
      .getQueryCache()
      .findAll({ type: 'active' })
      .filter(({ state }) => state.fetchStatus !== 'idle' || isTemporary(state.error))
      .map(({ queryHash }) => queryHash),
  );
  const filters = { predicate: ({ queryHash }: { queryHash: string }) => missing.has(queryHash) };
  await queries.cancelQueries(filters);
  await queries.refetchQueries(filters);
};
