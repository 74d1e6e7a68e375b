import { hourMs } from '@simcube/contract/time';
import { messageIdKey } from '@simcube/smpp';
import type { Sql } from '../../../platform/db/index.ts';
import { duePerRound } from '../sms.rules.ts';
import { emitChanges } from './changes.service.ts';
import {
  endAllClaims,
  listPartsOfFailedMessages,
  markOverdue,
  markSubmitted,
  markUnanswered,
  removeOverdue,
  removeRefused,
  removeStale,
  requeueParts,
} from './queue.queries.ts';
import { takeEarlyReceipts } from './receipts.queries.ts';
import type { PartOutcome, Verdict } from './receipts.rules.ts';
import { applyReceipts } from './receipts.service.ts';
import type { ChangedMessage } from './states.queries.ts';
import { markFailed, markSent, markUnknown, removeSiblings } from './states.service.ts';
import { removeTexts } from './texts.queries.ts';

/** Without a receipt within this time, a message's result is unknown; a message that waited this long is not sent. */
export const validityMs = 24 * hourMs;
/** Messages accepted before this time are no longer sent. */
export const overdueBefore = (now: Date): Date => new Date(now.getTime() - validityMs);
/** How long late receipts are still matched. */
const lateReceiptMs = 72 * hourMs;

/** Stores the results of parts with the states of their messages, and returns refused parts to the quotas. */
export const applyOutcomes = async (tx: Sql, outcomes: readonly PartOutcome[], now: Date): Promise<void> => {
  const sent = outcomes.flatMap((one) =>
    one.outcome === 'sent' ? [{ id: one.id, smscId: one.messageId, key: messageIdKey(one.messageId) }] : [],
  );
  const refused = new Map(
    outcomes.flatMap((one) => (one.outcome === 'refused' ? [[one.id, one.verdict] as const] : [])),
  );
  const idsOf = (outcome: PartOutcome['outcome']) =>
    outcomes.flatMap((one) => (one.outcome === outcome ? [one.id] : []));
  const [unwritten, unanswered] = [idsOf('not-sent'), idsOf('unknown')];
  const changed: ChangedMessage[] = [];
  if (unwritten.length > 0) await requeueParts(tx, unwritten);
  if (sent.length > 0) {
    changed.push(...(await markSent(tx, await markSubmitted(tx, sent, now), now)));
    const early = await takeEarlyReceipts(
      tx,
      sent.map(({ key }) => key),
    );
    if (early.length > 0) {
      // Emitted in the order in which they happened.
      await emitChanges(tx, changed.splice(0), now);
      await applyReceipts(tx, early, now);
    }
  }
  if (unanswered.length > 0) {
    const parts = await markUnanswered(tx, unanswered, now);
    changed.push(...(await markUnknown(tx, parts, { reason: 'no-answer', now })));
  }
  changed.push(...(await refuse(tx, refused, now)));
  if (unwritten.length > 0)
    changed.push(...(await refuse(tx, await refusalsOfFailedMessages(tx, unwritten), now)));
  await emitChanges(tx, changed, now);
};

/** The unwritten parts whose messages have failed because another part was refused. */
const refusalsOfFailedMessages = async (tx: Sql, ids: readonly number[]): Promise<Map<number, Verdict>> =>
  new Map(
    (await listPartsOfFailedMessages(tx, ids)).map((id) => [id, { reason: 'refused', networkCode: null }]),
  );

const refuse = async (
  tx: Sql,
  verdicts: ReadonlyMap<number, Verdict>,
  now: Date,
): Promise<ChangedMessage[]> => {
  if (verdicts.size === 0) return [];
  const refused = (await removeRefused(tx, [...verdicts.keys()])).map((part) => ({
    ...part,
    ...(verdicts.get(part.id) ?? { reason: 'refused' as const, networkCode: null }),
  }));
  return markFailed(tx, [...refused, ...(await removeSiblings(tx, refused))], { now, isUnsent: true });
};

/** Handles claims left by a process that ended: their parts may have been sent, so they are not sent again. */
export const applyInterruption = async (tx: Sql, now: Date): Promise<number> => {
  const parts = await markUnanswered(tx, await endAllClaims(tx), now);
  await emitChanges(tx, await markUnknown(tx, parts, { reason: 'no-answer', now }), now);
  return parts.length;
};

/** One round of handling timeouts. @returns whether more may be due */
export const applyTimeouts = async (tx: Sql, now: Date): Promise<boolean> => {
  const before = overdueBefore(now);
  const overdue = await markOverdue(tx, before);
  const stale = await removeStale(tx, before);
  const late = { reason: 'not-sent-in-time', networkCode: null } as const;
  const changed = [
    ...(await markUnknown(tx, overdue, { reason: 'no-receipt', now })),
    ...(await markFailed(
      tx,
      stale.map((part) => ({ ...part, ...late })),
      { now, isUnsent: true },
    )),
  ];
  await removeOverdue(tx, new Date(now.getTime() - lateReceiptMs));
  await removeTexts(tx, new Date(now.getTime() - validityMs - lateReceiptMs));
  await emitChanges(tx, changed, now);
  return Math.max(overdue.length, stale.length) >= duePerRound;
};
