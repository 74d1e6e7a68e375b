import { hash } from 'node:crypto';
import { AttributeWriter, attribute, encodeRequest, encodeUserLocation, radiusCode } from '@simcube/radius';

export type Phase = 'start' | 'interim' | 'stop';

const statusType: Record<Phase, number> = { start: 1, interim: 3, stop: 2 };

/** Offsets of a session's values in the template. */
interface FieldOffsets {
  sessionId: number;
  imsi: number;
  userName: number;
  calling: number;
  address: number;
  eventTime: number;
  seconds: number;
  input: number;
  output: number;
}

const sessionIdLength = 16;

/** A packet of twenty attributes, as sent by gateways of an APN; its values are overwritten in place. */
const templateOf = (phase: Phase, secret: string): { packet: Buffer; offsets: FieldOffsets } => {
  const location = encodeUserLocation({ type: 'ecgi', mcc: '262', mnc: '02', cellId: 27_447_297 });
  const writer = new AttributeWriter()
    .add(attribute.acctStatusType, statusType[phase])
    .add(attribute.acctSessionId, 'S'.repeat(sessionIdLength))
    .add(attribute.userName, '9'.repeat(15))
    .add(attribute.imsi, '8'.repeat(15))
    .add(attribute.callingStationId, '7'.repeat(15))
    .add(attribute.calledStationId, 'iot.example')
    .add(attribute.nasIdentifier, 'pgw-1')
    .add(attribute.nasIpAddress, '10.200.0.1')
    .add(attribute.nasPortType, 18)
    .add(attribute.serviceType, 2)
    .add(attribute.framedProtocol, 7)
    .add(attribute.framedIpAddress, '97.98.99.100')
    .add(attribute.eventTimestamp, 0x51525354)
    .add(attribute.acctDelayTime, 0)
    .add(attribute.acctSessionTime, 0x41424344)
    .add(attribute.acctInputOctets, 0x45464748)
    .add(attribute.acctOutputOctets, 0x494a4b4c)
    .add(attribute.ratType, 6)
    .add(attribute.sgsnMccMnc, '26202')
    .add(attribute.imeisv, Buffer.from('3569380356438091'))
    .add(attribute.userLocationInfo, location);
  const packet = encodeRequest({
    code: radiusCode.accountingRequest,
    identifier: 0,
    secret: Buffer.from(secret),
    attributes: writer,
  });
  const offsetOf = (octets: Buffer): number => packet.indexOf(octets, 20);
  const digits = (digit: string) => Buffer.from(digit.repeat(15));
  return {
    packet,
    offsets: {
      sessionId: offsetOf(Buffer.from('S'.repeat(sessionIdLength))),
      userName: offsetOf(digits('9')),
      imsi: offsetOf(digits('8')),
      calling: offsetOf(digits('7')),
      address: offsetOf(Buffer.from([97, 98, 99, 100])),
      eventTime: offsetOf(Buffer.from([0x51, 0x52, 0x53, 0x54])),
      seconds: offsetOf(Buffer.from([0x41, 0x42, 0x43, 0x44])),
      input: offsetOf(Buffer.from([0x45, 0x46, 0x47, 0x48])),
      output: offsetOf(Buffer.from([0x49, 0x4a, 0x4b, 0x4c])),
    },
  };
};

export interface PacketFields {
  phase: Phase;
  /** Identifies the session; its address is also derived from it. */
  session: number;
  imsi: number;
  /** Multiple of 10,000 octets up, 90,000 down and 300 seconds since the session began. */
  volume: number;
  identifier: number;
}

export const bytesPerVolume = 100_000;

/** Creates accounting requests and verifies their replies; `run` distinguishes the sessions of this run from those of others. */
export const createPackets = ({ secret, run }: { secret: string; run: number }) => {
  const key = Buffer.from(secret);
  const templates = {
    start: templateOf('start', secret),
    interim: templateOf('interim', secret),
    stop: templateOf('stop', secret),
  };
  const longest = Math.max(...Object.values(templates).map(({ packet }) => packet.length));
  const scratch = Buffer.alloc(longest + key.length);
  const signature = Buffer.alloc(20 + key.length);
  key.copy(signature, 20);

  return {
    encode: ({ phase, session, imsi, volume, identifier }: PacketFields): Buffer => {
      const { packet: template, offsets } = templates[phase];
      const packet = scratch.subarray(0, template.length + key.length);
      template.copy(packet, 0);
      key.copy(packet, template.length);
      packet[1] = identifier;
      packet.fill(0, 4, 20);
      const digits = String(imsi).padStart(15, '0');
      packet.write(digits, offsets.imsi, 'latin1');
      packet.write(digits, offsets.userName, 'latin1');
      packet.write(digits, offsets.calling, 'latin1');
      const id = `${run.toString(16).padStart(8, '0')}${session.toString(16).padStart(8, '0')}`;
      packet.write(id, offsets.sessionId, 'latin1');
      packet.writeUInt32BE(0x0a000000 + session, offsets.address);
      packet.writeUInt32BE(Math.floor(Date.now() / 1000), offsets.eventTime);
      packet.writeUInt32BE(volume * 300, offsets.seconds);
      packet.writeUInt32BE(volume * 10_000, offsets.input);
      packet.writeUInt32BE(volume * 90_000, offsets.output);
      hash('md5', packet, 'buffer').copy(packet, 4);
      return Buffer.from(packet.subarray(0, template.length));
    },
    /** RFC 2866, 3: MD5 over code, identifier, length, the request's authenticator, attributes and secret. */
    isGenuine: (answer: Buffer, request: Buffer): boolean => {
      if (answer[0] !== radiusCode.accountingResponse) return false;
      const signed = answer.length === 20 ? signature : Buffer.concat([answer, key]);
      answer.copy(signed, 0, 0, 4);
      request.copy(signed, 4, 4, 20);
      return hash('md5', signed, 'buffer').compare(answer, 4, 20) === 0;
    },
  };
};
