import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cellKey,
  decodePlmn,
  decodeUserLocation,
  encodePlmn,
  encodeTimeZone,
  encodeUserLocation,
  parseMccMnc,
  ratName,
  ratTypes,
  type UserLocation,
} from './index.ts';

const digits = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((list) => list.join(''));
const plmn = fc.record({ mcc: digits(3), mnc: fc.oneof(digits(2), digits(3)) });
const bits = (count: number) => fc.maxSafeInteger().map((number) => Math.abs(number) % 2 ** count);

const location: fc.Arbitrary<UserLocation> = fc.oneof(
  fc
    .tuple(plmn, bits(16), bits(16))
    .map(([at, lac, cellId]) => ({ type: 'cgi' as const, ...at, lac, cellId })),
  fc
    .tuple(plmn, bits(16), bits(16))
    .map(([at, lac, serviceArea]) => ({ type: 'sai' as const, ...at, lac, serviceArea })),
  fc
    .tuple(plmn, bits(16), bits(8))
    .map(([at, lac, routingArea]) => ({ type: 'rai' as const, ...at, lac, routingArea })),
  fc.tuple(plmn, bits(16)).map(([at, tac]) => ({ type: 'tai' as const, ...at, tac })),
  fc.tuple(plmn, bits(28)).map(([at, cellId]) => ({ type: 'ecgi' as const, ...at, cellId })),
  fc
    .tuple(plmn, bits(16), bits(28))
    .map(([at, tac, cellId]) => ({ type: 'tai-ecgi' as const, ...at, tac, cellId })),
  fc.tuple(plmn, bits(36)).map(([at, cellId]) => ({ type: 'ncgi' as const, ...at, cellId })),
  fc.tuple(plmn, bits(24)).map(([at, tac]) => ({ type: '5gs-tai' as const, ...at, tac })),
  fc
    .tuple(plmn, bits(24), bits(36))
    .map(([at, tac, cellId]) => ({ type: '5gs-tai-ncgi' as const, ...at, tac, cellId })),
);

describe('User-Location-Info', () => {
  it('round-trips for every type', () => {
    fc.assert(
      fc.property(location, (sent) => {
        expect(decodeUserLocation(encodeUserLocation(sent))).toEqual(sent);
      }),
      { numRuns: 2_000 },
    );
  });

  it('of arbitrary octets is a valid location or undefined', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1, 2, 128, 129, 130, 131, 132, 135, 136, 137, 139, 50),
        fc.uint8Array({ maxLength: 16 }),
        (type, rest) => {
          const read = decodeUserLocation(Uint8Array.of(type, ...rest));
          return read === undefined || /^\d{3}-\d{2,3}$/.test(`${read.mcc}-${read.mnc}`);
        },
      ),
      { numRuns: 10_000 },
    );
  });

  it.each([
    [
      'CGI, two digits',
      '0042f6101234abcd',
      { type: 'cgi', mcc: '246', mnc: '01', lac: 0x1234, cellId: 0xabcd },
    ],
    ['RAI, padded', '0242f610123405ff', { type: 'rai', mcc: '246', mnc: '01', lac: 0x1234, routingArea: 5 }],
    [
      'TAI and ECGI, three digits',
      '8213001412341300140abcdef1',
      { type: 'tai-ecgi', mcc: '310', mnc: '410', tac: 0x1234, cellId: 0xabcdef1 },
    ],
    ['NCGI', '8713001405abcdef12', { type: 'ncgi', mcc: '310', mnc: '410', cellId: 0x5abcdef12 }],
  ])('decodes %s as in the standard', (_, hex, expected) => {
    expect(decodeUserLocation(Buffer.from(hex, 'hex'))).toEqual(expected);
  });

  it.each([
    ['eNodeB ID', '8313001400abcd'],
    ['TAI and eNodeB ID', '84130014123413001400abcd'],
    ['extended eNodeB ID', '8513001405abcd'],
    ['TAI and extended eNodeB ID', '86130014123413001405abcd'],
    ['NG-RAN node ID', '8a1300140000abcd'],
    ['5GS TAI and NG-RAN node ID', '8b1300140012341300140000abcd'],
  ])('of type %s is only its network, without a cell', (_, hex) => {
    const read = decodeUserLocation(Buffer.from(hex, 'hex'));
    expect(read).toEqual({ type: 'network', mcc: '310', mnc: '410' });
    expect(read && cellKey(read)).toBeUndefined();
    expect(decodeUserLocation(Buffer.from(`${hex.slice(0, 2)}ffffff00abcd`, 'hex'))).toBeUndefined();
    expect(decodeUserLocation(Buffer.from(`c8${hex.slice(2)}`, 'hex'))).toBeUndefined();
  });

  it('has the same cell key in every type', () => {
    const at = { mcc: '214', mnc: '07' };
    expect(cellKey({ type: 'ecgi', ...at, cellId: 77 })).toBe('214-07-77');
    expect(cellKey({ type: 'tai-ecgi', ...at, tac: 1, cellId: 77 })).toBe('214-07-77');
    expect(cellKey({ type: 'cgi', ...at, lac: 9, cellId: 77 })).toBe('214-07-9-77');
    expect(cellKey({ type: 'tai', ...at, tac: 1 })).toBeUndefined();
  });
});

describe('networks, radios and time zones', () => {
  it('swap the nibbles of a PLMN', () => {
    expect(Buffer.from(encodePlmn({ mcc: '214', mnc: '07' })).toString('hex')).toBe('12f470');
    expect(Buffer.from(encodePlmn({ mcc: '310', mnc: '410' })).toString('hex')).toBe('130014');
    expect(decodePlmn(Buffer.from('ffffff', 'hex'))).toBeUndefined();
    expect(decodePlmn(Buffer.from('12f4', 'hex'))).toBeUndefined();
  });

  it('read the text form with two or three digits', () => {
    expect(parseMccMnc('21407')).toEqual({ mcc: '214', mnc: '07' });
    expect(parseMccMnc('310410')).toEqual({ mcc: '310', mnc: '410' });
    expect(parseMccMnc('2140')).toBeUndefined();
    expect(parseMccMnc('2140x')).toBeUndefined();
  });

  it('name known radio types and keep others readable', () => {
    expect([1, 2, 6, 8, 9, 51, 200].map(ratName)).toEqual([
      'UTRAN',
      'GERAN',
      'EUTRAN',
      'NB-IoT',
      'LTE-M',
      'NR',
      'RAT-200',
    ]);
    for (const [name, code] of Object.entries(ratTypes)) expect(ratName(code)).toBe(name);
  });

  it('know the values of GTP for NR, and for LTE, NB-IoT and LTE-M by satellite', () => {
    expect(ratName(10)).toBe('NR');
    const satellite = Array.from({ length: 12 }, (_, index) => ratName(11 + index));
    expect(satellite).toEqual(
      (['EUTRAN', 'NB-IoT', 'LTE-M'] as const).flatMap((name) => [name, name, name, name]),
    );
    expect(ratName(23)).toBe('RAT-23');
  });

  it.each([
    [0, '0000'],
    [60, '4000'],
    [345, '3200'],
    [-300, '0a00'],
    [-210, '4900'],
  ])('are encoded in quarters of an hour: %i', (minutes, hex) => {
    expect(Buffer.from(encodeTimeZone(minutes)).toString('hex')).toBe(hex);
  });
});
