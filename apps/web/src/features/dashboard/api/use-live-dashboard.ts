import { endpoints } from '@simcube/contract';
import type { SimEventKind } from '@simcube/contract/sim';
import { useQueryClient } from '@tanstack/react-query';
import { useLive } from '../../../lib/live/index.ts';
import { usePaced } from '../../../ui/pace/index.ts';
import { useListening } from './live-news.ts';

/** Minimum interval for refetching what only the server can count (overage, what ends soon). */
const countEveryMs = 30_000;

/** Events that change those counts; sessions start and end without changing them. */
const counting = new Set<SimEventKind>([
  'lifecycle-changed',
  'transferred',
  'quota-reached',
  'data-stopped',
  'bundle-started',
  'bundle-ended',
]);

const { card, statistics, rank } = endpoints.dashboard;

/** Keeps the dashboard up to date: usage is computed from the events themselves; the rest is refetched. */
export const useLiveDashboard = (): void => {
  const client = useQueryClient();
  const again = (...calls: { id: string }[]): void => {
    for (const { id } of calls) void client.invalidateQueries({ queryKey: [id] });
  };
  const readCounts = usePaced(() => again(card), countEveryMs);
  useListening();
  useLive('sim.event', ({ kind }) => {
    if (counting.has(kind)) readCounts();
  });
  useLive('stream.reset', () => again(card, statistics, rank));
};
