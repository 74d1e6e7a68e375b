import type { SimSelection } from '@simcube/contract/sim';
import { z } from 'zod';
import { emitMany } from '../../../platform/outbox/index.ts';
import {
  eventCauseOf,
  lockAllowedSims,
  type OperationRule,
  recordSimEvents,
  type SimOrder,
  simEvent,
  simItems,
} from '../../sim/index.ts';
import { defineOperation, type Operation } from '../../task/index.ts';
import { messagesPerFact, smsSuspensionChanged } from '../sms.events.ts';
import { findSmsFacts } from './facts.views.ts';
import { resumeMtRule, type SmsFacts, suspendMtRule } from './send.rules.ts';
import { markSuspended } from './suspend.queries.ts';

const chunk = 1000;

/** Orders a suspension or resumption for SIMs. */
export const suspensionOrder = (
  rule: OperationRule<unknown, SmsFacts>,
  selected: SimSelection,
): SimOrder<unknown, SmsFacts> => ({
  rule,
  parameters: {},
  remark: null,
  selected,
  extraFacts: findSmsFacts,
});

const suspension = (rule: OperationRule<unknown, SmsFacts>, isSuspended: boolean): Operation =>
  defineOperation({
    type: rule.type,
    items: simItems,
    parameters: z.object({}),
    chunk,
    apply: async (tx, work) => {
      const { allowed, refusals } = await lockAllowedSims(tx, rule, { ...work, extraFacts: findSmsFacts });
      const { order, now } = work;
      const sims = [...allowed.values()].map(({ sim }) => ({ simId: sim.id, iccid: sim.iccid }));
      await markSuspended(tx, { simIds: sims.map(({ simId }) => simId), isSuspended });
      const event = isSuspended ? simEvent('sms-suspended', {}) : simEvent('sms-resumed', {});
      await recordSimEvents(
        tx,
        sims.map(({ simId }) => ({ simId, orgId: order.orgId, at: now, ...event })),
        eventCauseOf(order),
      );
      for (let from = 0; from < sims.length; from += messagesPerFact) {
        const payload = {
          sims: sims.slice(from, from + messagesPerFact),
          isSuspended,
          at: now.toISOString(),
        };
        await emitMany(tx, smsSuspensionChanged, [{ orgId: order.orgId, payload }]);
      }
      return refusals;
    },
  });

/** While suspended, SIMs are sent nothing; messages from them are still received. */
export const suspensionOperations: Operation[] = [
  suspension(suspendMtRule, true),
  suspension(resumeMtRule, false),
];
