import { taskStatusSchema } from '@simcube/contract/task';
import { z } from 'zod';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

/** Search parameters of the task centre. */
export const taskSearch = listSearch({
  filters: { status: taskStatusSchema },
  overlays: {
    /** Reference of the open task. */
    task: z.string().regex(/^T\d{1,20}$/),
  },
});
export type TaskSearch = SearchOf<typeof taskSearch>;
