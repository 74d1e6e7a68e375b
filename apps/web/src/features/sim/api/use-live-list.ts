import { endpoints } from '@simcube/contract';
import type { Connection, SimRow } from '@simcube/contract/sim';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { type Heard, useLive } from '../../../lib/live/index.ts';
import { now } from '../../../lib/time/index.ts';
import type { Asked } from '../../../ui/answer/index.ts';
import { usePaced } from '../../../ui/pace/index.ts';
import { type RowNews, withNews } from './live-rows.ts';

/** Minimum interval between two updates of the rows on screen. */
const showEveryMs = 500;
/**
 * Minimum interval for refetching what only the server knows (network, address, order) while there is news about rows on screen.
 */
const settleEveryMs = 4000;

const noNews = (): { used: Map<string, Heard<number>>; connections: Map<string, Heard<Connection>> } => ({
  used: new Map(),
  connections: new Map(),
});

/** Keeps the current page of the list up to date: usage and connection come from events, the rest is refetched. */
export const useLiveList = (asked: Asked<SimRow[]>): Omit<Asked<SimRow[]>, 'isFetching' | 'updatedAt'> => {
  const client = useQueryClient();
  const heard = useRef(noNews());
  const [news, setNews] = useState<RowNews>(heard.current);
  const { data, updatedAt, error, isPlaceholderData, refetch } = asked;
  const rows = data?.data;
  const onScreen = (iccid: string): boolean => rows?.some((row) => row.iccid === iccid) ?? false;

  const show = usePaced(() => {
    const kept = new Set(rows?.map(({ iccid }) => iccid));
    const ofRows = <T>(of: ReadonlyMap<string, T>) => new Map([...of].filter(([iccid]) => kept.has(iccid)));
    heard.current = { used: ofRows(heard.current.used), connections: ofRows(heard.current.connections) };
    setNews(heard.current);
  }, showEveryMs);
  const readAgain = (): void => {
    for (const { id } of [endpoints.sim.list, endpoints.sim.listCounts]) {
      void client.invalidateQueries({ queryKey: [id] });
    }
  };
  const settle = usePaced(readAgain, settleEveryMs);

  useLive('sim.usage', ({ sims }) => {
    const those = sims.filter(({ iccid }) => onScreen(iccid));
    if (those.length === 0) return;
    for (const { iccid, used } of those) {
      if (used === null) settle();
      else heard.current.used.set(iccid, { is: used, at: now() });
    }
    show();
  });
  useLive('sim.connection', ({ iccid, status }) => {
    if (!onScreen(iccid)) return;
    heard.current.connections.set(iccid, { is: status, at: now() });
    show();
    settle();
  });
  useLive('sim.event', ({ iccid }) => {
    if (onScreen(iccid)) settle();
  });
  useLive('sim.changed', settle);
  // Ordering a bundle changes rows without an event of the SIM itself.
  useLive('task.progress', ({ type }) => {
    if (type.startsWith('sim-')) settle();
  });
  useLive('stream.reset', readAgain);

  const told = useMemo(
    () => data && { ...data, data: [...withNews(data.data, updatedAt, news)] },
    [data, updatedAt, news],
  );
  return { data: told, error, isPlaceholderData, refetch };
};
