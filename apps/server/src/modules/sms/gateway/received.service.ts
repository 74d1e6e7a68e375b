import { limits, truncate } from '@simcube/contract';
import type { SmsEncoding } from '@simcube/contract/sms';
import { type Alphabet, type DataBody, joinParts, type MessageBody, readContent } from '@simcube/smpp';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import { groupBy } from '../../../platform/collections/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { emit } from '../../../platform/outbox/index.ts';
import { countDays } from '../quota/quota.queries.ts';
import { smsReceived } from '../sms.events.ts';
import { duePerRound, encodingNumber, messageIdOf } from '../sms.rules.ts';
import { senderOf } from './receipts.rules.ts';
import {
  addIgnoredSender,
  findReferenceState,
  findSenders,
  insertReceived,
  type ReceivedPart,
  separateParts,
  storePart,
  storeSeparately,
  takeComplete,
  takeIncomplete,
} from './received.queries.ts';

/** How long the parts of a long message wait for one another. */
const partsTimeoutMs = 10 * 60_000;

/** Stands for missing parts and for cut text. */
const placeholder = '[…]';

/** A character has at most two octets, so more octets than this make a text that is cut anyway. */
const maxOctets = 2 * (limits.sms.received + 1);

/** Stores messages of devices. Parts of a long message wait until all have arrived; repeated parts are ignored after that. */
export const applyReceived = async (
  tx: Sql,
  messages: readonly (MessageBody | DataBody)[],
  now: Date,
): Promise<void> => {
  for (const message of messages)
    for (const parts of await findStorable(tx, partOf(message), now)) await storeMessage(tx, parts, now);
};

/** Stores messages that are still incomplete after ten minutes without the missing parts. @returns whether more may be due */
export const applyIncomplete = async (tx: Sql, now: Date): Promise<boolean> => {
  const parts = await takeIncomplete(tx, new Date(now.getTime() - partsTimeoutMs));
  const messages = groupBy(parts, keyOf);
  for (const message of messages.values())
    if (message.some(({ isRepeated }) => !isRepeated)) await storeMessage(tx, message, now);
  return messages.size >= duePerRound;
};

const keyOf = ({ source, destination, origin, reference, total }: ReceivedPart): string =>
  [source, destination, origin, reference, total].join(' ');

const partOf = (message: MessageBody | DataBody): ReceivedPart => {
  const { dataCoding, octets, part } = readContent(message);
  return {
    source: senderOf(message.source.address),
    destination: message.destination.address.slice(0, 40),
    origin: part?.origin ?? '',
    reference: part?.reference ?? 0,
    total: part?.total ?? 1,
    part: part?.sequence ?? 1,
    dataCoding,
    octets: Buffer.from(octets.subarray(0, maxOctets)),
  };
};

/**
 * The messages to store now, each as its parts: a message whose parts have all arrived. If two different parts have
 * the same number under one reference, there are two messages, and it is unknown which one each part belongs to (3GPP
 * TS 23.040, §9.2.3.24.1: a reference distinguishes messages). For a while each part is then stored alone, so that no
 * text is made of two.
 */
const findStorable = async (tx: Sql, part: ReceivedPart, now: Date): Promise<ReceivedPart[][]> => {
  if (part.total === 1) return [[part]];
  const { isKnown, isContested, separateSince } = await findReferenceState(tx, part);
  if (isContested || separateSince) {
    if (isKnown) return [];
    const waited = isContested ? await separateParts(tx, part, now) : [];
    await storeSeparately(tx, part, separateSince ?? now);
    return [...waited, part].map((one) => [one]);
  }
  await storePart(tx, part, now);
  const complete = await takeComplete(tx, part, now);
  return complete.length > 0 ? [complete] : [];
};

const storeMessage = async (tx: Sql, parts: readonly ReceivedPart[], now: Date): Promise<void> => {
  const [first] = parts;
  if (!first) return;
  const sender = (await findSenders(tx, [first.source])).get(first.source);
  if (!sender?.canReceive) return addIgnoredSender(tx, first.source, now);
  const { simId, iccid, orgId, msisdn } = sender;
  const { text, missing, alphabet } = joinParts({
    parts: parts.map(({ part, dataCoding, octets }) => ({ sequence: part, dataCoding, octets })),
    total: first.total,
    gap: placeholder,
  });
  const encoding = encodingNumber(encodings[alphabet]);
  const content = { content: cut(text), encoding, parts: first.total, missing: missing.length };
  const message = { simId, orgId, msisdn, address: first.destination, ...content };
  const { id, replyTo } = await insertReceived(tx, message, now);
  await countDays(tx, [{ orgId, day: dashboardDays.dayOf(now), mt: 0, mtParts: 0, mo: 1 }]);
  await emit(tx, smsReceived, {
    orgId,
    payload: {
      sims: [{ simId, iccid }],
      at: now.toISOString(),
      messageId: id,
      message: {
        id: messageIdOf(iccid, { at: now, id }),
        content: content.content,
        encoding: encodings[alphabet],
        replyTo: replyTo && messageIdOf(iccid, replyTo),
      },
    },
  });
};

/** SMPP allows 255 parts of any length, which could make texts of megabytes. */
const cut = (text: string): string =>
  text.length > limits.sms.received ? `${truncate(text, limits.sms.received)}${placeholder}` : text;

/** Single-octet alphabets look the same to readers: only the text differs. */
const encodings: Record<Alphabet, SmsEncoding> = {
  gsm7: 'gsm7',
  ucs2: 'ucs2',
  ascii: 'latin1',
  latin1: 'latin1',
  cyrillic: 'latin1',
  hebrew: 'latin1',
  binary: 'binary',
};
