import { endpoints } from '@simcube/contract';
import type { PoolEventGroup } from '@simcube/contract/pool';
import { useQueryClient } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { useAnswer } from '../../../ui/answer/index.ts';
import { usePaced } from '../../../ui/pace/index.ts';

const ofPool = (poolId: string) => ({ params: { poolId } });

export const usePoolDetail = (id: string) => useAnswer(endpointQuery(endpoints.pool.detail, ofPool(id)));

export const usePoolSettings = (id: string) => useAnswer(endpointQuery(endpoints.pool.settings, ofPool(id)));

export const usePoolCost = (id: string) =>
  useAnswer(endpointQuery(endpoints.price.poolCost, { query: { poolId: id } }));

export const useRealTime = (id: string) => useAnswer(endpointQuery(endpoints.pool.realTimeData, ofPool(id)));

/** Usage by day in the running cycle. */
export const usePoolDays = (id: string) => useAnswer(endpointQuery(endpoints.pool.lineChart, ofPool(id)));

/** Usage by hour of a business day, `YYYY-MM-DD`; today by default. */
export const usePoolHours = (id: string, day?: string) =>
  useAnswer(endpointQuery(endpoints.pool.barChart, { ...ofPool(id), query: { day } }));

export const useUsageRank = (id: string) => useAnswer(endpointQuery(endpoints.pool.simUsageRank, ofPool(id)));

/** The pool's latest events, of one group or all. */
export const useLatestEvents = (id: string, group?: PoolEventGroup) =>
  useAnswer(endpointQuery(endpoints.pool.events, { query: { poolId: id, group, page_size: latestEvents } }));

const latestEvents = 8;

/** Fast enough for someone watching, without refetching at every record of a busy pool. */
const readEveryMs = 2000;
/** An event does not say whose usage it was: it may be no member's. */
const readUsageEveryMs = 5000;

/** Keeps a pool's page up to date: figures, members and events. */
export const useLivePool = (id: string): void => {
  const client = useQueryClient();
  const { detail, realTimeData, lineChart, barChart, simUsageRank, sims } = endpoints.pool;
  const cost = endpoints.price.poolCost;
  const again = (names?: readonly string[]): void => {
    void client.invalidateQueries({
      predicate: ({ queryKey: [name] }) =>
        typeof name === 'string' && (names?.includes(name) ?? (name.startsWith('pool.') || name === cost.id)),
    });
  };
  const readAll = usePaced(() => again(), readEveryMs);
  const readUsage = usePaced(
    () => again([detail, realTimeData, lineChart, barChart, simUsageRank, sims, cost].map((call) => call.id)),
    readUsageEveryMs,
  );
  useLive('pool.changed', ({ pools }) => {
    if (pools.includes(id)) readAll();
  });
  useLive('sim.usage', () => readUsage());
  useLive('stream.reset', () => readAll());
};
