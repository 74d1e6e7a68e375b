import { scheduleIdSchema } from '@simcube/contract/schedule';
import { z } from 'zod';
import { listKeySchema } from '../../lib/list-store/index.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

export const scheduleTabs = ['schedule', 'runs', 'sims', 'log'] as const;

/** Search parameters of a schedule's page. */
export const scheduleSearch = listSearch({
  filters: {},
  preserved: { id: scheduleIdSchema, tab: z.enum(scheduleTabs) },
});
export type ScheduleSearch = SearchOf<typeof scheduleSearch>;

/** Search parameters of a new schedule: the key under which this tab stores what was started elsewhere. */
export const newScheduleSearch = listSearch({ filters: {}, preserved: { from: listKeySchema } });
export type NewScheduleSearch = SearchOf<typeof newScheduleSearch>;
