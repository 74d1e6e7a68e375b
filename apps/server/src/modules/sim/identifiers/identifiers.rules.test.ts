import { describe, expect, it } from 'vitest';
import { firstColumn, plainIdentifier, resolveList } from './identifiers.rules.ts';

const truck = { id: 1, iccid: '8986012300000000001', imsi: '262021234500001', msisdn: '4915200000001' };
const meter = { id: 2, iccid: '8986012300000000002', imsi: '4915200000001', msisdn: null };

describe('a list of identifiers', () => {
  it('is read in any usual notation', () => {
    expect(['+49 152 0000-0001', ' 8986012300000000001\u00a0', '+1+2'].map(plainIdentifier)).toEqual([
      '4915200000001',
      '8986012300000000001',
      '1+2',
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

  it('may give two SIMs for one number', () => {
    expect(resolveList(['4915200000001', truck.iccid], [truck, meter])).toEqual({
      iccids: [truck.iccid, meter.iccid],
      not_found: [],
      duplicates: 1,
    });
  });

  it('of a file is its first column, without a heading', () => {
    const rows = [['ICCID', 'name'], [truck.iccid, 'x'], [''], [meter.iccid]];
    expect(firstColumn(rows)).toEqual([truck.iccid, meter.iccid]);
    expect(firstColumn(rows.slice(1))).toEqual([truck.iccid, meter.iccid]);
    expect(firstColumn([['+49 152 0000-0001']])).toEqual(['+49 152 0000-0001']);
    expect(firstColumn([['Liste 2026']])).toEqual([]);
  });
});
