import type { SmsReason } from '@simcube/contract/sms';
import type { Sql } from '../../../platform/db/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import { refundMessages, refundParts } from '../quota/quota.service.ts';
import { smsTextSettled } from '../sms.events.ts';
import { type PartKey, removeUseless } from './queue.queries.ts';
import type { Verdict } from './receipts.rules.ts';
import {
  addSent,
  asSent,
  type ChangedMessage,
  type DeliveredPart,
  removeDelivered,
  setFailed,
  setUnknown,
} from './states.queries.ts';
import { addDeliveredTexts, failTexts, type SettledText } from './texts.queries.ts';

/*
 * Applies the results of parts to the states of their messages. Parts of texts to phones are handled alongside those
 * of SIMs; for these only the final result is stored and reported to their sender.
 */

type FailedPart = PartKey & Verdict;

const isOfSim = ({ sim_id }: PartKey): boolean => sim_id !== null;
const isOfText = (part: PartKey): boolean => !isOfSim(part);

/** The SMSC has accepted the parts. */
export const markSent = async (tx: Sql, parts: readonly PartKey[], now: Date): Promise<ChangedMessage[]> => {
  const ofSims = parts.filter(isOfSim);
  return ofSims.length > 0 ? addSent(tx, ofSims, now) : [];
};

/** The result of the parts is unknown, temporarily or permanently. */
export const markUnknown = async (
  tx: Sql,
  parts: readonly PartKey[],
  options: { reason: SmsReason; now: Date },
): Promise<ChangedMessage[]> => {
  const ofSims = parts.filter(isOfSim);
  return ofSims.length > 0 ? setUnknown(tx, ofSims, options) : [];
};

/**
 * Receipts report the parts as delivered; `areNew`: their submission is not stored yet.
 * @returns the changes, and the parts that existed and whose receipts can't be about another part
 */
export const markDelivered = async (
  tx: Sql,
  parts: readonly DeliveredPart[],
  { now, areNew }: { now: Date; areNew: boolean },
): Promise<{ settled: ReadonlySet<number>; changed: ChangedMessage[] }> => {
  if (parts.length === 0) return { settled: new Set(), changed: [] };
  const { parts: removed, changed } = await removeDelivered(tx, parts, { now, areNew });
  const ofTexts = removed.filter(isOfText);
  if (ofTexts.length > 0) await emitSettled(tx, await addDeliveredTexts(tx, ofTexts), now);
  return {
    settled: new Set(removed.map(({ id }) => id)),
    changed: areNew ? [...asSent(changed), ...changed] : changed,
  };
};

/** The parts failed, either after the SMSC had accepted them, or before; then they are returned to the quotas. */
export const markFailed = async (
  tx: Sql,
  parts: readonly FailedPart[],
  { now, isUnsent }: { now: Date; isUnsent: boolean },
): Promise<ChangedMessage[]> => {
  const [ofSims, ofTexts] = [parts.filter(isOfSim), parts.filter(isOfText)];
  if (ofTexts.length > 0) {
    const texts = await failTexts(tx, ofTexts, now);
    if (isUnsent)
      await refundParts(
        tx,
        texts.map(({ chargedOrgIds: orgIds, ...text }) => ({ ...text, orgIds })),
      );
    await emitSettled(
      tx,
      texts.flatMap(({ settled }) => settled ?? []),
      now,
    );
  }
  if (ofSims.length === 0) return [];
  const messages = await setFailed(tx, ofSims, { now, isUnsent });
  if (isUnsent)
    await refundMessages(
      tx,
      messages.map(({ chargedOrgIds: orgIds, ...message }) => ({ ...message, orgIds })),
    );
  return messages;
};

/** The other parts of failed messages that were not sent yet: they fail for the same reason. */
export const removeSiblings = async (tx: Sql, failed: readonly FailedPart[]): Promise<FailedPart[]> => {
  const verdicts = new Map(failed.map((part) => [part.message_id, part]));
  return (await removeUseless(tx, [...verdicts.keys()])).flatMap((part) => {
    const { reason, networkCode } = verdicts.get(part.message_id) ?? {};
    return reason === undefined ? [] : [{ ...part, reason, networkCode: networkCode ?? null }];
  });
};

const emitSettled = (tx: Sql, texts: readonly SettledText[], now: Date): Promise<void> =>
  emitMany(
    tx,
    smsTextSettled,
    texts.map(({ orgId, ...text }) => ({ orgId, payload: { ...text, at: now.toISOString() } })),
  );
