import { radioTypes } from '@simcube/contract/sim';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hash53 } from '../usage-hash.rules.ts';
import { CdrFileRefused, type CdrLayout, layoutOf } from './cdr-columns.rules.ts';
import { type CdrLine, parseCdrLine, parseTime, refusalReasons } from './cdr-line.rules.ts';

const header =
  'identifier,record_id,session_id,started_at,ended_at,up_bytes,down_bytes,mcc,mnc,rat,apn,cell,colour';
const layout = layoutOf(header);

const plain = {
  identifier: '8986001230000451882',
  record_id: 'r-1',
  session_id: 's-1',
  started_at: '2026-11-21T03:00:00Z',
  ended_at: '2026-11-21T03:12:45Z',
  up_bytes: '10',
  down_bytes: '20',
  mcc: '262',
  mnc: '02',
  rat: '4G',
  apn: 'IoT.acme',
  cell: '1234',
  colour: 'red',
};
const read = (fields: Partial<typeof plain> = {}, of: CdrLayout = layout): CdrLine | string =>
  parseCdrLine(Object.values({ ...plain, ...fields }).join(','), of);

describe('the header of a CDR file', () => {
  it('names columns in any order and case, quoted or not, with unknown ones among them', () => {
    expect(layoutOf('\ufeff"ENDED_AT", Up_Bytes ,paint,down_bytes,imsi\r')).toMatchObject({
      ended_at: 0,
      up_bytes: 1,
      down_bytes: 3,
      imsi: 4,
      iccid: -1,
      width: 5,
    });
  });

  it.each([
    ['', 'ended_at, up_bytes, down_bytes, identifier'],
    ['iccid,ended_at,up_bytes,"down"_bytes', 'no column down_bytes'],
    ['iccid,up_bytes,down_bytes', 'no column ended_at'],
    ['ended_at,up_bytes,down_bytes', 'no column identifier'],
    ['iccid,ended_at,up_bytes,down_bytes,iccid', 'column iccid twice'],
    ['iccid,ended_at,up_bytes,down_bytes,apn\u200b', 'name of the column apn contains invisible'],
    ['\u200biccid,ended_at,up_bytes,down_bytes', 'name of the column iccid contains invisible'],
  ])('refuses %j', (text, problem) => {
    expect(() => layoutOf(text)).toThrow(CdrFileRefused);
    expect(() => layoutOf(text)).toThrow(problem);
  });
});

describe('a line of a CDR file', () => {
  it('is read with every field', () => {
    expect(read()).toEqual({
      kind: 'identifier',
      identifier: '8986001230000451882',
      key: hash53('r-1'),
      session: hash53('s-1'),
      startedAt: Date.UTC(2026, 10, 21, 3, 0, 0),
      endedAt: Date.UTC(2026, 10, 21, 3, 12, 45),
      up: 10,
      down: 20,
      total: null,
      plmn: 262_002,
      radio: radioTypes.indexOf('4G') + 1,
      apn: 'iot.acme',
      cell: '1234',
    });
  });

  it('requires an identifier, an end and volumes only', () => {
    const minimalLayout = layoutOf('down_bytes,up_bytes,ended_at,imsi');
    expect(parseCdrLine('2,1,1795230000,262021234518823', minimalLayout)).toMatchObject({
      kind: 'imsi',
      identifier: '262021234518823',
      startedAt: 1_795_230_000_000,
      endedAt: 1_795_230_000_000,
      up: 1,
      down: 2,
      plmn: 0,
      radio: 0,
      apn: null,
      cell: null,
    });
  });

  it('identifies the SIM by ICCID, then IMSI, then MSISDN', () => {
    const several = layoutOf('msisdn,imsi,iccid,ended_at,up_bytes,down_bytes');
    const identifierOf = (fields: string) => {
      const line = parseCdrLine(`${fields},1795230000,1,2`, several);
      return typeof line === 'string' ? line : `${line.kind}:${line.identifier}`;
    };
    expect(identifierOf('49152,26202,89860')).toBe('iccid:89860');
    expect(identifierOf('49152,26202,')).toBe('imsi:26202');
    expect(identifierOf('49152, ,')).toBe('msisdn:49152');
    expect(identifierOf(',,')).toBe('identifier-missing');
  });

  it('without a record id is identified by session, times and volume', () => {
    const records = [
      {},
      { session_id: 's-2' },
      { started_at: '2026-11-21T03:00:01Z' },
      { up_bytes: '11' },
      { down_bytes: '21' },
    ].map((fields) => {
      const line = read({ record_id: '', ...fields });
      return typeof line === 'string' ? line : line.key;
    });
    expect(new Set(records).size).toBe(records.length);
    expect(read({ record_id: '' })).toEqual(read({ record_id: '', apn: 'iot.acme', colour: 'blue' }));
  });

  it('has the volume of its session if it names the gateway too, and it is not less than its own', () => {
    const named = layoutOf(
      'iccid,ended_at,up_bytes,down_bytes,session_id,gateway,session_up_bytes,session_down_bytes',
    );
    const totalOf = (fields: string) => {
      const line = parseCdrLine(`89860,1795230000,10,20,${fields}`, named);
      return typeof line === 'string' ? line : line.total;
    };
    expect(totalOf('s-1,pgw-1,10,120')).toEqual({ up: 10, down: 120 });
    expect(totalOf('s-1,,10,120')).toBeNull();
    expect(totalOf(',pgw-1,10,120')).toBeNull();
    expect(totalOf('s-1,pgw-1,10,')).toBeNull();
    expect(totalOf('s-1,pgw-1,,120')).toBeNull();
    expect(totalOf('s-1,pgw-1,0,0')).toBeNull();
    expect([totalOf('s-1,pgw-1,9,20'), totalOf('s-1,pgw-1,10,19')]).toEqual([null, null]);
    expect(totalOf('s-1,pgw-1,10,20')).toEqual({ up: 10, down: 20 });
    expect([totalOf('s-1,pgw-1,x,20'), totalOf('s-1,pgw-1,10,x')]).toEqual([
      ...['bytes-invalid', 'bytes-invalid'],
    ]);
  });

  it('may be as long and as large as the limits say, or nothing', () => {
    expect(read({ identifier: '8'.repeat(26) })).toMatchObject({ identifier: '8'.repeat(26) });
    expect(read({ identifier: '8'.repeat(27) })).toBe('identifier-invalid');
    expect(read({ apn: 'a'.repeat(128) })).toMatchObject({ apn: 'a'.repeat(128) });
    expect(read({ record_id: 'r'.repeat(200), session_id: 's'.repeat(56) })).toMatchObject({ up: 10 });
    const [up_bytes, more] = [String(2 ** 42), String(2 ** 42 + 1)];
    expect(read({ up_bytes, down_bytes: '0' })).toMatchObject({ up: 2 ** 42, down: 0 });
    expect(read({ up_bytes: '0' })).toMatchObject({ up: 0 });
    expect(read({ up_bytes: more })).toBe('bytes-invalid');
    expect(read({ session_id: '' })).toMatchObject({ session: -1 });
  });

  it.each([
    [{ identifier: ' ' }, 'identifier-missing'],
    [{ identifier: '8'.repeat(40) }, 'identifier-invalid'],
    [{ ended_at: '' }, 'time-invalid'],
    [{ ended_at: 'yesterday' }, 'time-invalid'],
    [{ started_at: '2026-11-21 03:00' }, 'time-invalid'],
    [{ started_at: '2026-11-21T03:12:46Z' }, 'end-before-start'],
    [{ up_bytes: '' }, 'bytes-invalid'],
    [{ up_bytes: '-1' }, 'bytes-invalid'],
    [{ up_bytes: '1.5' }, 'bytes-invalid'],
    [{ up_bytes: '1e3' }, 'bytes-invalid'],
    [{ down_bytes: '9999999999999999' }, 'bytes-invalid'],
    [{ mcc: '26' }, 'network-invalid'],
    [{ mcc: '2620' }, 'network-invalid'],
    [{ mnc: '' }, 'network-invalid'],
    [{ mnc: '0002' }, 'network-invalid'],
    [{ mcc: '' }, 'network-invalid'],
    [{ rat: '9G' }, 'radio-unknown'],
    [{ apn: 'a'.repeat(129) }, 'text-too-long'],
    [{ cell: 'c'.repeat(129) }, 'text-too-long'],
    [{ record_id: 'r'.repeat(200), session_id: 's'.repeat(57) }, 'text-too-long'],
    [{ apn: 'iot\ufffd' }, 'not-utf8'],
    [{ record_id: '\ufffd1' }, 'not-utf8'],
    [{ identifier: '8986001230000451882\ufeff\u200b' }, 'invisible-character'],
    [{ apn: 'iot\u200b.acme' }, 'invisible-character'],
    [{ apn: 'iot\0' }, 'invisible-character'],
    [{ apn: 'iot\racme' }, 'invisible-character'],
    [{ cell: '12\u001b34' }, 'invisible-character'],
    [{ cell: '12\u009034' }, 'invisible-character'],
    [{ session_id: 's\u00ad1' }, 'invisible-character'],
    [{ session_id: 's\u202e1' }, 'invisible-character'],
    [{ record_id: 'r\u31641' }, 'invisible-character'],
    [{ colour: 'red,green' }, 'column-count'],
    [{ apn: '"open' }, 'quotes-unbalanced'],
    [{ apn: '"shut"too early' }, 'quotes-unbalanced'],
    [{ apn: 'in"side' }, 'quotes-unbalanced'],
  ])('with %j is refused: %s', (fields, reason) => {
    expect(read(fields)).toBe(reason);
    expect(refusalReasons).toContain(reason);
  });

  it('may hold anything in columns that are ignored, and letters of any script in texts', () => {
    expect(read({ colour: 'r\ufffd\u200b\0t' })).toEqual(read());
    expect(read({ apn: 'Öl.Werk', cell: '一號' })).toMatchObject({ apn: 'öl.werk', cell: '一號' });
    expect(read({ apn: '\tIoT.acme\u00a0' })).toEqual(read());
  });

  it('of which the gateway is damaged is refused', () => {
    const gatewayLayout = layoutOf('iccid,ended_at,up_bytes,down_bytes,session_id,gateway');
    const withGateway = (gateway: string) => parseCdrLine(`89860,1795230000,1,2,s,${gateway}`, gatewayLayout);
    expect(withGateway('m\ufffdnchen')).toBe('not-utf8');
    expect(withGateway('m\u0007nchen')).toBe('invisible-character');
    expect(withGateway('münchen')).toMatchObject({ up: 1, down: 2 });
  });

  it('accepts every radio type, and its names in networks', () => {
    const radioOf = (rat: string) => {
      const line = read({ rat });
      return typeof line === 'string' ? line : radioTypes[line.radio - 1];
    };
    for (const name of radioTypes) {
      expect(radioOf(name)).toBe(name);
      expect(radioOf(name.toLowerCase())).toBe(name);
    }
    expect(['GERAN', 'utran', 'EUTRAN', 'NR', 'LTE', 'wifi'].map(radioOf)).toEqual([
      '2G',
      '3G',
      '4G',
      '5G',
      '4G',
      'WLAN',
    ]);
  });
});

describe('times of a CDR file', () => {
  it.each([
    ['2026-11-21T03:12:45Z', '2026-11-21T03:12:45.000Z'],
    ['2026-11-21 03:12:45Z', '2026-11-21T03:12:45.000Z'],
    ['2026-11-21T11:12:45+08:00', '2026-11-21T03:12:45.000Z'],
    ['2026-11-21T11:12:45+0800', '2026-11-21T03:12:45.000Z'],
    ['2026-11-20T22:12:45.123456789-05:00', '2026-11-21T03:12:45.123Z'],
    ['2026-11-21T03:12Z', '2026-11-21T03:12:00.000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['2000-01-01T00:00:00Z', '2000-01-01T00:00:00.000Z'],
    ['1795230765', '2026-11-21T03:12:45.000Z'],
    ['1795230765001', '2026-11-21T03:12:45.001Z'],
  ])('%s is %s', (text, instant) => {
    expect(new Date(parseTime(text)).toISOString()).toBe(instant);
  });

  it.each([
    '',
    '2026-11-21',
    '2026-11-21T03:12:45',
    '2026-02-30T00:00:00Z',
    '2026-02-30T00:00:00.000Z',
    '2026-02-30T00:00:00+00:00',
    '2026-04-31 00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T24:00:00.000Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00+99:00',
    '2026-01-01T00:00:00+9900',
    '1999-12-31T23:59:59Z',
    '2200-01-01T00:00:00Z',
    '123456789',
    '99999999999999',
    '21/11/2026 03:12',
    '-1795230765',
  ])('%j is none', (text) => {
    expect(parseTime(text)).toBeNaN();
  });

  it('are equal in each notation', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2000, 0, 2), max: Date.UTC(2199, 11, 30) }), (at) => {
        const whole = at - (at % 1000);
        const text = new Date(whole).toISOString();
        const local = new Date(whole + 19_800_000).toISOString().slice(0, 19);
        expect(parseTime(text)).toBe(whole);
        expect(parseTime(text.replace('.000', ''))).toBe(whole);
        expect(parseTime(new Date(at).toISOString())).toBe(at);
        expect(parseTime(`${local}+05:30`)).toBe(whole);
        expect(parseTime(`${local}+0530`)).toBe(whole);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the CDR line reader', () => {
  const text = fc.string({ unit: fc.constantFrom(...'abcXYZ019 ,"-_.é漢'), maxLength: 40 });
  const digits = (length: number) =>
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((d) => d.join(''));

  it('reads a valid record unchanged', () => {
    const record = fc.record({
      identifier: digits(19),
      recordId: text,
      endedAt: fc.integer({ min: 946_684_800, max: 7_258_118_399 }),
      up: fc.nat({ max: 2 ** 40 }),
      down: fc.nat({ max: 2 ** 40 }),
      mcc: digits(3),
      mnc: fc.oneof(digits(2), digits(3)),
      radio: fc.integer({ min: 1, max: radioTypes.length }),
      apn: text,
      cell: text,
    });
    const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(record, (expected) => {
        const line = [
          expected.identifier,
          quoted(expected.recordId),
          '',
          '',
          new Date(expected.endedAt * 1000).toISOString(),
          expected.up,
          expected.down,
          expected.mcc,
          expected.mnc,
          radioTypes[expected.radio - 1],
          quoted(expected.apn),
          quoted(expected.cell),
          'red',
        ].join(',');
        expect(parseCdrLine(line, layout)).toMatchObject({
          identifier: expected.identifier,
          startedAt: expected.endedAt * 1000,
          endedAt: expected.endedAt * 1000,
          up: expected.up,
          down: expected.down,
          plmn: Number(expected.mcc) * 1000 + Number(expected.mnc),
          radio: expected.radio,
          apn: expected.apn.trim() === '' ? null : expected.apn.trim().toLowerCase(),
          cell: expected.cell.trim() === '' ? null : expected.cell.trim(),
        });
      }),
      { numRuns: 3000 },
    );
  });

  it('reads or rejects any line for a declared reason, and never throws', { timeout: 60_000 }, () => {
    const field = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom(...Object.values(plain), '"', '""', '\0', '-0', '0x10', '1e999', 'NaN', '1795230765'),
    );
    const line = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.uint8Array({ maxLength: 200 }).map((octets) => Buffer.from(octets).toString('utf8')),
      fc.array(field, { minLength: 11, maxLength: 14 }).map((fields) => fields.join(',')),
      fc
        .dictionary(fc.constantFrom(...Object.keys(plain)), field, { maxKeys: 3 })
        .map((fields) => Object.values({ ...plain, ...fields }).join(',')),
    );
    const accepted = { read: 0, refused: 0 };
    fc.assert(
      fc.property(line, (some) => {
        const result = parseCdrLine(some, layout);
        if (typeof result === 'string') {
          accepted.refused += 1;
          expect(refusalReasons).toContain(result);
          return;
        }
        accepted.read += 1;
        expect([result.startedAt, result.endedAt, result.up, result.down].every(Number.isSafeInteger)).toBe(
          true,
        );
        expect(result.startedAt).toBeLessThanOrEqual(result.endedAt);
        expect(result.plmn).toBeLessThan(1_000_000);
        expect(`${result.identifier}${result.apn}${result.cell}`).not.toMatch(/[\p{Cc}\p{Cf}\ufffd]/u);
      }),
      { numRuns: 40_000 },
    );
    expect(Math.min(accepted.read, accepted.refused)).toBeGreaterThan(1000);
  });
});
