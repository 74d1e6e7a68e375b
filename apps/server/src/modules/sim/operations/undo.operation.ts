import type { Lifecycle } from '@simcube/contract/sim';
import { defineOperation, undoParameters } from '../../task/index.ts';
import { applyInfo } from '../info/info.operations.ts';
import { simItems } from '../ordering/sim-items.ts';
import { undoRule } from '../ordering/sim-operation.rules.ts';
import { beforeSchema, lifecycleBefore } from '../ordering/undo.rules.ts';
import { eventCauseOf, lockAllowedSims, simsPerChunk } from '../ordering/work.service.ts';
import { changeLifecycle } from '../sim.service.ts';
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
    const infos: Parameters<typeof applyInfo>[1][number][] = [];
    for (const [position, { sim, input }] of allowed) {
      const before = beforeSchema.parse(input);
      if (!('lifecycle' in before)) {
        infos.push({ position, simId: sim.id, ...before });
        continue;
      }
      const others = byLifecycle.get(before.lifecycle);
      if (others) others.push(sim.id);
      else byLifecycle.set(before.lifecycle, [sim.id]);
      remember(position, lifecycleBefore(sim));
    }
    for (const [to, simIds] of byLifecycle) {
      await changeLifecycle(tx, { simIds, to, reason: 'undone', at: now, ...eventCauseOf(order) });
    }
    await applyInfo(tx, infos, work);
    return refusals;
  },
});
