import type { Command } from './commands.ts';
import type { Tlv } from './tlvs.ts';

export const HEADER_LENGTH = 16;
/** Enough for a `message_payload` of 65,535 octets with all other fields of a PDU; no SMSC sends more. */
export const MAX_PDU_LENGTH = 131_072;
/** Maximum octets of `short_message`; longer ones are sent in the TLV `message_payload`. */
export const MAX_SHORT_MESSAGE = 254;

/**
 * Characters of a message's id, also in receipts; longer ids are truncated. The standard allows 64 (§5.2.23), and a few SMSCs
 * use more; ids as long as a PDU could be neither indexed nor shown.
 */
export const MAX_MESSAGE_ID = 255;

/** Type of number and numbering plan (SMPP 3.4, §5.2.5 and §5.2.6), and at most 20 characters. */
export interface Address {
  readonly ton: number;
  readonly npi: number;
  readonly address: string;
}

export interface BindBody {
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  readonly interfaceVersion: number;
  /** The addresses that the ESME serves; `address` is a range, at most 40 characters. */
  readonly range: Address;
}

export interface BindResponseBody {
  readonly systemId: string;
  readonly tlvs: readonly Tlv[];
}

/** `submit_sm` and `deliver_sm`. */
export interface MessageBody {
  readonly serviceType: string;
  readonly source: Address;
  readonly destination: Address;
  readonly esmClass: number;
  readonly protocolId: number;
  readonly priority: number;
  /** Empty, or 16 characters (§7.1.1), as `relativeTime` writes them. */
  readonly scheduleDeliveryTime: string;
  readonly validityPeriod: string;
  readonly registeredDelivery: number;
  readonly replaceIfPresent: number;
  readonly dataCoding: number;
  readonly defaultMessageId: number;
  /** A view of the PDU when received: copy it to keep it. */
  readonly shortMessage: Uint8Array;
  readonly tlvs: readonly Tlv[];
}

export interface DataBody
  extends Pick<
    MessageBody,
    'serviceType' | 'source' | 'destination' | 'esmClass' | 'registeredDelivery' | 'dataCoding' | 'tlvs'
  > {}

export interface MessageResponseBody {
  readonly messageId: string;
  readonly tlvs: readonly Tlv[];
}

type NoBody = Readonly<Record<never, never>>;

export interface Bodies {
  generic_nack: NoBody;
  bind_receiver: BindBody;
  bind_receiver_resp: BindResponseBody;
  bind_transmitter: BindBody;
  bind_transmitter_resp: BindResponseBody;
  bind_transceiver: BindBody;
  bind_transceiver_resp: BindResponseBody;
  submit_sm: MessageBody;
  submit_sm_resp: MessageResponseBody;
  deliver_sm: MessageBody;
  deliver_sm_resp: MessageResponseBody;
  data_sm: DataBody;
  data_sm_resp: MessageResponseBody;
  unbind: NoBody;
  unbind_resp: NoBody;
  enquire_link: NoBody;
  enquire_link_resp: NoBody;
}

/** Narrowed by `command`. */
export type Pdu<C extends Command = Command> = {
  [K in C]: {
    readonly command: K;
    /** `command_status`: 0 in requests. */
    readonly status: number;
    readonly sequence: number;
    readonly body: Bodies[K];
  };
}[C];

/** Bits of `esm_class` (§5.2.12). */
export const esmClass = {
  deliveryReceipt: 0x04,
  deliveryAcknowledgement: 0x08,
  userAcknowledgement: 0x10,
  intermediateNotification: 0x20,
  /** The message begins with a user data header. */
  userDataHeader: 0x40,
} as const;

/** `registered_delivery` (§5.2.17): a receipt for success and failure. */
export const RECEIPT_REQUESTED = 1;

/** Type of number by form: letters, a number with country code (E.164), or a short code of the network. */
export function addressOf(text: string): Address {
  const digits = text.replace(/^\+/, '');
  if (!/^\d+$/.test(digits)) return { ton: 5, npi: 0, address: text };
  return digits.length > 6 ? { ton: 1, npi: 1, address: digits } : { ton: 3, npi: 1, address: digits };
}

/** A time from now in the relative form of §7.1.1.2, to the second; at most 99 days. */
export function relativeTime(seconds: number): string {
  const bounded = Math.min(Math.max(Math.round(seconds), 0), 99 * 86_400);
  const parts = [
    Math.floor(bounded / 86_400),
    Math.floor(bounded / 3_600) % 24,
    Math.floor(bounded / 60) % 60,
    bounded % 60,
  ];
  return `0000${parts.map((part) => String(part).padStart(2, '0')).join('')}000R`;
}
