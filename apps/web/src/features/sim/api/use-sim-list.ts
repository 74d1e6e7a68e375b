import { endpoints, limits } from '@simcube/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { type SimListSearch, simFilterOf } from '../search.ts';

/** One page of the SIM list; the page before stays on screen while the next is on its way. */
export const useSimList = (search: SimListSearch, enabled: boolean) =>
  useQuery({
    ...endpointQuery(endpoints.sim.list, {
      body: {
        ...simFilterOf(search),
        page_no: search.page ?? 1,
        page_size: search.size ?? limits.page.default,
        sort: search.sort,
      },
    }),
    placeholderData: keepPreviousData,
    enabled,
  });

export const useLifecycleCounts = () => useQuery(endpointQuery(endpoints.dashboard.lifecycleCount));
