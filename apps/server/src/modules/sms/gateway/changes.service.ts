import type { Sql } from '../../../platform/db/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import { messagesPerFact, smsChanged } from '../sms.events.ts';
import { type ChangedMessage, listIccids } from './states.queries.ts';

/** Tells the organisations of messages whose states changed. */
export const emitChanges = async (tx: Sql, changed: readonly ChangedMessage[]): Promise<void> => {
  const bySims = new Map<number, Set<number>>();
  for (const { orgId, simId } of changed) {
    const simIds = bySims.get(orgId) ?? new Set();
    bySims.set(orgId, simIds.add(simId));
  }
  const iccids = await listIccids(tx, [...new Set(changed.map(({ simId }) => simId))]);
  const facts = [...bySims].flatMap(([orgId, simIds]) => {
    const sims = [...simIds].flatMap((simId) => {
      const iccid = iccids.get(simId);
      return iccid === undefined ? [] : [{ simId, iccid }];
    });
    return Array.from({ length: Math.ceil(sims.length / messagesPerFact) }, (_, part) => ({
      orgId,
      payload: { sims: sims.slice(part * messagesPerFact, (part + 1) * messagesPerFact) },
    }));
  });
  await emitMany(tx, smsChanged, facts);
};
