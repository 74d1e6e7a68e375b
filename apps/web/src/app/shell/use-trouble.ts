import { type QueryCacheNotifyEvent, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { mayPass } from '../../lib/api-client/index.ts';
import { probeLive, useSilentSince } from '../../lib/live/index.ts';
import { now } from '../../lib/time/index.ts';
import { isSame, type Trouble, troubleOf } from './trouble.ts';

/** Minimum time between two checks after changes; also the interval of checks while requests are running. */
const lookEveryMs = 250;
/** A stream that is replaced sooner is not reported, unless the browser is offline. */
const silenceMs = 800;

/**
 * Whether the page is up to date, and a function to retry now. The console also retries automatically: each query on its own, and
 * all failed ones when the network or the stream returns.
 */
export const useTrouble = (): { trouble: Trouble | null; retry: () => void } => {
  const queries = useQueryClient();
  const silentSince = useLasting(useSilentSince());
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const asked = useRef(new Map<string, number>());
  useEffect(
    () =>
      watch(queries, asked.current, () => {
        const next = troubleOf(queries.getQueryCache(), { now: now(), asked: asked.current, silentSince });
        setTrouble((before) => (isSame(before, next) ? before : next));
      }),
    [queries, silentSince],
  );
  const isLost = trouble?.kind === 'lost';
  useEffect(() => {
    if (isLost) probeLive();
  }, [isLost]);
  useReturn(silentSince === null, () => void askAgain(queries));
  return {
    trouble,
    retry: () => {
      probeLive();
      void askAgain(queries);
    },
  };
};

/** Records when requests are sent, and calls `look` after changes. @returns a function that stops it */
const watch = (queries: QueryClient, asked: Map<string, number>, look: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const lookSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      look();
      if (asked.size > 0) lookSoon();
    }, lookEveryMs);
  };
  const end = queries.getQueryCache().subscribe(({ type, query }: QueryCacheNotifyEvent) => {
    if (type === 'removed' || query.state.fetchStatus === 'idle') asked.delete(query.queryHash);
    else if (!asked.has(query.queryHash)) asked.set(query.queryHash, now());
    lookSoon();
  });
  look();
  lookSoon();
  return () => {
    clearTimeout(timer);
    end();
  };
};

const useLasting = (since: number | null): number | null => {
  const [lasting, setLasting] = useState<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setLasting(since), since === null || !navigator.onLine ? 0 : silenceMs);
    return () => clearTimeout(timer);
  }, [since]);
  return since === null ? null : lasting;
};

/** Calls `back` when the stream returns and when the browser reports that it is online again. */
const useReturn = (isHeard: boolean, back: () => void): void => {
  const onBack = useEffectEvent(back);
  const wasHeard = useRef(true);
  useEffect(() => {
    if (isHeard && !wasHeard.current) onBack();
    wasHeard.current = isHeard;
  }, [isHeard]);
  useEffect(() => {
    const listen = (): void => onBack();
    window.addEventListener('online', listen);
    return () => window.removeEventListener('online', listen);
  }, []);
};

/** Requests everything on screen that is missing, including queries whose response was lost on its way. */
const askAgain = async (queries: QueryClient): Promise<void> => {
  const missing = new Set(
    queries
      .getQueryCache()
      .findAll({ type: 'active' })
      .filter(({ state }) => state.fetchStatus !== 'idle' || mayPass(state.error))
      .map(({ queryHash }) => queryHash),
  );
  const those = { predicate: ({ queryHash }: { queryHash: string }) => missing.has(queryHash) };
  await queries.cancelQueries(those);
  await queries.refetchQueries(those);
};
