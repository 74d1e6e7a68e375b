import type { Lifecycle, SimEventReason } from '@simcube/contract/sim';
import { z } from 'zod';
import { emitMany } from '../../../platform/outbox/index.ts';
import { defineOperation, type Operation, type Undo } from '../../task/index.ts';
import { recordSimEvents, simEvent } from '../events/sim-events.queries.ts';
import { simItems } from '../ordering/sim-items.ts';
import {
  type OperationRule,
  resetRule,
  suspendRule,
  terminateRule,
} from '../ordering/sim-operation.rules.ts';
import { lifecycleBefore, undoOf } from '../ordering/undo.rules.ts';
import { eventCauseOf, lockAllowedSims, simsPerChunk } from '../ordering/work.service.ts';
import { simReset, splitIntoFacts } from '../sim.events.ts';
import { changeLifecycle } from '../sim.service.ts';

const parameters = z.object({});

const lifecycleOperation = (
  rule: OperationRule,
  { to, reason, undo }: { to: Lifecycle; reason: SimEventReason; undo?: Undo },
): Operation =>
  defineOperation({
    type: rule.type,
    items: simItems,
    parameters,
    chunk: simsPerChunk,
    ...(undo && { undo }),
    apply: async (tx, work) => {
      const { allowed, refusals } = await lockAllowedSims(tx, rule, work);
      if (undo) for (const [position, { sim }] of allowed) work.remember(position, lifecycleBefore(sim));
      const simIds = [...allowed.values()].map(({ sim }) => sim.id);
      await changeLifecycle(tx, { simIds, to, reason, at: work.now, ...eventCauseOf(work.order) });
      return refusals;
    },
  });

/** AAA ends their sessions when it handles the fact; until resumed, the network refuses them. */
export const suspendOperation = lifecycleOperation(suspendRule, {
  to: 'paused',
  reason: 'suspend',
  undo: undoOf(suspendRule),
});

/** AAA ends their sessions when it handles the fact, and the bundle module their orders. */
export const terminateOperation = lifecycleOperation(terminateRule, {
  to: 'terminated',
  reason: 'termination',
});

/** Does not change the SIMs themselves: AAA ends and forgets their sessions. */
export const resetOperation = defineOperation({
  type: resetRule.type,
  items: simItems,
  parameters,
  chunk: simsPerChunk,
  apply: async (tx, work) => {
    const { allowed, refusals } = await lockAllowedSims(tx, resetRule, work);
    const { order, now } = work;
    const sims = [...allowed.values()].map(({ sim }) => ({ simId: sim.id, iccid: sim.iccid }));
    const event = { orgId: order.orgId, at: now, ...simEvent('reset', {}) };
    await recordSimEvents(
      tx,
      sims.map(({ simId }) => ({ simId, ...event })),
      eventCauseOf(order),
    );
    const facts = splitIntoFacts(sims).map((part) => ({
      orgId: order.orgId,
      payload: { sims: part, actor: order.actor, at: now.toISOString() },
    }));
    await emitMany(tx, simReset, facts);
    return refusals;
  },
});
