import { endpoints, limits } from '@simcube/contract';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';

/** The number of the person's running tasks. */
export const useProcessingTasks = (): number => {
  const query = { status: 'processing', page_size: limits.page.sizes[0] } as const;
  const { data } = useQuery({ ...endpointQuery(endpoints.task.listMine, { query }), staleTime: 60_000 });
  return data?.totalCount ?? 0;
};
