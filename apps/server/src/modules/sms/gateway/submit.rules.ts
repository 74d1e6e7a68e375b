import { esmClass, RECEIPT_REQUESTED, relativeTime, type SubmitMessage } from '@simcube/smpp';
import { type DefaultAlphabet, segmentText } from '@simcube/smpp/text';
import { destinationOf, type SmppSettings, sourceOf } from '../connections/smpp-settings.rules.ts';

/** A part to write; its row was claimed beforehand, so it counts as possibly written. */
export interface ClaimedPart {
  id: number;
  part: number;
  messageId: number;
  destination: string;
  content: string;
  sender: string | null;
}

/** The settings of a connection for what is written to it. */
interface SubmitSettings extends SmppSettings {
  /** Sender's address for organisations without one. */
  sender: string | null;
  default_alphabet: DefaultAlphabet;
}

/** A part as it is written. Parts of one message use the message's number as their reference. */
export const submitMessage = (
  { content, part, messageId, destination, sender }: ClaimedPart,
  settings: SubmitSettings,
  validitySeconds: number,
): SubmitMessage | undefined => {
  const { segments, dataCoding, hasHeader } = segmentText(content, messageId, settings.default_alphabet);
  const segment = segments[part - 1];
  if (!segment) return undefined;
  return {
    serviceType: settings.service_type,
    source: sourceOf(sender ?? settings.sender, settings),
    destination: destinationOf(destination, settings),
    esmClass: hasHeader ? esmClass.userDataHeader : 0,
    registeredDelivery: RECEIPT_REQUESTED,
    validityPeriod: relativeTime(validitySeconds),
    dataCoding,
    shortMessage: segment.octets,
  };
};
