import { endpoints } from '@simcube/contract';
import type { SimEventKind } from '@simcube/contract/sim';
import { useQueryClient } from '@tanstack/react-query';
import { useLive } from '../../../lib/live/index.ts';
import { usePaced } from '../../../ui/pace/index.ts';
import { useListening } from './live-news.ts';

/** What only the server can count (overage, what ends soon) is asked for again this often at most. */
const countEveryMs = 30_000;

/** Events that change those counts; sessions come and go without. */
const counting = new Set<SimEventKind>([
  'lifecycle-changed',
  'transferred',
  'quota-reached',
  'data-stopped',
  'bundle-started',
  'bundle-ended',
]);

const { card, statistics, rank } = endpoints.dashboard;

/** Keeps the dashboard true: usage follows the events themselves; what they can't say is asked for. */
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
