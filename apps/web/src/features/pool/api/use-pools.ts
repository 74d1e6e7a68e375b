import { endpoints } from '@simcube/contract';
import { useQueryClient } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { usePageQuery } from '../../../ui/list-screen/index.ts';
import { useThrottled } from '../../../ui/throttle/index.ts';
import { type PoolSearch, poolSearch } from '../search.ts';

/** One page of the organisation's pools. */
export const usePools = (search: PoolSearch) => {
  const filter = poolSearch.filterOf(search);
  return usePageQuery(search, (page) =>
    endpointQuery(endpoints.pool.listPools, { query: { ...filter, ...page } }),
  );
};

/** Any record may be a member's: interval at which figures are refetched. */
const refetchIntervalMs = 5000;

export const useLivePools = (): void => {
  const client = useQueryClient();
  const refetch = useThrottled(
    () => void client.invalidateQueries({ queryKey: [endpoints.pool.listPools.id] }),
    refetchIntervalMs,
  );
  useLive('pool.changed', () => refetch());
  useLive('sim.usage', () => refetch());
  useLive('stream.reset', () => refetch());
};
