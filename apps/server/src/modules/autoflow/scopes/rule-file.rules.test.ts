import { expect, it } from 'vitest';
import { readRuleRows } from './rule-file.rules.ts';

const iccid = '8986012300000000017';
const read = (table: readonly (readonly string[])[]) =>
  readRuleRows(table, { kind: 'imeis', places: { iccid: 0, imei: 1 } });

it('an IMEI is read as people and spreadsheets write it, like the ICCID next to it', () => {
  const { rows, faults } = read([
    ['8986-0123 0000 0000 017', '35-693803-564380-9'],
    [`'8986012300000000025`, `'356938035643809`],
    ['8986012300000000033', '35693803564380\u200b'],
  ]);
  expect(faults).toEqual([]);
  expect(rows).toEqual([
    { row: 2, iccid, imei: '356938035643809' },
    { row: 3, iccid: '8986012300000000025', imei: '356938035643809' },
    { row: 4, iccid: '8986012300000000033', imei: '35693803564380' },
  ]);
});

it('a row is a duplicate if its IMEI is the same device’s, with or without a check digit', () => {
  const { rows, faults } = read([
    ['89860123000000000A', '35693803564380'],
    ['89860123000000000A', '356938035643809'],
    ['89860123000000000a', '3569380356438012'],
    ['89860123000000000A', '356938035643817'],
  ]);
  expect(rows.map(({ row }) => row)).toEqual([2, 5]);
  expect(faults.map(({ row, code }) => [row, code])).toEqual([
    [3, 'CB-01-0020'],
    [4, 'CB-01-0020'],
  ]);
});

it('a faulty IMEI is shown as it is in the file', () => {
  expect(read([[iccid, ' 35-69 x ']]).faults).toEqual([
    { row: 2, column: 'imei', value: '35-69 x', code: 'CB-05-0007' },
  ]);
});
