import { limits, truncate } from '@simcube/contract';
import type { SmsEncoding } from '@simcube/contract/sms';
import { type Alphabet, type DataBody, joinParts, type MessageBody, readContent } from '@simcube/smpp';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { emit } from '../../../platform/outbox/index.ts';
import { countDays } from '../quota/quota.queries.ts';
import { smsReceived } from '../sms.events.ts';
import { duePerRound, encodingNumber, messageIdOf } from '../sms.rules.ts';
import { senderOf } from './receipts.rules.ts';
import {
  addUnheardSender,
  findPlace,
  findSenders,
  insertReceived,
  type ReceivedPart,
  type StoredPart,
  setApart,
  storeApart,
  storePart,
  takeIncomplete,
  takeWhole,
} from './received.queries.ts';

/** How long the parts of a long message wait for one another. */
const partsMs = 10 * 60_000;

/** Stands for missing parts and for cut text. */
const gap = '[…]';

/** A character has at most two octets, so more octets than this make a text that is cut anyway. */
const octetsMost = 2 * (limits.sms.received + 1);

/** Stores messages of devices. Parts of a long message wait until all have arrived; repeated parts are ignored after that. */
export const applyReceived = async (
  tx: Sql,
  messages: readonly (MessageBody | DataBody)[],
  now: Date,
): Promise<void> => {
  for (const message of messages)
    for (const parts of await storableOf(tx, partOf(message), now)) await take(tx, parts, now);
};

/** Stores messages that are still incomplete after ten minutes without the missing parts. @returns whether more may be due */
export const applyIncomplete = async (tx: Sql, now: Date): Promise<boolean> => {
  const parts = await takeIncomplete(tx, new Date(now.getTime() - partsMs));
  const messages = new Map<string, StoredPart[]>();
  for (const part of parts) messages.set(keyOf(part), [...(messages.get(keyOf(part)) ?? []), part]);
  for (const message of messages.values())
    if (message.some(({ isRepeated }) => !isRepeated)) await take(tx, message, now);
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
    octets: Buffer.from(octets.subarray(0, octetsMost)),
  };
};

/**
 * The messages to store now, each as its parts: a message whose parts have all arrived. If two different parts have
 * the same number under one reference, there are two messages, and it is unknown which one each part belongs to (3GPP
 * TS 23.040, §9.2.3.24.1: a reference distinguishes messages). For a while each part is then stored alone, so that no
 * text is made of two.
 */
const storableOf = async (tx: Sql, part: ReceivedPart, now: Date): Promise<ReceivedPart[][]> => {
  if (part.total === 1) return [[part]];
  const { isKnown, isContested, apartSince } = await findPlace(tx, part);
  if (isContested || apartSince) {
    if (isKnown) return [];
    const waited = isContested ? await setApart(tx, part, now) : [];
    await storeApart(tx, part, apartSince ?? now);
    return [...waited, part].map((one) => [one]);
  }
  await storePart(tx, part, now);
  const whole = await takeWhole(tx, part, now);
  return whole.length > 0 ? [whole] : [];
};

const take = async (tx: Sql, parts: readonly ReceivedPart[], now: Date): Promise<void> => {
  const [first] = parts;
  if (!first) return;
  const sender = (await findSenders(tx, [first.source])).get(first.source);
  if (!sender?.canReceive) return addUnheardSender(tx, first.source, now);
  const { simId, iccid, orgId, msisdn } = sender;
  const { text, missing, alphabet } = joinParts({
    parts: parts.map(({ part, dataCoding, octets }) => ({ sequence: part, dataCoding, octets })),
    total: first.total,
    gap,
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
  text.length > limits.sms.received ? `${truncate(text, limits.sms.received)}${gap}` : text;

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
