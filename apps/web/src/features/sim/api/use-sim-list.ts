import { endpoints } from '@simcube/contract';
import { keepPreviousData } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { usePageQuery } from '../../../ui/list-screen/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { type SimSearch, simFilterOf } from '../search.ts';

/** One page of the SIM list. */
export const useSimList = (search: SimSearch, enabled: boolean) => {
  const filter = simFilterOf(search);
  return usePageQuery(search, (page) => ({
    ...endpointQuery(endpoints.sim.list, { body: { ...filter, ...page } }),
    enabled,
  }));
};

/** The number of matching SIMs in each status, ignoring the filter's own status. */
export const useLifecycleCounts = ({ lifecycle: _, ...search }: SimSearch, enabled: boolean) =>
  useApiQuery({
    ...endpointQuery(endpoints.sim.listCounts, { body: simFilterOf(search) }),
    enabled,
    placeholderData: keepPreviousData,
  });
