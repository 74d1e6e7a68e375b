import { endpoints } from '@simcube/contract';
import type { SimEventKind } from '@simcube/contract/sim';
import { useQueryClient } from '@tanstack/react-query';
import { useLive } from '../../../lib/live/index.ts';
import { useThrottled } from '../../../ui/throttle/index.ts';
import { useLiveUsageListener } from './live-usage.ts';

/** Minimum interval for refetching what only the server can count (overage, what ends soon). */
const countEveryMs = 30_000;

/** Events that change those counts; sessions start and end without changing them. */
const countChangingEvents = new Set<SimEventKind>([
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
  const refetchAll = (...calls: { id: string }[]): void => {
    for (const { id } of calls) void client.invalidateQueries({ queryKey: [id] });
  };
  const refetchCounts = useThrottled(() => refetchAll(card), countEveryMs);
  useLiveUsageListener();
  useLive('sim.event', ({ kind }) => {
    if (countChangingEvents.has(kind)) refetchCounts();
  });
  useLive('stream.reset', () => refetchAll(card, statistics, rank));
};
