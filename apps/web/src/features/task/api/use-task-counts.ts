import { endpoints, limits } from '@simcube/contract';
import type { TaskStatus } from '@simcube/contract/task';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';

const [pageSize] = limits.page.sizes;

const useCount = (status?: TaskStatus): number | undefined =>
  useApiQuery(endpointQuery(endpoints.task.listMine, { query: { status, page_size: pageSize } })).data
    ?.totalCount ?? undefined;

/** The number of the person's tasks by status. */
export const useTaskCounts = (): Record<TaskStatus | 'all', number | undefined> => ({
  all: useCount(),
  processing: useCount('processing'),
  done: useCount('done'),
  issues: useCount('issues'),
});
