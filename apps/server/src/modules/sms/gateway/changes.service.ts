import { groupBy } from '../../../platform/collections/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { emitMany, factsByOrganisation } from '../../../platform/outbox/index.ts';
import { messagesPerFact, smsChanged } from '../sms.events.ts';
import { messageIdOf, reasonOf, statusOf } from '../sms.rules.ts';
import type { ChangedMessage } from './states.queries.ts';

/** Emits facts to the organisations of messages whose states changed. */
export const emitChanges = async (tx: Sql, changed: readonly ChangedMessage[], now: Date): Promise<void> => {
  if (changed.length === 0) return;
  const byOrg = groupBy(changed, ({ orgId }) => orgId);
  const facts = factsByOrganisation(byOrg, messagesPerFact, (messages) => factOf(messages, now));
  await emitMany(tx, smsChanged, facts);
};

const factOf = (messages: readonly ChangedMessage[], now: Date) => {
  const named = messages.flatMap(({ iccid, ...message }) => (iccid === null ? [] : [{ ...message, iccid }]));
  return {
    sims: [...new Map(named.map(({ simId, iccid }) => [simId, { simId, iccid }])).values()],
    messages: named.flatMap(({ iccid, at, id, status, formerStatus, reason }) => {
      const newStatus = statusOf(status);
      return newStatus === null || status === formerStatus
        ? []
        : [{ iccid, id: messageIdOf(iccid, { at, id }), status: newStatus, reason: reasonOf(reason) }];
    }),
    at: now.toISOString(),
  };
};
