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

/** Day by day of the running cycle. */
export const usePoolDays = (id: string) => useAnswer(endpointQuery(endpoints.pool.lineChart, ofPool(id)));

/** Hour by hour of a business day, `YYYY-MM-DD`; of today without one. */
export const usePoolHours = (id: string, day?: string) =>
  useAnswer(endpointQuery(endpoints.pool.barChart, { ...ofPool(id), query: { day } }));

export const useUsageRank = (id: string) => useAnswer(endpointQuery(endpoints.pool.simUsageRank, ofPool(id)));

/** The latest events of the pool, of a group or all. */
export const useLatestEvents = (id: string, group?: PoolEventGroup) =>
  useAnswer(endpointQuery(endpoints.pool.events, { query: { poolId: id, group, page_size: latestEvents } }));

const latestEvents = 8;

/** Soon enough for who watches, and not at every record of a busy pool. */
const readEveryMs = 2000;
/** Whose usage it was, an event does not say: it may be none of a member. */
const readUsageEveryMs = 5000;

/** Keeps a pool's page true: its figures, its members and what happened. */
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
