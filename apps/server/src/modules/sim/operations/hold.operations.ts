import { z } from 'zod';
import type { Sql } from '../../../platform/db/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import { defineOperation, type Operation, type OperationWork } from '../../task/index.ts';
import { recordSimEvents, type SimEventContent, simEvent } from '../events/sim-events.queries.ts';
import { simItems } from '../ordering/sim-items.ts';
import { dataOffRule, resumeRule, type SimFacts, slowDownRule } from '../ordering/sim-operation.rules.ts';
import { heldBefore, lifecycleBefore, undoOf } from '../ordering/undo.rules.ts';
import { cycleParameter, eventCauseOf, lockAllowedSims, simsPerChunk } from '../ordering/work.service.ts';
import { type DataHold, simDataHeld, splitIntoFacts } from '../sim.events.ts';
import { changeLifecycle } from '../sim.service.ts';
import { findHeldAt, type HeldData, holdData, listHeld, releaseData, restoreHeld } from './hold.queries.ts';

export interface HoldOptions {
  /** Turns the cycles of these SIMs that are over: the counter of an idle SIM may still show an earlier one. */
  turnCyclesOf: (tx: Sql, simIds: readonly number[], now: Date) => Promise<void>;
}

/** Records the events of the SIMs, and the fact on which AAA updates the network. */
const recordHold = async (
  tx: Sql,
  { sims, hold, event }: { sims: readonly SimFacts[]; hold: DataHold; event: SimEventContent },
  { order, now }: Pick<OperationWork, 'order' | 'now'>,
): Promise<void> => {
  await recordSimEvents(
    tx,
    sims.map(({ id: simId }) => ({ simId, orgId: order.orgId, at: now, ...event })),
    eventCauseOf(order),
  );
  const facts = splitIntoFacts(sims.map(({ id: simId, iccid }) => ({ simId, iccid }))).map((part) => ({
    orgId: order.orgId,
    payload: { sims: part, hold, actor: order.actor, at: now.toISOString() },
  }));
  await emitMany(tx, simDataHeld, facts);
};

/** Stops (without a rate) or slows the data of SIMs until their running cycles end, and records it for those that this changes. */
const hold = async (
  tx: Sql,
  { sims, rateKbps, turnCyclesOf }: HoldOptions & { sims: readonly SimFacts[]; rateKbps: number | null },
  work: Pick<OperationWork, 'order' | 'now'>,
): Promise<void> => {
  const simIds = sims.map(({ id }) => id);
  await turnCyclesOf(tx, simIds, work.now);
  const held = await holdData(tx, { simIds, now: work.now, rateKbps });
  const event =
    rateKbps === null ? simEvent('data-off', {}) : simEvent('data-slowed', { rate_kbps: rateKbps });
  const changed = sims.filter(({ id }) => held.has(id));
  await recordHold(tx, { sims: changed, hold: rateKbps === null ? 'off' : 'slow', event }, work);
};

/** Of each SIM, what held its data before, or null if nothing did. */
export const restoreHolds = async (
  tx: Sql,
  sims: readonly { sim: SimFacts; held: HeldData | null }[],
  work: Pick<OperationWork, 'order' | 'now'>,
): Promise<void> => {
  const released = sims.flatMap(({ sim, held }) => (held ? [] : [sim]));
  const simIds = released.map(({ id }) => id);
  await releaseData(tx, simIds);
  await recordHold(tx, { sims: released, hold: null, event: simEvent('data-on', {}) }, work);
  const restored = sims.flatMap(({ sim, held }) => (held ? [{ simId: sim.id, ...held }] : []));
  await restoreHeld(tx, restored);
  for (const rateKbps of new Set(restored.map((one) => one.rateKbps))) {
    const event =
      rateKbps === null ? simEvent('data-off', {}) : simEvent('data-slowed', { rate_kbps: rateKbps });
    const alike = sims.flatMap(({ sim, held }) => (held?.rateKbps === rateKbps ? [sim] : []));
    await recordHold(tx, { sims: alike, hold: rateKbps === null ? 'off' : 'slow', event }, work);
  }
};

export const dataOffOperation = ({ turnCyclesOf }: HoldOptions): Operation =>
  defineOperation({
    type: dataOffRule.type,
    items: simItems,
    parameters: z.object(cycleParameter),
    chunk: simsPerChunk,
    apply: async (tx, work) => {
      const cycleAt = work.parameters.cycle_at;
      const { allowed, refusals } = await lockAllowedSims(tx, dataOffRule, { ...work, cycleAt });
      const sims = [...allowed.values()].map(({ sim }) => sim);
      await hold(tx, { sims, rateKbps: null, turnCyclesOf }, work);
      return refusals;
    },
  });

export const slowDownOperation = ({ turnCyclesOf }: HoldOptions): Operation =>
  defineOperation({
    type: slowDownRule.type,
    items: simItems,
    parameters: z.object({ rate_kbps: z.number().int().positive(), ...cycleParameter }),
    chunk: simsPerChunk,
    apply: async (tx, work) => {
      const cycleAt = work.parameters.cycle_at;
      const { allowed, refusals } = await lockAllowedSims(tx, slowDownRule, { ...work, cycleAt });
      const sims = [...allowed.values()].map(({ sim }) => sim);
      await hold(tx, { sims, rateKbps: work.parameters.rate_kbps, turnCyclesOf }, work);
      return refusals;
    },
  });

/** Makes paused SIMs active, and ends an operation's stop or slow-down of data. */
export const resumeOperation = defineOperation({
  type: resumeRule.type,
  items: simItems,
  parameters: z.object({}),
  chunk: simsPerChunk,
  undo: undoOf(resumeRule),
  apply: async (tx, work) => {
    const findHeld = findHeldAt(work.now);
    const { allowed, refusals } = await lockAllowedSims(tx, resumeRule, { ...work, extraFacts: findHeld });
    const paused = [...allowed].filter(([, { sim }]) => sim.lifecycle === 'paused');
    const ids = [...allowed.values()].map(({ sim }) => sim.id);
    const held = await listHeld(tx, ids, work.now);
    for (const [position, { sim }] of allowed) {
      const before = held.get(sim.id);
      work.remember(position, {
        ...(sim.lifecycle === 'paused' && lifecycleBefore(sim)),
        ...(before && heldBefore(before)),
      });
    }
    await releaseData(tx, [...held.keys()]);
    await changeLifecycle(tx, {
      simIds: paused.map(([, { sim }]) => sim.id),
      to: 'active',
      reason: 'resume',
      at: work.now,
      ...eventCauseOf(work.order),
    });
    const sims = [...allowed.values()].flatMap(({ sim }) => (held.has(sim.id) ? [sim] : []));
    await recordHold(tx, { sims, hold: null, event: simEvent('data-on', {}) }, work);
    return refusals;
  },
});
