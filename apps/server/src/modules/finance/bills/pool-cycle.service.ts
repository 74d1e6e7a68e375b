import type { BillPoolCycle } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';
import { poolUsageOf, toPoolUsage } from '../../price/index.ts';
import { poolUsageFacts } from '../charges/pool-usage.service.ts';
import type { PoolOfLine } from './pool-cycle.views.ts';

/** The usage of the pool's SIMs in the cycle, and the part charged beyond its limit. */
export const readPoolCycle = async (sql: Sql, { cycle, section }: PoolOfLine): Promise<BillPoolCycle> => ({
  started_at: cycle.startedAt.toISOString(),
  ends_at: cycle.endsAt.toISOString(),
  ...toPoolUsage(poolUsageOf(await poolUsageFacts(sql, section, cycle))),
});
