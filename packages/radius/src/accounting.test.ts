import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AttributeWriter,
  acctStatusType,
  attribute,
  decodePacket,
  encodeRequest,
  imeiOf,
  luhnDigit,
  readAccounting,
} from './index.ts';
import { sampleInterim, sampleSecret } from './testing/sample-packets.ts';

function read(attributes: AttributeWriter, code: 1 | 4 = 4) {
  const raw = encodeRequest({ code, identifier: 1, secret: sampleSecret, attributes });
  const result = decodePacket(raw);
  if (!result.ok) throw new Error(result.reason);
  return readAccounting(result.packet);
}

const interim = () =>
  new AttributeWriter()
    .add(attribute.acctStatusType, acctStatusType.interimUpdate)
    .add(attribute.acctSessionId, 'S');

describe('readAccounting', () => {
  it('returns all fields of an accounting record', () => {
    const result = decodePacket(sampleInterim(5));
    expect(result.ok && readAccounting(result.packet)).toMatchObject({
      ok: true,
      record: {
        status: 'interim',
        sessionId: 'GW1-00000005',
        imsi: '214070000000005',
        imei: '353490069873319',
        inputOctets: 1_000_005,
        outputOctets: 2 ** 32 + 9_000_005,
        framedIpAddress: '10.128.3.7',
        callingStationId: '34600123456',
        calledStationId: 'iot.simcube',
        servingNetwork: { mcc: '214', mnc: '07' },
        ratType: 6,
      },
    });
  });

  it('combines octets and gigawords exactly, up to 2^53', () => {
    const count = fc.maxSafeInteger().map(Math.abs);
    fc.assert(
      fc.property(count, count, (up, down) => {
        const attributes = interim()
          .add(attribute.acctInputOctets, up % 2 ** 32)
          .add(attribute.acctInputGigawords, Math.floor(up / 2 ** 32))
          .add(attribute.acctOutputOctets, down % 2 ** 32)
          .add(attribute.acctOutputGigawords, Math.floor(down / 2 ** 32));
        expect(read(attributes)).toMatchObject({ record: { inputOctets: up, outputOctets: down } });
      }),
      { numRuns: 1_000 },
    );
  });

  it('rejects records with missing or invalid status, session id or octets', () => {
    const reason = (attributes: AttributeWriter, code: 1 | 4 = 4) => {
      const result = read(attributes, code);
      return result.ok ? 'ok' : result.reason;
    };
    expect(reason(interim(), 1)).toBe('not-accounting');
    expect(reason(new AttributeWriter().add(attribute.acctSessionId, 'S'))).toBe('status-missing');
    expect(reason(new AttributeWriter().add(attribute.acctStatusType, 9))).toBe('status-unknown');
    expect(reason(new AttributeWriter().add(attribute.acctStatusType, 1))).toBe('session-id-missing');
    expect(reason(new AttributeWriter().add(attribute.acctStatusType, 7))).toBe('ok');
    expect(reason(interim().add(attribute.acctInputGigawords, 2 ** 21))).toBe('octets-out-of-range');
  });

  it('uses the first of repeated attributes', () => {
    const attributes = interim()
      .add(attribute.acctSessionId, 'other')
      .add(attribute.imsi, '214070000000001')
      .add(attribute.imsi, '214070000000002');
    expect(read(attributes)).toMatchObject({ record: { sessionId: 'S', imsi: '214070000000001' } });
  });

  it.each([
    ['IMEISV as text', Buffer.from('3534900698733153')],
    ['IMEI with a spare zero as text', Buffer.from('353490069873310')],
    ['IMEISV as swapped nibbles', Buffer.from('5343096089371335', 'hex')],
    ['IMEI as swapped nibbles with filler', Buffer.from('53430960893713f0', 'hex')],
  ])('reads %s', (_, octets) => {
    expect(read(interim().add(attribute.imeisv, octets))).toMatchObject({
      record: { imei: '353490069873319' },
    });
  });

  it('ignores invalid vendor values but keeps the usage', () => {
    const attributes = interim()
      .add(attribute.acctInputOctets, 5)
      .add(attribute.imsi, 'not digits')
      .add(attribute.imeisv, Buffer.from('12'))
      .add(attribute.sgsnMccMnc, '99')
      .add(attribute.userLocationInfo, Buffer.of(200, 1))
      .addEncoded(Buffer.of(26, 10, 0, 0, 40, 175, 21, 4, 0, 6));
    const result = read(attributes);
    expect(result).toMatchObject({ ok: true, record: { inputOctets: 5 } });
    expect(result.ok && [result.record.imsi, result.record.imei, result.record.ratType]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('derives the network from the location if the gateway sends none', () => {
    const attributes = interim().add(
      attribute.userLocationInfo,
      Buffer.from('8213001412341300140abcdef1', 'hex'),
    );
    expect(read(attributes)).toMatchObject({ record: { servingNetwork: { mcc: '310', mnc: '410' } } });
  });
});

describe('check digits', () => {
  it('match published examples', () => {
    expect(luhnDigit('7992739871')).toBe(3);
    expect(luhnDigit('49015420323751')).toBe(8);
    expect(imeiOf('4901542032375100')).toBe('490154203237518');
    expect(imeiOf('4901542032375')).toBeUndefined();
  });
});
