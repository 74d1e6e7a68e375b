import fc from 'fast-check';
import { PDU } from 'smpp';
import { describe, expect, it } from 'vitest';
import {
  addressOf,
  decodePdu,
  encodePdu,
  type Pdu,
  readTlv,
  relativeTime,
  SmppEncodeError,
  statusCode,
  statusOf,
  tlv,
  writeTlv,
} from './index.ts';
import { anyPdu } from './testing/any-pdu.ts';
import { sampleDelivery } from './testing/sample-messages.ts';

const submit: Pdu<'submit_sm'> = {
  command: 'submit_sm',
  status: 0,
  sequence: 7,
  body: {
    ...sampleDelivery({
      source: addressOf('SimCube'),
      destination: addressOf('+34600000001'),
      esmClass: 0x40,
      validityPeriod: relativeTime(86_400),
      registeredDelivery: 1,
      dataCoding: 8,
      shortMessage: Buffer.from('05000341020104d70061', 'hex'),
      tlvs: [writeTlv(tlv.userMessageReference, 0x1234), { tag: 0x1501, value: Buffer.from('own') }],
    }),
  },
};

/** Field by field: length, command, status, sequence; service type; addresses; … */
const submitOctets = [
  '0000005a 00000004 00000000 00000007',
  '00',
  '05 00 53696d4375626500',
  '01 01 333436303030303030303100',
  '40 00 00',
  '00',
  '30303030303130303030303030303052 00',
  '01 00 08 00',
  '0a 05000341020104d70061',
  '0204 0002 1234',
  '1501 0003 6f776e',
]
  .join('')
  .replaceAll(' ', '');

const decoded = (frame: Buffer): Pdu => {
  const result = decodePdu(frame);
  if (!result.ok) throw new Error(result.reason);
  return result.pdu;
};

describe('the codec', () => {
  it('encodes and decodes the example by hand', () => {
    expect(encodePdu(submit).toString('hex')).toBe(submitOctets);
    expect(decoded(Buffer.from(submitOctets, 'hex'))).toEqual(submit);
  });

  it('round-trips arbitrary PDUs', () => {
    fc.assert(
      fc.property(anyPdu, (pdu) => {
        const encoded = encodePdu(pdu);
        expect(encoded.readUInt32BE()).toBe(encoded.length);
        expect(decoded(encoded)).toEqual(pdu);
      }),
    );
  });

  it('writes PDUs that npm smpp reads', () => {
    expect(PDU.fromBuffer(encodePdu(submit))).toMatchObject({
      command: 'submit_sm',
      sequence_number: 7,
      source_addr_ton: 5,
      source_addr: 'SimCube',
      destination_addr: '34600000001',
      esm_class: 0x40,
      registered_delivery: 1,
      data_coding: 8,
      short_message: { udh: [Buffer.from('0003410201', 'hex')], message: 'ӗa' },
      user_message_reference: 0x1234,
    });
  });

  it('reads PDUs that npm smpp writes', () => {
    const frame = new PDU('deliver_sm', {
      sequence_number: 9,
      source_addr_ton: 1,
      source_addr: '34600000001',
      destination_addr: '1234',
      esm_class: 4,
      short_message: Buffer.from('id:1 stat:DELIVRD'),
      receipted_message_id: '1',
      message_state: 2,
    }).toBuffer();
    const pdu = decoded(frame);
    if (pdu.command !== 'deliver_sm') throw new Error(pdu.command);
    expect(pdu).toMatchObject({
      sequence: 9,
      body: { source: { ton: 1, address: '34600000001' }, esmClass: 4 },
    });
    expect(pdu.body.shortMessage.toString()).toBe('id:1 stat:DELIVRD');
    expect(readTlv(pdu.body.tlvs, tlv.receiptedMessageId)).toBe('1');
    expect(readTlv(pdu.body.tlvs, tlv.messageState)).toBe(2);
    expect(readTlv(pdu.body.tlvs, tlv.networkErrorCode)).toBeUndefined();
  });

  it.each([
    ['system_id', { systemId: 'sixteen letters!' }],
    ['password', { password: 'secretive' }],
    ['password', { password: 'žížala' }],
    ['system_type', { systemType: '\0' }],
  ])('reports a field that is too long or not Latin-1, without its value: %s', (field, values) => {
    const body = { systemId: '', password: '', systemType: '', interfaceVersion: 52, range: addressOf('1') };
    const write = () =>
      encodePdu({ command: 'bind_receiver', status: 0, sequence: 1, body: { ...body, ...values } });
    expect(write).toThrow(SmppEncodeError);
    expect(write).toThrow(new RegExp(`^${field}: (more than|characters beyond)`));
  });

  it.each([
    ['short_message', { shortMessage: Buffer.alloc(255) }],
    ['validity_period', { validityPeriod: '1' }],
    ['data_coding', { dataCoding: 256 }],
    ['TLV', { tlvs: [{ tag: 1, value: Buffer.alloc(65_536) }] }],
    ['TLVs', { tlvs: [1, 2, 3].map((tag) => ({ tag, value: Buffer.alloc(60_000) })) }],
  ])('rejects values that don’t fit: %s', (field, values) => {
    const write = () => encodePdu({ ...submit, body: { ...submit.body, ...values } });
    expect(write).toThrow(new RegExp(`^${field}: `));
  });
});

describe('a malformed PDU', () => {
  const deliver = encodePdu({ command: 'deliver_sm', status: 0, sequence: 5, body: submit.body });
  const with_ = (change: (frame: Buffer) => Buffer): Buffer => change(Buffer.from(deliver));
  /** Cut, with a length that says so. */
  const cut = (length: number) => (frame: Buffer) => {
    frame.writeUInt32BE(length);
    return frame.subarray(0, length);
  };
  const messageAt = deliver.length - 6 - 7 - 11;

  it.each([
    ['unknown command', with_((f) => f.fill(7, 6, 8)), 'generic_nack', 'ESME_RINVCMDID'],
    ['no body', with_(cut(16)), 'deliver_sm_resp', 'ESME_RINVCMDLEN'],
    ['address without end', with_(cut(22)), 'deliver_sm_resp', 'ESME_RINVCMDLEN'],
    ['source too long', with_((f) => f.fill(0x41, 26, 50)), 'deliver_sm_resp', 'ESME_RINVSRCADR'],
    [
      'message too long',
      with_((f) => f.fill(200, messageAt, messageAt + 1)),
      'deliver_sm_resp',
      'ESME_RINVMSGLEN',
    ],
    [
      'TLV too long',
      with_((f) => f.fill(9, f.length - 5, f.length - 4)),
      'deliver_sm_resp',
      'ESME_RINVOPTPARSTREAM',
    ],
    ['TLV cut', with_(cut(deliver.length - 4)), 'deliver_sm_resp', 'ESME_RINVOPTPARSTREAM'],
  ] as const)('has its response: %s', (_, frame, answer, status) => {
    expect(decodePdu(frame)).toMatchObject({ ok: false, answer, sequence: 5, status: statusCode[status] });
  });

  it('never throws, and gets a response if its command has one', () => {
    /** outbind and alert_notification (SMPP 3.4, 4.1.7 and 4.12) */
    const unanswered = [0x0000000b, 0x00000102];
    const mutated = fc
      .tuple(anyPdu, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }), fc.nat(40))
      .map(([pdu, changes, shorter]) => {
        const frame = encodePdu(pdu);
        for (const [at, octet] of changes) frame[at % frame.length] = octet;
        return frame.subarray(0, Math.max(16, frame.length - shorter));
      });
    fc.assert(
      fc.property(fc.oneof(mutated, fc.uint8Array({ minLength: 16 }).map(Buffer.from)), (frame) => {
        const result = decodePdu(frame);
        const id = frame.readUInt32BE(4);
        const hasNoAnswer = id >= 0x80000000 || unanswered.includes(id);
        if (!result.ok) expect(result.answer === undefined).toBe(hasNoAnswer);
      }),
      { numRuns: 500 },
    );
  });

  it('is tolerated in a response, whose status is still read', () => {
    const header = '0000000080000004000000000000002a';
    const read = (body: string) => {
      const frame = Buffer.from(header + body, 'hex');
      frame.writeUInt32BE(frame.length);
      return decoded(frame);
    };
    const response = { command: 'submit_sm_resp', status: 0, sequence: 42 };
    expect(read('')).toMatchObject({ ...response, body: { messageId: '' } });
    expect(read('3132')).toMatchObject({ ...response, body: { messageId: '12' } });
    expect(read('313200 0424')).toMatchObject({ ...response, body: { messageId: '12', tlvs: [] } });
    expect(read(`${'31'.repeat(80)}00`)).toMatchObject({ ...response, body: { messageId: '1'.repeat(80) } });
    expect(read(`${'31'.repeat(9000)}00`)).toMatchObject({
      ...response,
      body: { messageId: '1'.repeat(255) },
    });
  });
});

describe('fields', () => {
  it.each([
    ['+34600000001', { ton: 1, npi: 1, address: '34600000001' }],
    ['1234', { ton: 3, npi: 1, address: '1234' }],
    ['SimCube 1', { ton: 5, npi: 0, address: 'SimCube 1' }],
  ])('address %s', (text, address) => expect(addressOf(text)).toEqual(address));

  it.each([
    [86_400, '000001000000000R'],
    [3_661.4, '000000010101000R'],
    [1e9, '000099000000000R'],
  ])('%d seconds from now', (seconds, text) => expect(relativeTime(seconds)).toBe(text));

  it('a status has a name and a meaning, even if not in the standard', () => {
    expect(statusOf(0x58)).toEqual({
      code: 0x58,
      name: 'ESME_RTHROTTLED',
      meaning: 'more messages than the SMSC allows',
    });
    expect(statusOf(0x410)).toMatchObject({ name: '0x00000410', meaning: 'error of this SMSC alone' });
  });
});
