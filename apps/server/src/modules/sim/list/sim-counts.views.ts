import { lifecycleNumbers, lifecycles, type SimFilter, type SimListCounts } from '@simcube/contract/sim';
import type { Db } from '../../../platform/db/index.ts';
import { countBy } from '../../../platform/lists/index.ts';
import { orgSims } from '../sim-scope.views.ts';
import { simList } from './sim-list.views.ts';

interface CountQuery {
  orgId: number;
  filter: SimFilter;
  now: Date;
}

/** The number of matching SIMs in each lifecycle status, ignoring the filter's own status. */
export const countSims = async (
  db: Db,
  { orgId, filter: { lifecycle: _, ...filter }, now }: CountQuery,
): Promise<SimListCounts> => {
  const result = await countBy(db, simList, { scope: { orgId }, filter, now, by: 'lifecycle' });
  if (result) return toCounts(result.counts, result);
  const { byLifecycle, sims } = await orgSims(db, { orgId });
  return toCounts(new Map(byLifecycle.map((row) => [row.lifecycle, row.sims])), {
    total: sims,
    relation: 'eq',
  });
};

const toCounts = (
  counts: ReadonlyMap<unknown, number>,
  { total, relation }: Pick<SimListCounts, 'total' | 'relation'>,
): SimListCounts => ({
  total,
  relation,
  lifecycle: Object.fromEntries(
    lifecycles.map((name) => [name, counts.get(lifecycleNumbers[name]) ?? 0]),
  ) as SimListCounts['lifecycle'],
});
