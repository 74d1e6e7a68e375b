import { endpoints } from '@simcube/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useLive } from '../../../lib/live/index.ts';
import { usePaced } from '../../../ui/pace/index.ts';

/** Figures of a whole organisation move all the time; they are read again this often at most. */
const readEveryMs = 5000;

/** Reads the dashboard again while things happen: usage moves the figures, events the counts. */
export const useLiveDashboard = (): void => {
  const client = useQueryClient();
  const { card, statistics, rank, lifecycleCount } = endpoints.dashboard;
  const again = (...calls: { id: string }[]): void => {
    for (const { id } of calls) void client.invalidateQueries({ queryKey: [id] });
  };
  const readUsage = usePaced(() => again(card, statistics, rank), readEveryMs);
  const readCounts = usePaced(() => again(card, lifecycleCount), readEveryMs);
  useLive('sim.usage', readUsage);
  useLive('sim.event', readCounts);
  useLive('sim.changed', readCounts);
  useLive('stream.reset', () => again(card, statistics, rank, lifecycleCount));
};
