import { endpoints } from '@simcube/contract';
import { z } from 'zod';
import {
  cycleParameter,
  eventCauseOf,
  lockAllowedSims,
  type OperationRule,
  refuseEnded,
  simItems,
} from '../../sim/index.ts';
import { defineOperation } from '../../task/index.ts';
import { findWithOrderInUse } from './lifecycle.queries.ts';
import { endOrdersInUse } from './lifecycle.service.ts';

/** Only SIMs with an order in use. `extraFacts`: whether there is one. */
export const terminateOrderRule: OperationRule<unknown, boolean> = {
  type: 'sim-terminate-order',
  access: endpoints.sim.terminate.access,
  refuse: (sim, { extraFacts: hasOrderInUse }) =>
    refuseEnded(sim) ?? (hasOrderInUse ? undefined : 'CB-01-0007'),
};

const chunk = 200;

/** Ends the order in use as if its time were over; the next order starts, or the SIM expires. */
export const terminateOrderOperation = defineOperation({
  type: terminateOrderRule.type,
  items: simItems,
  parameters: z.object(cycleParameter),
  chunk,
  apply: async (tx, work) => {
    const { allowed, refusals } = await lockAllowedSims(tx, terminateOrderRule, {
      ...work,
      cycleAt: work.parameters.cycle_at,
      extraFacts: findWithOrderInUse,
    });
    const simIds = [...allowed.values()].map(({ sim }) => sim.id);
    if (simIds.length > 0) await endOrdersInUse(tx, { simIds, now: work.now, by: eventCauseOf(work.order) });
    return refusals;
  },
});
