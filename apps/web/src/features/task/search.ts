import { taskStatusSchema } from '@simcube/contract/task';
import { z } from 'zod';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

/** What the address of the task centre holds. */
export const taskSearch = listSearch({
  filters: { status: taskStatusSchema },
  over: {
    /** Reference of the task that is looked at more closely. */
    task: z.string().regex(/^T\d{1,20}$/),
  },
});
export type TaskSearch = SearchOf<typeof taskSearch>;
