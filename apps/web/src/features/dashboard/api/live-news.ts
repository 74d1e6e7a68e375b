import { useEffect, useSyncExternalStore } from 'react';
import { type Heard, livePosition, useLive } from '../../../lib/live/index.ts';
import { now } from '../../../lib/time/index.ts';
import { usePaced } from '../../../ui/pace/index.ts';
import { noNews, type UsageNews, withFact } from '../usage-news.ts';

/** News from the live stream since the dashboard is on screen. */
export interface LiveNews {
  usage: UsageNews;
  /** Usage of single SIMs, by ICCID. */
  used: ReadonlyMap<string, Heard<number>>;
}

/** Minimum interval between two updates of the figures on screen. */
const showEveryMs = 1000;
/** Maximum number of SIMs whose usage is stored; those without news for longest are removed. */
const simsMost = 5000;

const nothing: LiveNews = { usage: noNews, used: new Map() };
let heard = nothing;
let shown = nothing;
const listeners = new Set<() => void>();

const show = (): void => {
  shown = heard;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useNews = (): LiveNews => useSyncExternalStore(subscribe, () => shown);

const restart = (since: string | null): void => {
  heard = { ...nothing, usage: { since, facts: [] } };
  show();
};

/** Listens while the dashboard is on screen. */
export const useListening = (): void => {
  const showSoon = usePaced(show, showEveryMs);
  useEffect(() => {
    restart(livePosition());
    return () => restart(null);
  }, []);
  useLive('stream.open', (_, id) => restart(id));
  useLive('stream.reset', (_, id) => restart(id));
  useLive('sim.usage', ({ at, sims, hours }, id) => {
    const used = new Map(heard.used);
    for (const sim of sims) {
      used.delete(sim.iccid);
      if (sim.used !== null) used.set(sim.iccid, { is: sim.used, at: now() });
    }
    for (const iccid of used.keys()) {
      if (used.size <= simsMost) break;
      used.delete(iccid);
    }
    heard = { usage: withFact(heard.usage, { id, at, hours }), used };
    showSoon();
  });
};
