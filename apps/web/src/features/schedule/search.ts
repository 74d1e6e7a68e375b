import { scheduleIdSchema } from '@simcube/contract/schedule';
import { z } from 'zod';
import { listKeySchema } from '../../lib/kept-lists/index.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

export const scheduleTabs = ['schedule', 'sims', 'log'] as const;

/** What the address of a schedule's page holds. */
export const scheduleSearch = listSearch({
  filters: {},
  kept: { id: scheduleIdSchema, tab: z.enum(scheduleTabs) },
});
export type ScheduleSearch = SearchOf<typeof scheduleSearch>;

/** And that of a new one: under which this tab keeps what was begun of it elsewhere. */
export const newScheduleSearch = listSearch({ filters: {}, kept: { from: listKeySchema } });
export type NewScheduleSearch = SearchOf<typeof newScheduleSearch>;
