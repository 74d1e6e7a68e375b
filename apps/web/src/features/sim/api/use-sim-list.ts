import { endpoints } from '@simcube/contract';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { usePageOf } from '../../../ui/list-screen/index.ts';
import { type SimSearch, simFilterOf } from '../search.ts';

/** One page of the SIM list. */
export const useSimList = (search: SimSearch, enabled: boolean) => {
  const filter = simFilterOf(search);
  return usePageOf(search, (page) => ({
    ...endpointQuery(endpoints.sim.list, { body: { ...filter, ...page } }),
    enabled,
  }));
};

export const useLifecycleCounts = () => useQuery(endpointQuery(endpoints.dashboard.lifecycleCount));
