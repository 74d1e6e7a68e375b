import type { ErrorCode } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';
import { lockAllowedSims, messageRecipients } from '../../sim/index.ts';
import { defineOperation, type Operation, type OperationWork, type Refusals } from '../../task/index.ts';
import { findService } from '../services/services.views.ts';
import { findSmsFacts } from './facts.views.ts';
import { type SendParameters, sendParametersSchema, sendRule } from './send.rules.ts';
import { acceptMessages } from './send.service.ts';

/** SIMs per transaction. */
export const simsPerSending = 1000;

/**
 * Sends a text to the SIMs of the items. SIMs that the quota no longer covers are refused; if the organisation may
 * no longer send, all are.
 */
export const sendToSims = async (
  tx: Sql,
  work: Pick<OperationWork<SendParameters>, 'items' | 'parameters' | 'order' | 'now'>,
  { isScheduled }: { isScheduled: boolean },
): Promise<Refusals> => {
  const { items, parameters: sent, order, now } = work;
  const { canSend } = await findService(tx, order.orgId);
  if (!canSend) return new Map(items.map(({ position }) => [position, 'CB-04-0001']));
  const { allowed, refusals } = await lockAllowedSims(tx, sendRule, { ...work, extraFacts: findSmsFacts });
  const simIds = [...allowed.values()].map(({ sim }) => sim.id);
  const facts = await findSmsFacts(tx, simIds);
  const recipients = [...allowed].map(([position, { sim }]) => ({
    position,
    simId: sim.id,
    iccid: sim.iccid,
    msisdn: facts.get(sim.id)?.msisdn ?? '',
  }));
  const outgoing = { orgId: order.orgId, content: sent.content, at: now, isScheduled };
  const accepted = await acceptMessages(
    tx,
    { ...outgoing, task: order.reference, sentBy: order.actor },
    recipients,
  );
  const unpaid = recipients.slice(accepted.length).map(({ position }) => [position, 'CB-04-0002'] as const);
  return new Map<number, ErrorCode>([...refusals, ...unpaid]);
};

/** One text to many SIMs. */
export const sendOperation: Operation = defineOperation({
  type: sendRule.type,
  items: messageRecipients,
  parameters: sendParametersSchema,
  chunk: simsPerSending,
  apply: (tx, work) => sendToSims(tx, work, { isScheduled: false }),
});
