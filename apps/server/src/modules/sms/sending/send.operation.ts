import type { ErrorCode } from '@simcube/contract';
import { lockWork, simItems } from '../../sim/index.ts';
import { defineOperation, type Operation } from '../../task/index.ts';
import { findSmsFacts } from './facts.views.ts';
import { sendParametersSchema, sendRule } from './send.rules.ts';
import { acceptMessages } from './send.service.ts';

/** SIMs of one transaction. */
const chunk = 1000;

/** One text to many SIMs. Those for which the quota no longer suffices are refused. */
export const sendOperation: Operation = defineOperation({
  type: sendRule.type,
  items: simItems,
  parameters: sendParametersSchema,
  chunk,
  apply: async (tx, work) => {
    const { parameters: sent, order, now } = work;
    const { allowed, refusals } = await lockWork(tx, sendRule, { ...work, more: findSmsFacts });
    const simIds = [...allowed.values()].map(({ sim }) => sim.id);
    const facts = await findSmsFacts(tx, simIds);
    const recipients = [...allowed].map(([position, { sim }]) => ({
      position,
      simId: sim.id,
      iccid: sim.iccid,
      msisdn: facts.get(sim.id)?.msisdn ?? '',
    }));
    const outgoing = { orgId: order.orgId, content: sent.content, at: now, isScheduled: false };
    const made = await acceptMessages(
      tx,
      { ...outgoing, task: order.reference, sentBy: order.actor },
      recipients,
    );
    const unpaid = recipients.slice(made.length).map(({ position }) => [position, 'CB-04-0002'] as const);
    return new Map<number, ErrorCode>([...refusals, ...unpaid]);
  },
});
