import { type Command, commandOf, isResponseId, refusalOf } from './commands.ts';
import { type Address, HEADER_LENGTH, MAX_MESSAGE_ID, type Pdu } from './pdu.ts';
import { statusCode } from './statuses.ts';
import type { Tlv } from './tlvs.ts';

/** Reasons for refusing a PDU: a closed set, so that they can be counted. */
export const decodeFailures = [
  'too-short',
  'command-unknown',
  'truncated',
  'field-too-long',
  'message-length',
  'tlv-malformed',
] as const;

export type DecodeFailure = (typeof decodeFailures)[number];

export interface RefusedPdu {
  readonly ok: false;
  readonly reason: DecodeFailure;
  readonly sequence: number;
  /** Reply to the sender: the response to its request, otherwise `generic_nack`; undefined for a response. */
  readonly answer: Command | undefined;
  /** `command_status` of that reply. */
  readonly status: number;
}

export type DecodedPdu = { readonly ok: true; readonly pdu: Pdu } | RefusedPdu;

/**
 * Decodes one PDU from the framer. Never throws. Requests are read strictly, so that their sender is notified of errors. A
 * response is never refused because of its body: the request has been processed, and the status has the result; fields that
 * cannot be read are empty.
 */
export function decodePdu(frame: Buffer): DecodedPdu {
  if (frame.length < HEADER_LENGTH) return refuse(0, 0, 'too-short', statusCode.ESME_RINVCMDLEN);
  const id = frame.readUInt32BE(4);
  const status = frame.readUInt32BE(8);
  const sequence = frame.readUInt32BE(12);
  const command = commandOf(id);
  if (command === undefined) return refuse(id, sequence, 'command-unknown', statusCode.ESME_RINVCMDID);
  const reader = new BodyReader(frame, isResponseId(id));
  const body = readBody(command, reader);
  const { failure } = reader;
  if (failure !== undefined) return refuse(id, sequence, failure.reason, failure.status);
  return { ok: true, pdu: { command, status, sequence, body } as Pdu };
}

function refuse(id: number, sequence: number, reason: DecodeFailure, status: number): RefusedPdu {
  return { ok: false, reason, sequence, answer: refusalOf(id), status };
}

function readBody(command: Command, reader: BodyReader): Pdu['body'] {
  switch (command) {
    case 'bind_receiver':
    case 'bind_transmitter':
    case 'bind_transceiver':
      return {
        systemId: reader.text(16, statusCode.ESME_RINVSYSID),
        password: reader.text(9, statusCode.ESME_RINVPASWD),
        systemType: reader.text(13, statusCode.ESME_RINVSYSTYP),
        interfaceVersion: reader.octet(),
        range: reader.address(41, statusCode.ESME_RINVPARLEN),
      };
    case 'bind_receiver_resp':
    case 'bind_transmitter_resp':
    case 'bind_transceiver_resp':
      return { systemId: reader.text(16), tlvs: reader.tlvs() };
    case 'submit_sm':
    case 'deliver_sm':
      return {
        serviceType: reader.text(6, statusCode.ESME_RINVSERTYP),
        source: reader.address(21, statusCode.ESME_RINVSRCADR),
        destination: reader.address(21, statusCode.ESME_RINVDSTADR),
        esmClass: reader.octet(),
        protocolId: reader.octet(),
        priority: reader.octet(),
        scheduleDeliveryTime: reader.text(17, statusCode.ESME_RINVSCHED),
        validityPeriod: reader.text(17, statusCode.ESME_RINVEXPIRY),
        registeredDelivery: reader.octet(),
        replaceIfPresent: reader.octet(),
        dataCoding: reader.octet(),
        defaultMessageId: reader.octet(),
        shortMessage: reader.shortMessage(),
        tlvs: reader.tlvs(),
      };
    case 'data_sm':
      return {
        serviceType: reader.text(6, statusCode.ESME_RINVSERTYP),
        source: reader.address(65, statusCode.ESME_RINVSRCADR),
        destination: reader.address(65, statusCode.ESME_RINVDSTADR),
        esmClass: reader.octet(),
        registeredDelivery: reader.octet(),
        dataCoding: reader.octet(),
        tlvs: reader.tlvs(),
      };
    case 'submit_sm_resp':
    case 'deliver_sm_resp':
    case 'data_sm_resp':
      return { messageId: reader.text(65).slice(0, MAX_MESSAGE_ID), tlvs: reader.tlvs() };
    default:
      return {};
  }
}

const noTlvs: readonly Tlv[] = [];

/** Reads the fields in order; after the first failure, the remaining fields are empty. */
class BodyReader {
  failure: { reason: DecodeFailure; status: number } | undefined;
  readonly #frame: Buffer;
  readonly #lenient: boolean;
  #at = HEADER_LENGTH;

  constructor(frame: Buffer, lenient: boolean) {
    this.#frame = frame;
    this.#lenient = lenient;
  }

  octet(): number {
    const value = this.#frame[this.#at];
    if (value === undefined) this.#fail('truncated', statusCode.ESME_RINVCMDLEN);
    this.#at += 1;
    return value ?? 0;
  }

  /** A C-octet string of at most `size` octets with its NUL. */
  text(size: number, whenTooLong: number = statusCode.ESME_RINVPARLEN): string {
    const end = this.#frame.indexOf(0, this.#at);
    if (this.#lenient) {
      // Some SMSCs send responses with only the id, or without a NUL.
      const stop = end < 0 ? this.#frame.length : end;
      const value = this.#frame.toString('latin1', this.#at, stop);
      this.#at = stop + 1;
      return value;
    }
    if (end < 0) {
      this.#fail('truncated', statusCode.ESME_RINVCMDLEN);
      return '';
    }
    if (end - this.#at >= size) this.#fail('field-too-long', whenTooLong);
    const value = end === this.#at ? '' : this.#frame.toString('latin1', this.#at, end);
    this.#at = end + 1;
    return value;
  }

  address(size: number, whenTooLong: number): Address {
    return { ton: this.octet(), npi: this.octet(), address: this.text(size, whenTooLong) };
  }

  shortMessage(): Buffer {
    const start = this.#at + 1;
    const end = start + this.octet();
    if (end > this.#frame.length) this.#fail('message-length', statusCode.ESME_RINVMSGLEN);
    this.#at = end;
    return this.#frame.subarray(start, end);
  }

  tlvs(): readonly Tlv[] {
    const frame = this.#frame;
    if (this.#at >= frame.length || this.failure !== undefined) return noTlvs;
    const found: Tlv[] = [];
    while (this.#at < frame.length) {
      const start = this.#at + 4;
      const end = start > frame.length ? start : start + frame.readUInt16BE(start - 2);
      if (end > frame.length) {
        this.#fail('tlv-malformed', statusCode.ESME_RINVOPTPARSTREAM);
        return found;
      }
      found.push({ tag: frame.readUInt16BE(this.#at), value: frame.subarray(start, end) });
      this.#at = end;
    }
    return found;
  }

  #fail(reason: DecodeFailure, status: number): void {
    if (!this.#lenient) this.failure ??= { reason, status };
    this.#at = this.#frame.length;
  }
}
