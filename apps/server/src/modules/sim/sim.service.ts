import type { SimEventReason } from '@simcube/contract/sim';
import { groupBy } from '../../platform/collections/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { emitMany, factsByOrganisation } from '../../platform/outbox/index.ts';
import { type EventCause, recordSimEvents, simEvent } from './events/sim-events.queries.ts';
import { simLifecycleChanged, simsPerFact } from './sim.events.ts';
import { type ChangedSim, type LifecycleStep, updateLifecycle } from './sim.queries.ts';
import { lifecycleOf } from './sim.rules.ts';

export interface LifecycleChange extends LifecycleStep, EventCause {
  reason: SimEventReason;
}

/**
 * Changes the lifecycle of SIMs in the caller's transaction: the SIMs, the organisation's counts, their events
 * and the facts for others, all or none.
 * @returns the SIMs that changed; those whose state does not allow it are left unchanged
 */
export const changeLifecycle = async (tx: Sql, change: LifecycleChange): Promise<ChangedSim[]> => {
  const changed = await updateLifecycle(tx, change);
  const { to, reason, actor = null, taskId } = change;
  await recordSimEvents(
    tx,
    changed.map(({ id, orgId, from, at }) => ({
      simId: id,
      orgId,
      at,
      ...simEvent('lifecycle-changed', { from: lifecycleOf(from), to, reason }),
    })),
    change,
  );
  const byOrg = groupBy(changed, ({ orgId }) => orgId);
  await emitMany(
    tx,
    simLifecycleChanged,
    factsByOrganisation(byOrg, simsPerFact, (sims) => ({
      sims: sims.map(({ id, iccid, from, at }) => ({
        simId: id,
        iccid,
        from: lifecycleOf(from),
        at: at.toISOString(),
      })),
      to,
      reason,
      actor,
      ...(taskId && { task: taskId }),
    })),
  );
  return changed;
};
