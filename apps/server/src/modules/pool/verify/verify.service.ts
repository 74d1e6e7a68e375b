import { recordAudit } from '../../audit/index.ts';
import type { PooledUsage } from '../../usage/index.ts';
import { evaluatePool } from '../limit/limit.service.ts';
import { lockPool } from '../pool.queries.ts';
import { evaluateEndedCycle } from '../rollover.service.ts';
import { comparePooledCycle, correctPooledCycle, listPooledCycles } from './verify.queries.ts';

/** What pools count from the CDRs, for `simcube usage verify`. */
export const pooledUsage: PooledUsage = {
  listCycles: listPooledCycles,
  compare: comparePooledCycle,
  repair: async (tx, cycle, { actor, now }) => {
    const { poolId, from } = cycle;
    const pool = await lockPool(tx, poolId);
    const differences = await correctPooledCycle(tx, cycle);
    if (!pool || differences.length === 0) return [];
    if (!(await evaluateEndedCycle(tx, { poolId, startedAt: from, now })))
      await evaluatePool(tx, { poolId, now, changed: true });
    const values = (side: 'recordedBytes' | 'storedBytes') => ({
      cycle: from.toISOString(),
      ...Object.fromEntries(differences.map((one) => [`${one.what}_bytes`, one[side]])),
    });
    await recordAudit(tx, {
      orgId: pool.orgId,
      actor,
      at: now,
      action: 'usage.repaired',
      subject: { kind: 'pool', id: String(poolId), name: pool.name },
      before: values('storedBytes'),
      after: values('recordedBytes'),
    });
    return differences;
  },
};
