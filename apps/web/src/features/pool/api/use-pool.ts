import { endpoints } from '@simcube/contract';
import type { PoolEventGroup } from '@simcube/contract/pool';
import { useQueryClient } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { useThrottled } from '../../../ui/throttle/index.ts';

const poolParams = (poolId: string) => ({ params: { poolId } });

export const usePoolDetail = (id: string) =>
  useApiQuery(endpointQuery(endpoints.pool.detail, poolParams(id)));

export const usePoolSettings = (id: string) =>
  useApiQuery(endpointQuery(endpoints.pool.settings, poolParams(id)));

export const usePoolCost = (id: string) =>
  useApiQuery(endpointQuery(endpoints.price.poolCost, { query: { poolId: id } }));

export const useRealTime = (id: string) =>
  useApiQuery(endpointQuery(endpoints.pool.realTimeData, poolParams(id)));

/** Usage by day in the running cycle. */
export const usePoolDays = (id: string) =>
  useApiQuery(endpointQuery(endpoints.pool.lineChart, poolParams(id)));

/** Usage by hour of a business day, `YYYY-MM-DD`; today by default. */
export const usePoolHours = (id: string, day?: string) =>
  useApiQuery(endpointQuery(endpoints.pool.barChart, { ...poolParams(id), query: { day } }));

export const useUsageRank = (id: string) =>
  useApiQuery(endpointQuery(endpoints.pool.simUsageRank, poolParams(id)));

/** The pool's latest events, of one group or all. */
export const useLatestEvents = (id: string, group?: PoolEventGroup) =>
  useApiQuery(
    endpointQuery(endpoints.pool.events, { query: { poolId: id, group, page_size: latestEventCount } }),
  );

/** How many events of each group there are. */
export const useEventCounts = (id: string): Record<PoolEventGroup | 'all', number | null | undefined> => ({
  all: useLatestEvents(id).data?.totalCount,
  sims: useLatestEvents(id, 'sims').data?.totalCount,
  limit: useLatestEvents(id, 'limit').data?.totalCount,
  overage: useLatestEvents(id, 'overage').data?.totalCount,
  pool: useLatestEvents(id, 'pool').data?.totalCount,
});

const latestEventCount = 8;

/** Fast enough for someone watching, without refetching at every record of a busy pool. */
const refetchIntervalMs = 2000;
/** An event does not say whose usage it was: it may be no member's. */
const usageRefetchIntervalMs = 5000;

/** Keeps a pool's page up to date: figures, members and events. */
export const useLivePool = (id: string): void => {
  const client = useQueryClient();
  const { detail, realTimeData, lineChart, barChart, simUsageRank, sims } = endpoints.pool;
  const cost = endpoints.price.poolCost;
  const refetch = (endpointIds?: readonly string[]): void => {
    void client.invalidateQueries({
      predicate: ({ queryKey: [endpointId] }) =>
        typeof endpointId === 'string' &&
        (endpointIds?.includes(endpointId) ?? (endpointId.startsWith('pool.') || endpointId === cost.id)),
    });
  };
  const refetchAll = useThrottled(() => refetch(), refetchIntervalMs);
  const refetchUsage = useThrottled(
    () =>
      refetch([detail, realTimeData, lineChart, barChart, simUsageRank, sims, cost].map((call) => call.id)),
    usageRefetchIntervalMs,
  );
  useLive('pool.changed', ({ pools }) => {
    if (pools.includes(id)) refetchAll();
  });
  useLive('sim.usage', () => refetchUsage());
  useLive('stream.reset', () => refetchAll());
};
