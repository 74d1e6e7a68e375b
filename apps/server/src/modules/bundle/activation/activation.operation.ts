import { z } from 'zod';
import { eventCauseOf, lockAllowedSims, simItems } from '../../sim/index.ts';
import { defineOperation } from '../../task/index.ts';
import { activateRule } from './activation.rules.ts';
import { activateSims } from './activation.service.ts';
import { findPendingPlans } from './activation.views.ts';

/**
 * SIMs per transaction: each gets an order, a cycle, events and facts, so small chunks let a task of 1,000 show
 * progress.
 */
const chunk = 200;

export const activateOperation = defineOperation({
  type: activateRule.type,
  items: simItems,
  parameters: z.object({}),
  chunk,
  apply: async (tx, work) => {
    const { allowed, refusals } = await lockAllowedSims(tx, activateRule, {
      ...work,
      extraFacts: findPendingPlans,
    });
    const sims = [...allowed].map(([position, { sim }]) => ({ position, simId: sim.id }));
    const activated = await activateSims(tx, {
      at: new Map(sims.map(({ simId }) => [simId, work.now])),
      now: work.now,
      cause: { reason: 'activation', ...eventCauseOf(work.order) },
    });
    for (const { position, simId } of sims) if (!activated.has(simId)) refusals.set(position, 'CB-01-0007');
    return refusals;
  },
});
