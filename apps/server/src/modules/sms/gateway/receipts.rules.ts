import { truncate } from '@simcube/contract';
import type { SmsReason } from '@simcube/contract/sms';
import {
  type DeliveryReceipt,
  isTemporary,
  type MessageState,
  messageIdCandidates,
  type Status,
  type SubmitOutcome,
} from '@simcube/smpp';

/** The final result in a receipt. */
export interface Verdict {
  /** Null: delivered. */
  reason: SmsReason | null;
  networkCode: string | null;
}

/** A receipt as it is stored and matched. */
export interface ReceivedReceipt extends Verdict {
  /** The message's ids, as received. */
  ids: string[];
  /** Forms in which the SMSC may have given these ids before, most likely first. */
  keys: string[];
  /** The number that the message was sent to. */
  address: string;
  /** The sender of the message; or its recipient, if an SMSC swaps the two. */
  sender?: string;
  /** A receipt for the same message arrived before: only an id can show that this one is about another message. */
  isRepeated?: true;
}

const reasons: Partial<Record<MessageState, SmsReason | null>> = {
  delivered: null,
  expired: 'expired',
  deleted: 'deleted',
  undeliverable: 'undeliverable',
  rejected: 'rejected',
};

/**
 * Returns a receipt that settles a message; undefined if the message is still in transit or its state is unknown
 * (SMPP 3.4, 5.2.28). The message then keeps its state until its validity ends.
 */
export const finalReceipt = (receipt: DeliveryReceipt): ReceivedReceipt | undefined => {
  const reason = receipt.state && reasons[receipt.state];
  if (reason === undefined) return undefined;
  const ids = [...receipt.messageIds];
  const keys = [...new Set(ids.flatMap(messageIdCandidates))];
  const [address, sender] = [digitsOf(receipt.address), digitsOf(receipt.sender)];
  return { ids, keys, address, sender, reason, networkCode: reason && codeOf(receipt) };
};

const codeOf = ({ networkError, error }: DeliveryReceipt): string | null => {
  if (networkError) return `${networkError.type}:${networkError.code}`;
  return error === undefined ? null : truncate(error, 40);
};

/** Numbers are compared by their digits, without the zeros that some SMSCs put before a country code. */
export const digitsOf = (address: string): string => address.replaceAll(/\D/g, '').replace(/^0+/, '');

/**
 * The sender: a number in the form for comparison, or a name (SMPP 3.4, §5.2.5: alphanumeric), which must not be
 * reduced to its digits. Control characters are replaced by blanks, because names are listed on the operator's
 * screen.
 */
export const senderOf = (address: string): string =>
  /^[\d\s()+.-]+$/.test(address) ? digitsOf(address) : address.slice(0, 40).replaceAll(/\p{Cc}/gu, ' ');

const invalidNumberCodes = new Set(['ESME_RINVDSTADR', 'ESME_RINVDSTTON', 'ESME_RINVDSTNPI']);

export const refusalOf = ({ name, code }: Status): Verdict => ({
  reason: invalidNumberCodes.has(name) ? 'address-invalid' : 'refused',
  networkCode: `${name} (0x${code.toString(16).padStart(2, '0')})`,
});

/** A part that a receipt may be about. */
export interface AwaitingPart {
  id: number;
  smscId: string | null;
  smscKey: string | null;
  destination: string;
}

type Numbered = Pick<ReceivedReceipt, 'address' | 'sender'>;

/** The parts to the number in a receipt, in either of its fields. */
export const partsTo = <Part extends { destination: string }>(
  { address, sender }: Numbered,
  parts: readonly Part[],
): Part[] => {
  const to = (number: string | undefined) =>
    parts.filter(({ destination }) => digitsOf(destination) === number);
  const named = to(address);
  return named.length > 0 ? named : to(sender);
};

/** The last digits of a number are the same with and without the country code, which mostly has two digits. */
const [subscriberDigits, countryCodeDigits] = [7, 2];

/** Whether the receipt's number can't be a form of the part's number, nor hidden or omitted. */
const isToAnotherNumber = ({ address, sender = '' }: Numbered, { destination }: AwaitingPart): boolean => {
  const number = digitsOf(destination);
  const end = number.slice(-subscriberDigits);
  const isWhole = address.length >= Math.max(subscriberDigits, number.length - countryCodeDigits);
  return isWhole && !address.endsWith(end) && !sender.endsWith(end);
};

/**
 * The part that a receipt is about: by literal id, else by another form of the id. The number decides between several
 * parts, and always for another form. Of the remaining parts the oldest is chosen. Two SMSCs may give the same ids,
 * so a part to another number never matches.
 */
export const matchingPart = (
  receipt: Numbered & Pick<ReceivedReceipt, 'ids' | 'keys'>,
  parts: readonly AwaitingPart[],
): AwaitingPart | undefined => {
  const { ids, keys } = receipt;
  const literal = parts.filter(({ smscId }) => smscId !== null && ids.includes(smscId));
  const [only, ...others] = literal;
  if (only && others.length === 0 && !isToAnotherNumber(receipt, only)) return only;
  const sameKey = parts.filter(({ smscKey }) => smscKey !== null && keys.includes(smscKey));
  return partsTo(receipt, literal)[0] ?? partsTo(receipt, sameKey)[0];
};

/** The result of a part, as stored. */
export type Outcome =
  | { outcome: 'sent'; messageId: string }
  | { outcome: 'refused'; verdict: Verdict }
  | { outcome: 'unknown' | 'not-sent' };

/** For the receipt of a part that its message does not have, nothing can be written. */
export const unwritable = {
  outcome: 'refused',
  verdict: { reason: 'refused', networkCode: null },
} as const satisfies Outcome;

/** For a part whose message must not be sent. */
export const withheld = (reason: SmsReason): Outcome => ({
  outcome: 'refused',
  verdict: { reason, networkCode: null },
});

/** The result of a part that was passed to a connection. */
export type PartOutcome = { id: number; destination: string } & Outcome;

type Sent = Extract<PartOutcome, { outcome: 'sent' }>;

/** Responses and receipts since the last batch. */
export interface SmscResults {
  outcomes: readonly PartOutcome[];
  receipts: readonly ReceivedReceipt[];
}

/** A part whose response and delivery receipt arrived together. */
export interface DeliveredWithResponse {
  outcome: Sent;
  receipt: ReceivedReceipt;
}

/** Parts that can be stored as sent and delivered in one step: the receipt has the literal id and the number. */
export const splitDelivered = ({
  outcomes,
  receipts,
}: SmscResults): { delivered: DeliveredWithResponse[]; rest: SmscResults } => {
  const sent = new Map<string, Sent | undefined>();
  for (const one of outcomes)
    if (one.outcome === 'sent') sent.set(one.messageId, sent.has(one.messageId) ? undefined : one);
  const delivered = new Map<PartOutcome, DeliveredWithResponse>();
  const rest = receipts.filter((receipt) => {
    const { ids, address, reason } = receipt;
    const outcome = ids.length === 1 && ids[0] !== undefined ? sent.get(ids[0]) : undefined;
    const isMatch = outcome && reason === null && digitsOf(outcome.destination) === address;
    if (!isMatch || delivered.has(outcome)) return true;
    delivered.set(outcome, { outcome, receipt });
    return false;
  });
  return {
    delivered: outcomes.flatMap((one) => delivered.get(one) ?? []),
    rest: { outcomes: outcomes.filter((one) => !delivered.has(one)), receipts: rest },
  };
};

/** Parts that the SMSC refused for now, or that were never written, wait again; parts that can't be written are refused. */
export const outcomeOf = (outcome: SubmitOutcome): Outcome =>
  outcome.outcome === 'refused' && isTemporary(outcome.status.code)
    ? { outcome: 'not-sent' }
    : lateOutcomeOf(outcome);

/** By the time of a late response the message is unknown and is not sent again, so that any refusal is final. */
export const lateOutcomeOf = (outcome: SubmitOutcome): Outcome => {
  switch (outcome.outcome) {
    case 'sent':
      return { outcome: 'sent', messageId: outcome.messageId };
    case 'refused':
      return { outcome: 'refused', verdict: refusalOf(outcome.status) };
    case 'unknown':
      return { outcome: 'unknown' };
    case 'not-sent':
      return outcome.reason === 'invalid'
        ? {
            outcome: 'refused',
            verdict: { reason: 'address-invalid', networkCode: outcome.detail?.slice(0, 40) ?? null },
          }
        : { outcome: 'not-sent' };
  }
};
