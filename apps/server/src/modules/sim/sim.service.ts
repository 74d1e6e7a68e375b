import type { SimEventKind, SimEventReason } from '@simcube/contract/sim';
import { groupBy } from '../../platform/collections/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { emitMany, factsByOrganisation } from '../../platform/outbox/index.ts';
import { type EventCause, recordSimEvents, simEvent } from './events/sim-events.queries.ts';
import { simEventsRecorded, simLifecycleChanged, simsPerFact } from './sim.events.ts';
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

/** Reports recorded events to screens, in the same transaction; for events that no other fact reports. */
export const reportSimEvents = (
  tx: Sql,
  events: readonly { orgId: number; iccid: string; kind: SimEventKind }[],
  at: Date,
): Promise<void> =>
  emitMany(
    tx,
    simEventsRecorded,
    factsByOrganisation(
      groupBy(events, ({ orgId }) => orgId),
      simsPerFact,
      (part) => ({ sims: part.map(({ iccid, kind }) => ({ iccid, kind })), at: at.toISOString() }),
    ),
  );
