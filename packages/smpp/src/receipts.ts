import { decodeText, readContent } from './content.ts';
import { type DataBody, esmClass, MAX_MESSAGE_ID, type MessageBody } from './pdu.ts';
import { readTlv, tlv } from './tlvs.ts';

/** `message_state` (SMPP 3.4, §5.2.28), in the order of its numbers from 1. */
const states = [
  'enroute',
  'delivered',
  'expired',
  'deleted',
  'undeliverable',
  'accepted',
  'unknown',
  'rejected',
] as const;

export type MessageState = (typeof states)[number];

/** Nothing further is reported of a message after these. */
export const isFinalState = (state: MessageState): boolean => state !== 'enroute' && state !== 'accepted';

export interface DeliveryReceipt {
  /** Ids of the message as the receipt gives them, most trusted first; none where the SMSC gives none. */
  readonly messageIds: readonly string[];
  /** Absent when the receipt tells none that is known. */
  readonly state: MessageState | undefined;
  /** `err:` as written; its meaning is the SMSC's own. */
  readonly error: string | undefined;
  /** `network_error_code`: type (3: GSM) and code. */
  readonly networkError: { readonly type: number; readonly code: number } | undefined;
  /** The person who had the message is the destination of it: the source of the receipt. */
  readonly address: string;
  /** Who sent the message: the destination of the receipt. Kannel's opensmppbox has the two the other way round. */
  readonly sender: string;
  /** The text as received. */
  readonly text: string;
}

const RECEIPT_BITS = esmClass.deliveryReceipt | esmClass.intermediateNotification;

/**
 * The receipt that a message from the SMSC is; `undefined` for any other message. By `esm_class` or by
 * `receipted_message_id`, never by text alone: a device could write that.
 */
export function readReceipt(message: MessageBody | DataBody): DeliveryReceipt | undefined {
  const tlvId = readTlv(message.tlvs, tlv.receiptedMessageId)?.trim() ?? '';
  if ((message.esmClass & RECEIPT_BITS) === 0 && tlvId === '') return undefined;
  const { octets } = readContent(message);
  const text = receiptText(octets);
  const fields = receiptFields(text);
  const code = readTlv(message.tlvs, tlv.networkErrorCode);
  return {
    messageIds: [...new Set([tlvId, [...(fields.id ?? '')].slice(0, MAX_MESSAGE_ID).join('')])].filter(
      (id) => id !== '',
    ),
    state: states[(readTlv(message.tlvs, tlv.messageState) ?? 0) - 1] ?? stateOfWord(fields.stat ?? ''),
    error: fields.err,
    networkError: code && { type: code.readUInt8(), code: code.readUInt16BE(1) },
    address: message.source.address,
    sender: message.destination.address,
    text,
  };
}

/** Receipts are plain text whatever their `data_coding` says; UCS-2 and the GSM alphabet show in their octets. */
function receiptText(octets: Uint8Array): string {
  const plain = decodeText(octets, 'latin1');
  if (octets.length >= 2 && octets[0] === 0 && octets[1] !== 0) return decodeText(octets, 'ucs2');
  const hasControls = octets.some(
    (octet) => octet < 0x20 && octet !== 0x0a && octet !== 0x0d && octet !== 0x09,
  );
  return hasControls ? decodeText(octets, 'gsm7') : plain;
}

/** Fields as Appendix B writes them, in any order and case; `text:` last, as it may contain anything. */
function receiptFields(text: string): { id?: string; stat?: string; err?: string } {
  const quoted = text.search(/\btext\s*:/i);
  const [own, all] = [quoted < 0 ? text : text.slice(0, quoted), text];
  const find = (name: string): string | undefined => {
    const form = new RegExp(`(?:^|[^a-z0-9])${name}\\s*[:=]\\s*([^\\s,;]+)`, 'i');
    return (form.exec(own) ?? form.exec(all))?.[1];
  };
  const [id, stat, err] = [find('id'), find('stat(?:us|e)?'), find('err(?:or)?')];
  return { ...(id && { id }), ...(stat && { stat }), ...(err && { err }) };
}

/** Beginnings of the words that SMSCs write: DELIVRD and DELIVERED, UNDELIV and UNDELIVERABLE. */
const beginnings: readonly (readonly [beginning: string, state: MessageState])[] = [
  ['DELIV', 'delivered'],
  ['EXPIR', 'expired'],
  ['DELET', 'deleted'],
  ['UNDEL', 'undeliverable'],
  ['FAIL', 'undeliverable'],
  ['ACCEP', 'accepted'],
  ['UNKN', 'unknown'],
  ['REJEC', 'rejected'],
  ['ENROU', 'enroute'],
  ['EN_ROU', 'enroute'],
];

function stateOfWord(word: string): MessageState | undefined {
  const upper = word.toUpperCase();
  return beginnings.find(([beginning]) => upper.startsWith(beginning))?.[1];
}

/** The form in which ids are compared: lower case, without leading zeros or `0x`. Empty for an empty id. */
export function messageIdKey(id: string): string {
  return id
    .trim()
    .toLowerCase()
    .replace(/^0x(?=[0-9a-f]+$)/, '')
    .replace(/^0+(?=.)/, '');
}

/** Digits of 128 bits: longer ids are no numbers. */
const MAX_DIGITS = 39;

/**
 * Keys under which the message of a receipt may have been stored by `messageIdKey` of its `submit_sm_resp`, most likely
 * first: as it is, then decimal read as hexadecimal was meant, and the reverse (SMSCs submit with one and report with the
 * other). Compare the ids themselves before these.
 */
export function messageIdCandidates(id: string): string[] {
  const key = messageIdKey(id);
  const candidates = [key];
  if (key.length <= MAX_DIGITS) {
    if (/^\d+$/.test(key)) candidates.push(BigInt(key).toString(16));
    if (/^[0-9a-f]+$/.test(key)) candidates.push(BigInt(`0x${key}`).toString());
  }
  return [...new Set(candidates)].filter((candidate) => candidate !== '');
}
