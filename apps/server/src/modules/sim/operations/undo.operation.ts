import type { Lifecycle } from '@simcube/contract/sim';
import { defineOperation, undoParameters } from '../../task/index.ts';
import { applyInfo } from '../info/info.operations.ts';
import { simItems } from '../ordering/sim-items.ts';
import { type SimFacts, undoRule } from '../ordering/sim-operation.rules.ts';
import { beforeSchema, heldBefore, lifecycleBefore } from '../ordering/undo.rules.ts';
import { eventCauseOf, lockAllowedSims, simsPerChunk } from '../ordering/work.service.ts';
import { changeLifecycle } from '../sim.service.ts';
import { restoreHolds } from './hold.operations.ts';
import { type HeldData, listHeld } from './hold.queries.ts';
import { findUnchanged } from './undo.views.ts';

/**
 * Restores SIMs to their state before an operation. SIMs in which the same was changed since, or that were
 * transferred, are left unchanged. Its own changes are remembered in turn: undoing it repeats the operation.
 */
export const undoOperation = defineOperation({
  type: 'sim-undo',
  items: simItems,
  parameters: undoParameters,
  chunk: simsPerChunk,
  apply: async (tx, work) => {
    const { order, now, parameters, remember } = work;
    const { allowed, refusals } = await lockAllowedSims(tx, undoRule, {
      ...work,
      extraFacts: async (locked, simIds) => {
        const unchanged = await findUnchanged(locked, { simIds, ...parameters });
        return new Map([...unchanged].map((simId) => [simId, true]));
      },
    });
    const byLifecycle = new Map<Lifecycle, number[]>();
    const holds: { sim: SimFacts; held: HeldData | null }[] = [];
    const heldNow = await listHeld(
      tx,
      [...allowed.values()].map(({ sim }) => sim.id),
      now,
    );
    const infos: Parameters<typeof applyInfo>[1][number][] = [];
    for (const [position, { sim, input }] of allowed) {
      const before = beforeSchema.parse(input);
      if (!('lifecycle' in before || 'held' in before)) {
        infos.push({ position, simId: sim.id, ...before });
        continue;
      }
      const lifecycle = 'lifecycle' in before ? before.lifecycle : undefined;
      const former = before.held && { ...before.held, until: new Date(before.held.until) };
      // What held the data would have ended by itself.
      const isOver = former != null && former.until <= now;
      if (lifecycle === undefined && isOver) {
        refusals.set(position, 'CB-01-0029');
        continue;
      }
      if (lifecycle) {
        const others = byLifecycle.get(lifecycle);
        if (others) others.push(sim.id);
        else byLifecycle.set(lifecycle, [sim.id]);
      }
      if (former !== undefined && !isOver) holds.push({ sim, held: former });
      remember(position, {
        ...(lifecycle && lifecycleBefore(sim)),
        ...(former !== undefined && !isOver && heldBefore(heldNow.get(sim.id))),
      });
    }
    for (const [to, simIds] of byLifecycle) {
      await changeLifecycle(tx, { simIds, to, reason: 'undone', at: now, ...eventCauseOf(order) });
    }
    await restoreHolds(tx, holds, work);
    await applyInfo(tx, infos, work);
    return refusals;
  },
});
