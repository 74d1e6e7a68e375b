import { limits } from '@simcube/contract';
import {
  poolEventGroups,
  poolEventKinds,
  poolIdSchema,
  poolMemberSorts,
  poolMemberStates,
  poolOptIns,
  poolPolicies,
  poolSorts,
  poolStates,
} from '@simcube/contract/pool';
import { z } from 'zod';
import { dayParam, textParam } from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

/** Search parameters of the list of pools. */
export const poolSearch = listSearch({
  filters: {
    search: textParam(limits.pools.search),
    state: z.enum(poolStates),
    policy: z.enum(poolPolicies),
    opt_in: z.enum(poolOptIns),
  },
  sorts: poolSorts,
});
export type PoolSearch = SearchOf<typeof poolSearch>;

export const poolTabs = ['overview', 'sims', 'settings', 'activity', 'events'] as const;
export type PoolTab = (typeof poolTabs)[number];

/** Search parameters of a pool's page: its tab, and the search and filters of the list in it. */
export const poolPageSearch = listSearch({
  filters: {
    search: textParam(limits.pools.search),
    state: z.enum(poolMemberStates),
    group: z.enum(poolEventGroups),
    kind: z.enum(poolEventKinds),
  },
  overlays: {
    /** The open event. */
    event: poolIdSchema,
  },
  preserved: {
    tab: z.enum(poolTabs),
    /** The day whose hours are shown, `YYYY-MM-DD`; today by default. */
    day: dayParam,
  },
  sorts: poolMemberSorts,
});
export type PoolPageSearch = SearchOf<typeof poolPageSearch>;
