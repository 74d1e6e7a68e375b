import type { Sql } from '../../platform/db/index.ts';
import { emitMany } from '../../platform/outbox/index.ts';
import { simLifecycleChanged } from './sim.events.ts';
import { type ChangedSim, type LifecycleChange, updateLifecycle } from './sim.queries.ts';
import { lifecycleOf } from './sim.rules.ts';

/**
 * Changes the lifecycle of SIMs in the caller's transaction: the SIMs, the organisation's counts, their events and
 * the facts for others, together or not at all.
 * @returns the SIMs that changed; those whose lifecycle does not allow it are left as they are
 */
export const changeLifecycle = async (tx: Sql, change: LifecycleChange): Promise<ChangedSim[]> => {
  const changed = await updateLifecycle(tx, change);
  const { to, reason, actor } = change;
  await emitMany(
    tx,
    simLifecycleChanged,
    changed.map(({ id, orgId, iccid, from, at }) => ({
      orgId,
      payload: { simId: id, iccid, from: lifecycleOf(from), to, reason, actor, at: at.toISOString() },
    })),
  );
  return changed;
};
