import { type QueryCacheNotifyEvent, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { mayPass } from '../../lib/api-client/index.ts';
import { probeLive, useSilentSince } from '../../lib/live/index.ts';
import { now } from '../../lib/time/index.ts';
import { isSame, type Trouble, troubleOf } from './trouble.ts';

/** What changed is looked at once in this time; while answers are under way, this often. */
const lookEveryMs = 250;
/** A stream that is replaced in less is no trouble, unless the browser says that there is no network. */
const silenceMs = 800;

/**
 * Whether what is on screen is up to date, and the way to try again now. The console tries again by itself as well: each
 * answer on its own, and all that are missing when the network or the stream is back.
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

/** Notes when answers are asked for, and has a look at what follows. @returns what ends it */
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

/** Calls when the stream is heard again, and when the browser says that the network is back. */
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

/** What is on screen and missing is asked for now, also what is waiting for an answer that was lost on its way. */
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
