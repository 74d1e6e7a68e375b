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

/** After a final state, nothing more is reported about a message. */
export const isFinalState = (state: MessageState): boolean => state !== 'enroute' && state !== 'accepted';

export interface DeliveryReceipt {
  /** Ids of the message in the receipt, most trusted first; empty if the SMSC includes none. */
  readonly messageIds: readonly string[];
  /** Undefined if the receipt contains no known state. */
  readonly state: MessageState | undefined;
  /** `err:` as written; its meaning depends on the SMSC. */
  readonly error: string | undefined;
  /** `network_error_code`: type (3: GSM) and code. */
  readonly networkError: { readonly type: number; readonly code: number } | undefined;
  /** Destination of the message: the source of the receipt. */
  readonly address: string;
  /** Sender of the message: the destination of the receipt. Kannel's opensmppbox has the two swapped. */
  readonly sender: string;
  /** The text as received. */
  readonly text: string;
}

const RECEIPT_BITS = esmClass.deliveryReceipt | esmClass.intermediateNotification;

/**
 * Reads a delivery receipt; `undefined` for any other message. Receipts are recognised by `esm_class` or
 * `receipted_message_id`, never by text alone, which a device could write.
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

/** Receipts are plain text regardless of their `data_coding`; UCS-2 and the GSM alphabet are recognised by their octets. */
function receiptText(octets: Uint8Array): string {
  const plain = decodeText(octets, 'latin1');
  if (octets.length >= 2 && octets[0] === 0 && octets[1] !== 0) return decodeText(octets, 'ucs2');
  const hasControls = octets.some(
    (octet) => octet < 0x20 && octet !== 0x0a && octet !== 0x0d && octet !== 0x09,
  );
  return hasControls ? decodeText(octets, 'gsm7') : plain;
}

/** Fields of Appendix B, in any order and case; `text:` is last, because it may contain anything. */
function receiptFields(text: string): { id?: string; stat?: string; err?: string } {
  const quoted = text.search(/\btext\s*:/i);
  const [beforeText, all] = [quoted < 0 ? text : text.slice(0, quoted), text];
  const find = (name: string): string | undefined => {
    const form = new RegExp(`(?:^|[^a-z0-9])${name}\\s*[:=]\\s*([^\\s,;]+)`, 'i');
    return (form.exec(beforeText) ?? form.exec(all))?.[1];
  };
  const [id, stat, err] = [find('id'), find('stat(?:us|e)?'), find('err(?:or)?')];
  return { ...(id && { id }), ...(stat && { stat }), ...(err && { err }) };
}

/** Beginnings of the words that SMSCs write: DELIVRD and DELIVERED, UNDELIV and UNDELIVERABLE. */
const statePrefixes: readonly (readonly [beginning: string, state: MessageState])[] = [
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
  return statePrefixes.find(([beginning]) => upper.startsWith(beginning))?.[1];
}

/** The form in which ids are compared: lower case, without leading zeros or `0x`. Empty for an empty id. */
export function messageIdKey(id: string): string {
  return id
    .trim()
    .toLowerCase()
    .replace(/^0x(?=[0-9a-f]+$)/, '')
    .replace(/^0+(?=.)/, '');
}

/** Decimal digits of 128 bits: longer ids are not numbers. */
const MAX_DIGITS = 39;

/**
 * Keys under which the message of a receipt may have been stored (`messageIdKey` of its `submit_sm_resp`), most likely first:
 * unchanged, then converted from decimal to hexadecimal and the reverse, because some SMSCs use one in responses and the other
 * in receipts. Compare the ids themselves before these.
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
