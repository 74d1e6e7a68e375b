import { limits } from '@simcube/contract';
import { poolOptIns, poolPolicies, poolSorts, poolStates } from '@simcube/contract/pool';
import { z } from 'zod';
import { textParam } from '../../lib/search-params/fields.ts';
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
