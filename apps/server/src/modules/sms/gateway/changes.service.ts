import type { Sql } from '../../../platform/db/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import { messagesPerFact, smsChanged } from '../sms.events.ts';
import { messageIdOf, reasonOf, statusOf } from '../sms.rules.ts';
import type { ChangedMessage } from './states.queries.ts';

/** Emits facts to the organisations of messages whose states changed. */
export const emitChanges = async (tx: Sql, changed: readonly ChangedMessage[], now: Date): Promise<void> => {
  if (changed.length === 0) return;
  const byOrg = new Map<number, ChangedMessage[]>();
  for (const message of changed) {
    const others = byOrg.get(message.orgId);
    if (others) others.push(message);
    else byOrg.set(message.orgId, [message]);
  }
  const facts = [...byOrg].flatMap(([orgId, messages]) =>
    Array.from({ length: Math.ceil(messages.length / messagesPerFact) }, (_, part) => ({
      orgId,
      payload: factOf(messages.slice(part * messagesPerFact, (part + 1) * messagesPerFact), now),
    })),
  );
  await emitMany(tx, smsChanged, facts);
};

const factOf = (messages: readonly ChangedMessage[], now: Date) => {
  const named = messages.flatMap(({ iccid, ...message }) => (iccid === null ? [] : [{ ...message, iccid }]));
  return {
    sims: [...new Map(named.map(({ simId, iccid }) => [simId, { simId, iccid }])).values()],
    messages: named.flatMap(({ iccid, at, id, status, formerStatus, reason }) => {
      const is = statusOf(status);
      return is === null || status === formerStatus
        ? []
        : [{ iccid, id: messageIdOf(iccid, { at, id }), status: is, reason: reasonOf(reason) }];
    }),
    at: now.toISOString(),
  };
};
