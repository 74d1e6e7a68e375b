import { type Command, commandId } from './commands.ts';
import {
  type Address,
  type BindBody,
  type BindResponseBody,
  type DataBody,
  HEADER_LENGTH,
  MAX_PDU_LENGTH,
  MAX_SHORT_MESSAGE,
  type MessageBody,
  type MessageResponseBody,
  type Pdu,
} from './pdu.ts';
import type { Tlv } from './tlvs.ts';

/** A value that does not fit its field. Contains the name of the field but not the value, which may be a secret. */
export class SmppEncodeError extends Error {
  override readonly name = 'SmppEncodeError';
}

/** Shared buffer: only one PDU is encoded at a time. */
const scratch = Buffer.alloc(MAX_PDU_LENGTH);
let at = 0;

/** @throws SmppEncodeError if a value does not fit its field */
export function encodePdu(pdu: Pdu): Buffer {
  at = HEADER_LENGTH;
  writeBody(pdu);
  scratch.writeUInt32BE(at, 0);
  scratch.writeUInt32BE(commandId[pdu.command], 4);
  scratch.writeUInt32BE(pdu.status, 8);
  scratch.writeUInt32BE(pdu.sequence, 12);
  return Buffer.from(scratch.subarray(0, at));
}

/** A PDU that consists only of a header: `generic_nack`, `unbind`, `enquire_link`, a response without a body. */
export function encodeHeader(command: Command, status: number, sequence: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_LENGTH);
  header.writeUInt32BE(HEADER_LENGTH, 0);
  header.writeUInt32BE(commandId[command], 4);
  header.writeUInt32BE(status, 8);
  header.writeUInt32BE(sequence, 12);
  return header;
}

/** Sets the sequence number of an encoded PDU, which changes if it is sent again. */
export const setSequence = (encoded: Buffer, sequence: number): number => encoded.writeUInt32BE(sequence, 12);

function writeBody(pdu: Pdu): void {
  switch (pdu.command) {
    case 'bind_receiver':
    case 'bind_transmitter':
    case 'bind_transceiver':
      writeBind(pdu.body);
      break;
    case 'bind_receiver_resp':
    case 'bind_transmitter_resp':
    case 'bind_transceiver_resp':
      writeBindResponse(pdu.body);
      break;
    case 'submit_sm':
    case 'deliver_sm':
      writeMessage(pdu.body);
      break;
    case 'data_sm':
      writeData(pdu.body);
      break;
    case 'submit_sm_resp':
    case 'deliver_sm_resp':
    case 'data_sm_resp':
      writeMessageResponse(pdu.body);
      break;
    default:
  }
}

function writeBind(body: BindBody): void {
  text('system_id', body.systemId, 16);
  text('password', body.password, 9);
  text('system_type', body.systemType, 13);
  octet('interface_version', body.interfaceVersion);
  address('address_range', body.range, 41);
}

function writeBindResponse(body: BindResponseBody): void {
  text('system_id', body.systemId, 16);
  tlvs(body.tlvs);
}

function writeMessage(body: MessageBody): void {
  text('service_type', body.serviceType, 6);
  address('source_addr', body.source, 21);
  address('destination_addr', body.destination, 21);
  octet('esm_class', body.esmClass);
  octet('protocol_id', body.protocolId);
  octet('priority_flag', body.priority);
  time('schedule_delivery_time', body.scheduleDeliveryTime);
  time('validity_period', body.validityPeriod);
  octet('registered_delivery', body.registeredDelivery);
  octet('replace_if_present_flag', body.replaceIfPresent);
  octet('data_coding', body.dataCoding);
  octet('sm_default_msg_id', body.defaultMessageId);
  const { shortMessage } = body;
  if (shortMessage.length > MAX_SHORT_MESSAGE) {
    throw new SmppEncodeError(`short_message: more than ${MAX_SHORT_MESSAGE} octets`);
  }
  octet('sm_length', shortMessage.length);
  octets(shortMessage);
  tlvs(body.tlvs);
}

function writeData(body: DataBody): void {
  text('service_type', body.serviceType, 6);
  address('source_addr', body.source, 65);
  address('destination_addr', body.destination, 65);
  octet('esm_class', body.esmClass);
  octet('registered_delivery', body.registeredDelivery);
  octet('data_coding', body.dataCoding);
  tlvs(body.tlvs);
}

function writeMessageResponse(body: MessageResponseBody): void {
  text('message_id', body.messageId, 65);
  tlvs(body.tlvs);
}

/** A C-octet string; `size` counts its NUL. */
function text(field: string, value: string, size: number): void {
  if (value.length >= size) throw new SmppEncodeError(`${field}: more than ${size - 1} characters`);
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    if (code === 0 || code > 0xff) throw new SmppEncodeError(`${field}: characters beyond Latin-1`);
    scratch[at] = code;
    at += 1;
  }
  scratch[at] = 0;
  at += 1;
}

function time(field: string, value: string): void {
  if (value !== '' && value.length !== 16) throw new SmppEncodeError(`${field}: not 16 characters`);
  text(field, value, 17);
}

function octet(field: string, value: number): void {
  if (!Number.isInteger(value) || value < 0 || value > 0xff) throw new SmppEncodeError(`${field}: no octet`);
  scratch[at] = value;
  at += 1;
}

function address(field: string, value: Address, size: number): void {
  octet(`${field}_ton`, value.ton);
  octet(`${field}_npi`, value.npi);
  text(field, value.address, size);
}

function octets(value: Uint8Array): void {
  scratch.set(value, at);
  at += value.length;
}

function tlvs(all: readonly Tlv[]): void {
  for (const { tag, value } of all) {
    if (value.length > 0xffff) throw new SmppEncodeError('TLV: more than 65,535 octets');
    if (at + 4 + value.length > MAX_PDU_LENGTH) throw new SmppEncodeError('TLVs: the PDU is too long');
    scratch.writeUInt16BE(tag, at);
    scratch.writeUInt16BE(value.length, at + 2);
    at += 4;
    octets(value);
  }
}
