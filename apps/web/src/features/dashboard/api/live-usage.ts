import { useEffect } from 'react';
import { livePosition, type Received, useLive } from '../../../lib/live/index.ts';
import { createStore } from '../../../lib/store/index.ts';
import { now } from '../../../lib/time/index.ts';
import { useThrottled } from '../../../ui/throttle/index.ts';
import { noRecentUsage, type RecentUsage, withEvent } from '../recent-usage.ts';

/** News from the live stream since the dashboard is on screen. */
export interface LiveUsage {
  usage: RecentUsage;
  /** Usage of single SIMs, by ICCID. */
  used: ReadonlyMap<string, Received<number>>;
}

/** Minimum interval between two updates of the figures on screen. */
const publishEveryMs = 1000;
/** Maximum number of SIMs whose usage is stored; those without news for longest are removed. */
const maxSims = 5000;

const noUsage: LiveUsage = { usage: noRecentUsage, used: new Map() };
let received = noUsage;
const shown = createStore(noUsage);
const publish = (): void => shown.set(received);

export const useLiveUsage = shown.use;

const restart = (since: string | null): void => {
  received = { ...noUsage, usage: { since, events: [] } };
  publish();
};

/** Listens while the dashboard is on screen. */
export const useLiveUsageListener = (): void => {
  const schedulePublish = useThrottled(publish, publishEveryMs);
  useEffect(() => {
    restart(livePosition());
    return () => restart(null);
  }, []);
  useLive('stream.open', (_, id) => restart(id));
  useLive('stream.reset', (_, id) => restart(id));
  useLive('sim.usage', ({ at, sims, hours }, id) => {
    const used = new Map(received.used);
    for (const sim of sims) {
      used.delete(sim.iccid);
      if (sim.used !== null) used.set(sim.iccid, { value: sim.used, at: now() });
    }
    for (const iccid of used.keys()) {
      if (used.size <= maxSims) break;
      used.delete(iccid);
    }
    received = { usage: withEvent(received.usage, { id, at, hours }), used };
    schedulePublish();
  });
};
