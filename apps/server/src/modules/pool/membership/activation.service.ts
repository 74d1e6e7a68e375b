import { groupBy } from '../../../platform/collections/index.ts';
import { type Sql, waitUntilWritten } from '../../../platform/db/index.ts';
import { countForPools, listRecordsSince } from '../cycles/counting.queries.ts';
import { findCycle } from '../cycles/cycle.views.ts';
import { insertActivity, type PoolCause } from '../cycles/history.queries.ts';
import { applyPoolLimit } from '../limit/service.queries.ts';
import { insertTerms, listContributors, type PoolRow } from '../pool.queries.ts';
import { contributionOf, type PoolCycle, type Term } from '../pool.rules.ts';
import { listMemberFacts, updateActivated } from './membership.queries.ts';
import { activationOf } from './membership.rules.ts';

interface Activation {
  simId: number;
  at: Date;
}

/**
 * Records activations of those members whose orders have begun, with their usage since then. The caller has locked
 * the SIMs and the pool.
 */
export const activateMembers = async (
  tx: Sql,
  work: { pool: PoolRow; cycle: PoolCycle; simIds: readonly number[]; now: Date; by: PoolCause },
): Promise<void> => {
  const { pool, cycle, now, by } = work;
  if (work.simIds.length === 0) return;
  const active = (await listMemberFacts(tx, work.simIds)).flatMap((facts): Activation[] => {
    const at = facts.poolId === pool.id ? activationOf(facts) : undefined;
    return at ? [{ simId: facts.simId, at }] : [];
  });
  if (active.length === 0) return;
  const simIds = active.map(({ simId }) => simId);
  const isInCurrentCycle = ({ at }: Activation): boolean => at >= cycle.startedAt;
  const terms = await termsOf(tx, { pool, cycle, members: active.filter(isInCurrentCycle) });
  // The cycle may have turned since; each member contributes from the cycle in which it became active.
  const late = groupBy(
    active.filter((one) => !isInCurrentCycle(one)),
    ({ at }) => at.getTime(),
  );
  for (const [at, members] of late) {
    const pastCycle = (await findCycle(tx, pool.id, new Date(at))) ?? cycle;
    terms.push(...(await termsOf(tx, { pool, cycle: pastCycle, members })));
  }
  await insertTerms(tx, pool.id, terms, now);
  await updateActivated(tx, active);
  await applyPoolLimit(tx, simIds);
  await insertActivity(tx, { poolId: pool.id, simIds, at: now, kind: 'activated' }, by);
  // Also for members that join now, because gateway clocks may be ahead.
  await waitUntilWritten(tx, simIds);
  for (const statement of countForPools(await listRecordsSince(tx, active))) await tx.query(statement);
};

/** What members that became active in the same cycle add to the limit. */
const termsOf = async (
  tx: Sql,
  { pool, cycle, members }: { pool: PoolRow; cycle: PoolCycle; members: readonly Activation[] },
): Promise<(Term & { simId: number })[]> => {
  if (members.length === 0) return [];
  const { id, activationRule: rule, baseBytes } = pool;
  const simIds = members.map(({ simId }) => simId);
  const contributors = await listContributors(tx, id, simIds, cycle.startedAt);
  return members.flatMap(({ simId, at }) =>
    contributionOf({ rule, baseBytes, cycle, at, hasContributed: contributors.has(simId) }).map((term) => ({
      ...term,
      simId,
    })),
  );
};
