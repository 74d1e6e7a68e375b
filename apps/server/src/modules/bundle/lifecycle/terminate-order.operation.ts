import { endpoints, limits } from '@simcube/contract';
import { z } from 'zod';
import type { Sql } from '../../../platform/db/index.ts';
import { lockWork, type OperationRule, orderedBy, simItems } from '../../sim/index.ts';
import { defineOperation } from '../../task/index.ts';
import { findServed } from './lifecycle.queries.ts';
import { endOrdersInUse } from './lifecycle.service.ts';

/** Only SIMs with an order in use. `more`: whether there is one. */
export const terminateOrderRule: OperationRule<unknown, boolean> = {
  type: 'sim-terminate-order',
  access: endpoints.sim.terminate.access,
  most: limits.simsOfOperation,
  busy: 'CB-01-0011',
  refuse: ({ lifecycle }, { more: isServed }) => {
    if (lifecycle === 'expired' || lifecycle === 'terminated') return 'CB-01-0009';
    return isServed ? undefined : 'CB-01-0007';
  },
};

const chunk = 200;

/** Ends the order in use as if its time were over; the next order starts, or the SIM expires. */
export const terminateOrderOperation = defineOperation({
  type: terminateOrderRule.type,
  items: simItems,
  parameters: z.object({}),
  chunk,
  apply: async (tx: Sql, work) => {
    const { allowed, refusals } = await lockWork(tx, terminateOrderRule, { ...work, more: findServed });
    const simIds = [...allowed.values()].map(({ sim }) => sim.id);
    if (simIds.length > 0) await endOrdersInUse(tx, { simIds, now: work.now, by: orderedBy(work.order) });
    return refusals;
  },
});
