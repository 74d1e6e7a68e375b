import { endpoints } from '@simcube/contract';
import type { Connection, SimRow } from '@simcube/contract/sim';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { type Received, useLive } from '../../../lib/live/index.ts';
import { now } from '../../../lib/time/index.ts';
import type { ApiQuery } from '../../../ui/query/index.ts';
import { useThrottled } from '../../../ui/throttle/index.ts';
import { type RowUpdates, withUpdates } from './live-rows.ts';

/** Minimum interval between two updates of the rows on screen. */
const renderIntervalMs = 500;
/**
 * Minimum interval for refetching what only the server knows (network, address, order) while there is news about rows on screen.
 */
const refetchIntervalMs = 4000;

const noUpdates = (): {
  used: Map<string, Received<number>>;
  connections: Map<string, Received<Connection>>;
} => ({
  used: new Map(),
  connections: new Map(),
});

/** Keeps the current page of the list up to date: usage and connection come from events, the rest is refetched. */
export const useLiveList = (
  query: ApiQuery<SimRow[]>,
): Omit<ApiQuery<SimRow[]>, 'isFetching' | 'updatedAt'> => {
  const client = useQueryClient();
  const pending = useRef(noUpdates());
  const [updates, setUpdates] = useState<RowUpdates>(pending.current);
  const { data, updatedAt, error, isPlaceholderData, refetch } = query;
  const rows = data?.data;
  const isOnScreen = (iccid: string): boolean => rows?.some((row) => row.iccid === iccid) ?? false;

  const showUpdates = useThrottled(() => {
    const shownIccids = new Set(rows?.map(({ iccid }) => iccid));
    const onlyShown = <T>(byIccid: ReadonlyMap<string, T>) =>
      new Map([...byIccid].filter(([iccid]) => shownIccids.has(iccid)));
    pending.current = {
      used: onlyShown(pending.current.used),
      connections: onlyShown(pending.current.connections),
    };
    setUpdates(pending.current);
  }, renderIntervalMs);
  const refetchLists = (): void => {
    for (const { id } of [endpoints.sim.list, endpoints.sim.listCounts]) {
      void client.invalidateQueries({ queryKey: [id] });
    }
  };
  const refetchSoon = useThrottled(refetchLists, refetchIntervalMs);

  useLive('sim.usage', ({ sims }) => {
    const shownSims = sims.filter(({ iccid }) => isOnScreen(iccid));
    if (shownSims.length === 0) return;
    for (const { iccid, used } of shownSims) {
      if (used === null) refetchSoon();
      else pending.current.used.set(iccid, { value: used, at: now() });
    }
    showUpdates();
  });
  useLive('sim.connection', ({ iccid, status }) => {
    if (!isOnScreen(iccid)) return;
    pending.current.connections.set(iccid, { value: status, at: now() });
    showUpdates();
    refetchSoon();
  });
  useLive('sim.event', ({ iccid, kind }) => {
    if (isOnScreen(iccid) || kind.startsWith('bundle-')) refetchSoon();
  });
  useLive('sim.changed', refetchSoon);
  useLive('stream.reset', refetchLists);

  const liveData = useMemo(
    () => data && { ...data, data: [...withUpdates(data.data, updatedAt, updates)] },
    [data, updatedAt, updates],
  );
  return { data: liveData, error, isPlaceholderData, refetch };
};
