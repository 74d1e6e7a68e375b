import { beginningOf } from '@simcube/contract';
import type { SmsReason } from '@simcube/contract/sms';
import {
  type DeliveryReceipt,
  isThrottling,
  type MessageState,
  messageIdCandidates,
  type Status,
  type SubmitOutcome,
} from '@simcube/smpp';

/** What a receipt says at last of the message that it is about. */
export interface Verdict {
  /** Null: it was delivered. */
  reason: SmsReason | null;
  networkCode: string | null;
}

/** A receipt as it is stored and matched. */
export interface ReceivedReceipt extends Verdict {
  /** The message's ids, as received. */
  ids: string[];
  /** Forms in which the SMSC may have given them before, the likeliest first. */
  keys: string[];
  /** The number that the message was for. */
  address: string;
  /** The sender of the message, or the number that it was for, where an SMSC has the two the other way round. */
  sender?: string;
  /** One of the same message came before: only an id says that it is about another one. */
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
 * A receipt that settles a message; undefined for one that says that it is still on its way, or nothing known (SMPP 3.4,
 * 5.2.28): then the message stays what it is until its validity is over.
 */
export const settling = (receipt: DeliveryReceipt): ReceivedReceipt | undefined => {
  const reason = receipt.state && reasons[receipt.state];
  if (reason === undefined) return undefined;
  const ids = [...receipt.messageIds];
  const keys = [...new Set(ids.flatMap(messageIdCandidates))];
  const [address, sender] = [digitsOf(receipt.address), digitsOf(receipt.sender)];
  return { ids, keys, address, sender, reason, networkCode: reason && codeOf(receipt) };
};

const codeOf = ({ networkError, error }: DeliveryReceipt): string | null => {
  if (networkError) return `${networkError.type}:${networkError.code}`;
  return error === undefined ? null : beginningOf(error, 40);
};

/** Numbers are compared by their digits, without the zeros that some write before a country code. */
export const digitsOf = (address: string): string => address.replaceAll(/\D/g, '').replace(/^0+/, '');

/**
 * Who wrote: a number as it is compared, or a name (SMPP 3.4, §5.2.5: alphanumeric), which is no number with letters around it.
 * Blanks stand for control characters: names are listed on the operator's screen.
 */
export const senderOf = (address: string): string =>
  /^[\d\s()+.-]+$/.test(address) ? digitsOf(address) : address.slice(0, 40).replaceAll(/\p{Cc}/gu, ' ');

const unknownNumber = new Set(['ESME_RINVDSTADR', 'ESME_RINVDSTTON', 'ESME_RINVDSTNPI']);

export const refusalOf = ({ name, code }: Status): Verdict => ({
  reason: unknownNumber.has(name) ? 'address-invalid' : 'refused',
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

/** Of parts, those to the number that a receipt names, in either place. */
export const partsTo = <Part extends { destination: string }>(
  { address, sender }: Numbered,
  parts: readonly Part[],
): Part[] => {
  const to = (number: string | undefined) =>
    parts.filter(({ destination }) => digitsOf(destination) === number);
  const named = to(address);
  return named.length > 0 ? named : to(sender);
};

/** The last digits of a number are the same with and without its country's code, of two digits mostly. */
const [ownDigits, codeDigits] = [7, 2];

/** Whether the number of a receipt is that of a part's in no form, nor one that is hidden or left out. */
const isToAnother = ({ address, sender = '' }: Numbered, { destination }: AwaitingPart): boolean => {
  const number = digitsOf(destination);
  const end = number.slice(-ownDigits);
  const isWhole = address.length >= Math.max(ownDigits, number.length - codeDigits);
  return isWhole && !address.endsWith(end) && !sender.endsWith(end);
};

/**
 * The part that a receipt is about: by its id literally, else by its id in another form; of several, and always in another
 * form, by the number. The oldest of those that are left. Two SMSCs may give the same ids: a part to another number is not it.
 */
export const partOf = (
  receipt: Numbered & Pick<ReceivedReceipt, 'ids' | 'keys'>,
  parts: readonly AwaitingPart[],
): AwaitingPart | undefined => {
  const { ids, keys } = receipt;
  const literal = parts.filter(({ smscId }) => smscId !== null && ids.includes(smscId));
  const [only, ...others] = literal;
  if (only && others.length === 0 && !isToAnother(receipt, only)) return only;
  const alike = parts.filter(({ smscKey }) => smscKey !== null && keys.includes(smscKey));
  return partsTo(receipt, literal)[0] ?? partsTo(receipt, alike)[0];
};

/** What became of a part, as it is stored. */
export type Outcome =
  | { outcome: 'sent'; messageId: string }
  | { outcome: 'refused'; verdict: Verdict }
  | { outcome: 'unknown' | 'not-sent' };

/** For the receipt of a part that its message does not have: nothing can be written. */
export const unwritable = {
  outcome: 'refused',
  verdict: { reason: 'refused', networkCode: null },
} as const satisfies Outcome;

/** Of a part whose message goes nowhere. */
export const orphaned = {
  outcome: 'refused',
  verdict: { reason: 'sim-moved', networkCode: null },
} as const satisfies Outcome;

/** What became of a part that was handed to a connection. */
export type PartOutcome = { id: number; destination: string } & Outcome;

type Sent = Extract<PartOutcome, { outcome: 'sent' }>;

/** What the network said since the last time. */
export interface Answers {
  outcomes: readonly PartOutcome[];
  receipts: readonly ReceivedReceipt[];
}

/** A part whose answer and whose receipt of delivery came together. */
export interface DeliveredAtOnce {
  outcome: Sent;
  receipt: ReceivedReceipt;
}

/** Parts that are stored as sent and delivered at once: the receipt has the id literally and the number. */
export const deliveredAtOnce = ({
  outcomes,
  receipts,
}: Answers): { delivered: DeliveredAtOnce[]; left: Answers } => {
  const sent = new Map<string, Sent | undefined>();
  for (const one of outcomes)
    if (one.outcome === 'sent') sent.set(one.messageId, sent.has(one.messageId) ? undefined : one);
  const delivered = new Map<PartOutcome, DeliveredAtOnce>();
  const left = receipts.filter((receipt) => {
    const { ids, address, reason } = receipt;
    const outcome = ids.length === 1 && ids[0] !== undefined ? sent.get(ids[0]) : undefined;
    const fits = outcome && reason === null && digitsOf(outcome.destination) === address;
    if (!fits || delivered.has(outcome)) return true;
    delivered.set(outcome, { outcome, receipt });
    return false;
  });
  return {
    delivered: outcomes.flatMap((one) => delivered.get(one) ?? []),
    left: { outcomes: outcomes.filter((one) => !delivered.has(one)), receipts: left },
  };
};

/** What was throttled to the end, or never written, waits again; what could never be written is refused. */
export const outcomeOf = (outcome: SubmitOutcome): Outcome => {
  switch (outcome.outcome) {
    case 'sent':
      return { outcome: 'sent', messageId: outcome.messageId };
    case 'refused':
      return isThrottling(outcome.status.code)
        ? { outcome: 'not-sent' }
        : { outcome: 'refused', verdict: refusalOf(outcome.status) };
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
