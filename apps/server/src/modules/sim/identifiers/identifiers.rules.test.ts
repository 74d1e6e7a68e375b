import { describe, expect, it } from 'vitest';
import { normaliseIdentifier } from '../sim.rules.ts';
import { identifiersOf, resolveList } from './identifiers.rules.ts';

const truck = { id: 1, iccid: '8986012300000000001', imsi: '262021234500001', msisdn: '4915200000001' };
const meter = { id: 2, iccid: '8986012300000000002', imsi: '4915200000001', msisdn: null };

describe('a list of identifiers', () => {
  it('is read in any usual notation', () => {
    const written = ['+49 152 0000-0001', ' 8986012300000000001\u00a0', '+1+2'];
    // As copied from sheets and pages: direction marks, zero-width blanks, full-width digits, Excel's text
    // mark.
    const copied = ['\u202a8986012300000000001\u202c', '\u200b+4915200000001\ufeff', '４９１５２', "'8986"];
    expect(written.map(normaliseIdentifier)).toEqual(['4915200000001', '8986012300000000001', '1+2']);
    expect(copied.map(normaliseIdentifier)).toEqual([
      '8986012300000000001',
      '4915200000001',
      '49152',
      '8986',
    ]);
  });

  it('gives each SIM once, in order, and lists unknown identifiers', () => {
    const list = [truck.imsi, 'nonsense', truck.iccid, meter.iccid, '', 'nonsense', '999999'];
    expect(resolveList(list, [meter, truck])).toEqual({
      iccids: [truck.iccid, meter.iccid],
      not_found: ['nonsense', '999999'],
      duplicates: 2,
    });
  });

  it('has the letters of ICCIDs in either case, and phone numbers as they are called from abroad', () => {
    const card = { id: 3, iccid: '8986F0000000000000AB', imsi: '001010123456789', msisdn: null };
    const list = ['8986f0000000000000ab', '004915200000001', card.imsi, '008986012300000000001'];
    expect(resolveList(list, [truck, card])).toEqual({
      iccids: [card.iccid, truck.iccid],
      not_found: ['008986012300000000001'],
      duplicates: 1,
    });
  });

  it('may give two SIMs for one number', () => {
    expect(resolveList(['4915200000001', truck.iccid], [truck, meter])).toEqual({
      iccids: [truck.iccid, meter.iccid],
      not_found: [],
      duplicates: 1,
    });
  });

  it('names something new if one of the SIMs of a number was not named before', () => {
    expect(resolveList([truck.iccid, '4915200000001'], [truck, meter])).toEqual({
      iccids: [truck.iccid, meter.iccid],
      not_found: [],
      duplicates: 0,
    });
  });

  const headings = { iccid: ['ICCID'], imsi: ['IMSI'], msisdn: ['MSISDN', 'Teléfono'] };
  const read = (...rows: string[][]) => identifiersOf(rows, headings);

  it('of a file is its first column, without a heading', () => {
    expect(read(['SIM', 'name'], [truck.iccid, 'x'], [''], [meter.iccid])).toEqual([
      truck.iccid,
      meter.iccid,
    ]);
    expect(read([truck.iccid, 'x'], [''], [meter.iccid])).toEqual([truck.iccid, meter.iccid]);
    expect(read(['+49 152 0000-0001'])).toEqual(['+49 152 0000-0001']);
    expect(read(['Liste 2026'])).toEqual([]);
    expect(read([truck.iccid], ['a word'], ['another'])).toEqual([truck.iccid, 'a word', 'another']);
  });

  it('of a file is the column that its heading names, also below a title', () => {
    expect(read(['Name', 'iccid'], ['x', truck.iccid])).toEqual([truck.iccid]);
    expect(read(['Teléfono', 'IMSI'], ['4915200000001', truck.imsi])).toEqual([truck.imsi]);
    expect(read(['Order 2026-11'], [''], ['Nr.', 'ICCID'], ['12345', truck.iccid])).toEqual([truck.iccid]);
  });

  it('of a file has one of each row, if no column of ICCIDs is named', () => {
    expect(read(['Card', 'MSISDN'], [truck.iccid, '4915200000001'], [meter.iccid, ''])).toEqual([
      truck.iccid,
      meter.iccid,
    ]);
    expect(read(['Card', 'MSISDN'], [truck.iccid, ''], ['', '4915200000001'])).toEqual([
      truck.iccid,
      '4915200000001',
    ]);
    expect(read(['ICCID', 'IMSI'], [truck.iccid, truck.imsi], ['', meter.imsi])).toEqual([
      truck.iccid,
      meter.imsi,
    ]);
    expect(read(['MSISDN', 'Spare'], ['4915200000001', meter.iccid])).toBeUndefined();
  });

  it('of a file is unclear if a row has several ICCIDs and there is no heading', () => {
    expect(read([truck.iccid, meter.iccid])).toBeUndefined();
    expect(read(['SIM', 'Spare'], [truck.iccid, meter.iccid])).toBeUndefined();
    expect(read([truck.iccid, truck.imsi])).toEqual([truck.iccid]);
  });
});
