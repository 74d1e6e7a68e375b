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

/** What the address of the list of pools holds. */
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

/** What the address of a pool's page holds: its tab, and what the list in it is found by. */
export const poolPageSearch = listSearch({
  filters: {
    search: textParam(limits.pools.search),
    state: z.enum(poolMemberStates),
    group: z.enum(poolEventGroups),
    kind: z.enum(poolEventKinds),
  },
  over: {
    /** The event that is open. */
    event: poolIdSchema,
  },
  kept: {
    tab: z.enum(poolTabs),
    /** Whose hours are shown, `YYYY-MM-DD`; today's without it. */
    day: dayParam,
  },
  sorts: poolMemberSorts,
});
export type PoolPageSearch = SearchOf<typeof poolPageSearch>;
