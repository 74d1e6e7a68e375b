import type { SmsReason } from '@simcube/contract/sms';
import type { Sql } from '../../../platform/db/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import { giveBack, unspend } from '../quota/quota.service.ts';
import { smsTextSettled } from '../sms.events.ts';
import { listOpenMessages, type PartKey } from './queue.queries.ts';
import type { Verdict } from './receipts.rules.ts';
import {
  addSent,
  asSent,
  type ChangedMessage,
  type DeliveredPart,
  makeFailed,
  makeUnknown,
  type RefusedMessage,
  removeDelivered,
} from './states.queries.ts';
import { addDeliveredTexts, failTexts, type SettledText } from './texts.queries.ts';

/*
 * What is known of parts, as states of their messages. Parts of texts to phones stand beside those of SIMs; of these only
 * the last word is kept, which their sender hears.
 */

type FailedPart = PartKey & Verdict;

const isOfSim = ({ sim_id }: PartKey): boolean => sim_id !== null;
const isOfText = (part: PartKey): boolean => !isOfSim(part);

/** The SMSC has them. */
export const markSent = async (tx: Sql, parts: readonly PartKey[], now: Date): Promise<ChangedMessage[]> => {
  const ofSims = parts.filter(isOfSim);
  return ofSims.length > 0 ? addSent(tx, ofSims, now) : [];
};

/** It is unknown what becomes of them, for a while or for good. */
export const markUnknown = async (
  tx: Sql,
  parts: readonly PartKey[],
  why: { reason: SmsReason; now: Date },
): Promise<ChangedMessage[]> => {
  const ofSims = parts.filter(isOfSim);
  return ofSims.length > 0 ? makeUnknown(tx, ofSims, why) : [];
};

/**
 * Receipts said that they are delivered; `areNew`: before it was stored that the SMSC has them.
 * @returns with the changes the parts that were there, and were not those that another may be meant by
 */
export const markDelivered = async (
  tx: Sql,
  parts: readonly DeliveredPart[],
  { now, areNew }: { now: Date; areNew: boolean },
): Promise<{ settled: ReadonlySet<number>; changed: ChangedMessage[] }> => {
  if (parts.length === 0) return { settled: new Set(), changed: [] };
  const { parts: gone, changed } = await removeDelivered(tx, parts, { now, areNew });
  const ofTexts = gone.filter(isOfText);
  if (ofTexts.length > 0) await emitSettled(tx, await addDeliveredTexts(tx, ofTexts), now);
  return {
    settled: new Set(gone.map(({ id }) => id)),
    changed: areNew ? [...asSent(changed), ...changed] : changed,
  };
};

/** They failed, after the SMSC had them, or before: then they go back to the quotas. */
export const markFailed = async (
  tx: Sql,
  parts: readonly FailedPart[],
  { now, isUnsent }: { now: Date; isUnsent: boolean },
): Promise<ChangedMessage[]> => {
  const [ofSims, ofTexts] = [parts.filter(isOfSim), parts.filter(isOfText)];
  if (ofTexts.length > 0) {
    const texts = await failTexts(tx, ofTexts, now);
    if (isUnsent)
      await unspend(
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
  const messages = await makeFailed(tx, ofSims, now);
  if (isUnsent) await giveMessagesBack(tx, messages);
  return messages;
};

/** The answers to the parts of a message may come apart: it is refused as a whole with the last of them. */
const giveMessagesBack = async (tx: Sql, messages: readonly RefusedMessage[]): Promise<void> => {
  const open = await listOpenMessages(
    tx,
    messages.map(({ id }) => id),
  );
  await giveBack(
    tx,
    messages.map(({ chargedOrgIds: orgIds, isUnsent, ...message }) => ({
      ...message,
      orgIds,
      isWhole: isUnsent && !open.has(message.id),
    })),
  );
};

const emitSettled = (tx: Sql, texts: readonly SettledText[], now: Date): Promise<void> =>
  emitMany(
    tx,
    smsTextSettled,
    texts.map(({ orgId, ...text }) => ({ orgId, payload: { ...text, at: now.toISOString() } })),
  );
