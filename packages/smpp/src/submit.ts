import { encodePdu, SmppEncodeError } from './encode.ts';
import { MAX_SHORT_MESSAGE, type MessageBody } from './pdu.ts';
import type { SubmitResponse } from './session.ts';
import { type Status, statusCode, statusOf } from './statuses.ts';
import { tlv, writeTlv } from './tlvs.ts';

/** Omitted fields are zero or empty. A `shortMessage` of more than 254 octets is sent as `message_payload`. */
export type SubmitMessage = Pick<MessageBody, 'source' | 'destination' | 'shortMessage' | 'dataCoding'> &
  Partial<MessageBody>;

export type SubmitOutcome =
  /** The SMSC accepted it with this id (empty if it returned none). */
  | { readonly outcome: 'sent'; readonly messageId: string }
  /** The SMSC refused it. */
  | { readonly outcome: 'refused'; readonly status: Status }
  /** Written but not answered: the SMSC may have accepted it, so sending it again could send it twice. */
  | { readonly outcome: 'unknown'; readonly reason: 'timeout' | 'disconnected' }
  /** Never written, or throttled and not retried: may be sent again, here or elsewhere. `detail` names an `invalid` field. */
  | {
      readonly outcome: 'not-sent';
      readonly reason: 'not-bound' | 'disconnected' | 'queue-full' | 'invalid' | 'closed';
      readonly detail?: string;
    };

const submitDefaults = {
  serviceType: '',
  esmClass: 0,
  protocolId: 0,
  priority: 0,
  scheduleDeliveryTime: '',
  validityPeriod: '',
  registeredDelivery: 0,
  replaceIfPresent: 0,
  defaultMessageId: 0,
  tlvs: [],
} as const;

export function outcomeOf(response: SubmitResponse): SubmitOutcome {
  if (!response.answered) return { outcome: 'unknown', reason: response.reason };
  if (response.status === statusCode.ESME_ROK) return { outcome: 'sent', messageId: response.messageId };
  return { outcome: 'refused', status: statusOf(response.status) };
}

/** The `submit_sm` of a message without a sequence number, or the error if a value does not fit. */
export function encodeSubmit(message: SubmitMessage): Buffer | SmppEncodeError {
  const body = { ...submitDefaults, ...message };
  const isLong = body.shortMessage.length > MAX_SHORT_MESSAGE;
  try {
    return encodePdu({
      command: 'submit_sm',
      status: 0,
      sequence: 0,
      body: isLong ? withPayload(body) : body,
    });
  } catch (error) {
    if (error instanceof SmppEncodeError) return error;
    throw error;
  }
}

const withPayload = (body: MessageBody): MessageBody => ({
  ...body,
  shortMessage: new Uint8Array(0),
  tlvs: [...body.tlvs, writeTlv(tlv.messagePayload, Buffer.from(body.shortMessage))],
});
