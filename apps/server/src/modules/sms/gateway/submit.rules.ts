import { addressOf, esmClass, RECEIPT_REQUESTED, relativeTime, type SubmitMessage } from '@simcube/smpp';
import { type DefaultAlphabet, segmentText } from '@simcube/smpp/text';

/** A part to write; its row was claimed beforehand, so it counts as possibly written. */
export interface ClaimedPart {
  id: number;
  part: number;
  messageId: number;
  destination: string;
  content: string;
  sender: string | null;
}

/** A part as it is written. Parts of one message use the message's number as their reference. */
export const submitMessage = (
  { content, part, messageId, destination, sender }: ClaimedPart,
  {
    defaultSender,
    validitySeconds,
    alphabet,
  }: { defaultSender: string | null; validitySeconds: number; alphabet: DefaultAlphabet },
): SubmitMessage | undefined => {
  const { segments, dataCoding, hasHeader } = segmentText(content, messageId, alphabet);
  const segment = segments[part - 1];
  if (!segment) return undefined;
  const from = sender ?? defaultSender;
  return {
    source: from === null ? { ton: 0, npi: 0, address: '' } : addressOf(from),
    destination: addressOf(destination),
    esmClass: hasHeader ? esmClass.userDataHeader : 0,
    registeredDelivery: RECEIPT_REQUESTED,
    validityPeriod: relativeTime(validitySeconds),
    dataCoding,
    shortMessage: segment.octets,
  };
};
