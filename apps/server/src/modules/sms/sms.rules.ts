import {
  type SmsEncoding,
  type SmsId,
  type SmsReason,
  type SmsStatus,
  smsEncodings,
  smsReasons,
  smsStatuses,
} from '@simcube/contract/sms';

/** As stored in `sms_messages.status`: positions of the MT states, and one value for all MO messages. */
export const statusNumber = (status: SmsStatus): number => smsStatuses.indexOf(status);
export const receivedStatus = smsStatuses.length;
export const statusOf = (number: number): SmsStatus | null => smsStatuses[number] ?? null;

export const encodingNumber = (encoding: SmsEncoding): number => smsEncodings.indexOf(encoding);
export const encodingOf = (number: number): SmsEncoding => smsEncodings[number] ?? 'binary';

export const reasonOf = (reason: string | null): SmsReason | null =>
  smsReasons.find((known) => known === reason) ?? null;

export const messageIdOf = (iccid: string, { at, id }: { at: Date; id: number }): SmsId =>
  `${iccid}-${at.getTime()}-${id}`;

/** As stored in `sms_parts.state`; waiting parts that may have been written are in `sms_claims`. */
export const partStates = { waiting: 0, submitted: 2, unanswered: 3, overdue: 4 } as const;

/** Maximum number of due items of one kind handled by one transaction; other kinds have their turn before the next one. */
export const duePerRound = 1000;

/** What an organisation may send and receive. */
export interface Service {
  canSend: boolean;
  canReceive: boolean;
  sender: string | null;
  /** Notification targets to which messages of its SIMs are forwarded. */
  forwardTo: number[];
}
