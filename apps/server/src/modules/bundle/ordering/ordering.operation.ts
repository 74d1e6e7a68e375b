import { bundleChangeTimes } from '@simcube/contract/bundle';
import { z } from 'zod';
import type { Sql } from '../../../platform/db/index.ts';
import { eventCauseOf, lockAllowedSims, type OperationRule, simItems } from '../../sim/index.ts';
import { defineOperation, type Operation } from '../../task/index.ts';
import { placeAndApply } from '../lifecycle/ordering.service.ts';
import type { Cause } from '../orders/orders.queries.ts';
import { endBasicOrders } from '../orders/orders.service.ts';
import { changeRule, isOrder, type OrderingFacts, renewRule, topUpRule } from './ordering.rules.ts';
import { type FindPooledSims, findFactsFor, findRenewalFacts, findTopUpFacts } from './ordering.views.ts';

/** SIMs per transaction: each may get an order, a cycle, events and facts. */
const chunk = 200;

interface OrderingWork<P> {
  rule: OperationRule<P, OrderingFacts>;
  parameters: z.ZodType<P>;
  factsFor: (
    parameters: P,
    now: Date,
  ) => (tx: Sql, simIds: readonly number[]) => Promise<Map<number, OrderingFacts>>;
  /** Called for the SIMs that get an order, just before. */
  before?: (
    tx: Sql,
    sims: { simIds: readonly number[]; parameters: P; now: Date; by: Omit<Cause, 'reason'> },
  ) => Promise<void>;
}

/**
 * Places an order for each SIM, with the task's reference as its sales order. Orders are written in the same
 * transaction as the state of the task's items: a chunk that fails has ordered nothing, and a completed one is
 * never repeated.
 */
const orderingOperation = <P>({ rule, parameters: schema, factsFor, before }: OrderingWork<P>): Operation =>
  defineOperation({
    type: rule.type,
    items: simItems,
    parameters: schema,
    chunk,
    apply: async (tx, work) => {
      const { parameters, now, order } = work;
      const findFacts = factsFor(parameters, now);
      const known = new Map<number, OrderingFacts>();
      const { allowed, refusals } = await lockAllowedSims(tx, rule, {
        ...work,
        extraFacts: async (_, simIds) => {
          for (const [simId, facts] of await findFacts(tx, simIds)) known.set(simId, facts);
          return known;
        },
      });
      const orders = [...allowed.values()].flatMap(({ sim }) => {
        const facts = known.get(sim.id);
        if (!isOrder(facts)) return [];
        const { code: bundleCode } = facts.bundleToOrder;
        return [{ simId: sim.id, bundleCode, salesOrderId: order.reference, orderedAt: now }];
      });
      const simIds = orders.map(({ simId }) => simId);
      const by = eventCauseOf(order);
      await before?.(tx, { simIds, parameters, now, by });
      await placeAndApply(tx, { simIds, orders, now, by });
      return refusals;
    },
  });

const bundleChoiceSchema = z.object({ bundle_code: z.string() });

export const orderingOperations = ({ findPooledSims }: { findPooledSims: FindPooledSims }): Operation[] => [
  orderingOperation({
    rule: renewRule,
    parameters: z.object({}),
    factsFor: (_, now) => findRenewalFacts(now),
  }),
  orderingOperation({
    rule: topUpRule,
    parameters: bundleChoiceSchema,
    factsFor: ({ bundle_code: code }, now) => findTopUpFacts({ code, now, findPooledSims }),
  }),
  orderingOperation({
    rule: changeRule,
    parameters: bundleChoiceSchema.extend({ when: z.enum(bundleChangeTimes) }),
    factsFor: ({ bundle_code: code }, now) => findFactsFor({ code, kind: 'basic', now }),
    before: async (tx, { simIds, parameters, now, by }) => {
      if (parameters.when === 'at-end') return;
      const ends = simIds.map((simId) => ({ simId, at: now }));
      await endBasicOrders(tx, { ends, now, cause: { ...by, reason: 'bundle-changed' } });
    },
  }),
];
