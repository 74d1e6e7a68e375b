import { limits } from '@simcube/contract';
import { describe, expect, it } from 'vitest';
import { columnPositions, isHeadingMissing, repeatedColumns, unknownColumns } from '../columns.rules.ts';
import { readInfoRows } from '../info/info-file.rules.ts';
import { readTransferRows } from './iccid-file.rules.ts';

const iccid = (n: number) => `8986001200000000${String(n).padStart(3, '0')}`;

describe('columns', () => {
  const names = { iccid: ['ICCID'], device_name: ['Device name', 'Nombre del dispositivo', '设备名称'] };

  it.each([
    [['ICCID', 'Device name'], { iccid: 0, device_name: 1 }],
    [['nombre del DISPOSITIVO', ' iccid '], { iccid: 1, device_name: 0 }],
    [['设备名称', 'x', 'I C C I D'], { iccid: 2, device_name: 0 }],
    [['device_name'], { device_name: 0 }],
    [['number', 'name'], {}],
  ])('%j', (heading, places) => {
    expect(columnPositions(heading, names)).toEqual(places);
    expect(repeatedColumns(heading, names)).toEqual([]);
  });

  it.each([
    [
      ['ICCID', 'Device name', 'iccid '],
      ['ICCID', 'iccid '],
    ],
    [
      ['ICCID', 'Device name', '设备名称'],
      ['Device name', '设备名称'],
    ],
    [['ICCID', 'Owner', 'Owner'], []],
  ])('of %j that are there twice are %j', (heading, repeated) => {
    expect(repeatedColumns(heading, names)).toEqual(repeated);
  });
});

it.each([
  [['8986 0012-0000 0000001'], true],
  [['Pump', '8986001200000000001'], true],
  [['ICCID', 'Order 2026123'], false],
  [['Number', 'Name'], false],
])('a heading is missing in a file that begins with %j: %j', (first, expected) => {
  expect(isHeadingMissing([first], { iccid: ['ICCID'] })).toBe(expected);
  // A title or an empty row is above it.
  expect(isHeadingMissing([['SIMs of May'], [''], first], { iccid: ['ICCID'] })).toBe(first[0] === 'ICCID');
});

describe('columns that nothing is called', () => {
  const names = { iccid: ['ICCID'], notes: ['Notes', 'Notas'] };

  it.each([
    [['ICCID', 'notas', '', ' '], []],
    [
      ['ICCID', 'Note', 'Owner'],
      ['Note', 'Owner'],
    ],
  ])('of %j: %j', (heading, unknown) => {
    expect(unknownColumns(heading, names)).toEqual(unknown);
  });
});

const notOne = (value: string) => ({
  column: 'iccid',
  value,
  code: 'CB-01-0021',
  issue: { key: 'invalidIccid' },
});

it('rows of a transfer: invalid ones and duplicates are reported, empty ones are skipped', () => {
  const table = [[iccid(1)], [''], ['not one'], [iccid(1)], [], [iccid(2)], ['8.98600E+19']];
  expect(readTransferRows(table, 0)).toEqual([
    { row: 2, iccid: iccid(1), refusal: undefined, faults: [] },
    { row: 4, iccid: 'not one', refusal: 'CB-01-0021', faults: [notOne('not one')] },
    {
      row: 5,
      iccid: iccid(1),
      refusal: 'CB-01-0020',
      faults: [
        {
          column: 'iccid',
          value: iccid(1),
          code: 'CB-01-0020',
          issue: { key: 'repeatedRow', values: { row: 2 } },
        },
      ],
    },
    { row: 7, iccid: iccid(2), refusal: undefined, faults: [] },
    { row: 8, iccid: '8.98600E+19', refusal: 'CB-01-0021', faults: [notOne('8.98600E+19')] },
  ]);
});

it('an ICCID in a file is read in any usual notation, and what is none is named as it was written', () => {
  const written = ['\u202a8986 0012-0000 0000001\u202c', "'8986001200000000002", '\u200b12'];
  expect(
    readTransferRows(
      [...written, iccid(1)].map((cell) => [cell]),
      0,
    ).map((row) => [row.iccid, row.refusal]),
  ).toEqual([
    [iccid(1), undefined],
    [iccid(2), undefined],
    ['\u200b12', 'CB-01-0021'],
    [iccid(1), 'CB-01-0020'],
  ]);
});

describe('rows of SIM info', () => {
  const places = { iccid: 0, device_name: 1, notes: 2, tags: 3 };
  const read = (...rows: string[][]) => readInfoRows(rows, places);

  it('give the fields to set, to clear and to leave unchanged', () => {
    const rows = read([iccid(1), 'Pump 7', '-', 'a; b|c;;a'], [iccid(2), '', '', '-'], [iccid(3)]);
    expect(rows).toEqual([
      {
        row: 2,
        iccid: iccid(1),
        refusal: undefined,
        faults: [],
        deviceName: 'Pump 7',
        notes: null,
        tags: ['a', 'b', 'c'],
      },
      {
        row: 3,
        iccid: iccid(2),
        refusal: undefined,
        faults: [],
        deviceName: undefined,
        notes: undefined,
        tags: [],
      },
      {
        row: 4,
        iccid: iccid(3),
        refusal: undefined,
        faults: [],
        deviceName: undefined,
        notes: undefined,
        tags: undefined,
      },
    ]);
  });

  it('are distinguished from the note of the template, and from a tag that begins like it', () => {
    const rows = read(['# a note to people', '', '', ''], [iccid(1), '', '', '#fleet']);
    expect(rows.map(({ row, tags }) => [row, tags])).toEqual([[3, ['#fleet']]]);
  });

  it('report every invalid value with its row and column, shortened', () => {
    const long = 'x'.repeat(limits.deviceName.max + 1);
    const many = Array.from({ length: limits.tags.perSim + 1 }, (_, index) => `t${index}`).join(';');
    const rows = read(
      ['nobody', long, '', many],
      [iccid(1), 'fine', 'y'.repeat(limits.notes.max + 1), ''],
      ['', '', '', ''],
      [iccid(1), '', '', 'good;eleven chars;another long one'],
    );
    expect(rows.map(({ refusal: wrong }) => wrong)).toEqual(['CB-01-0021', 'CB-01-0030', 'CB-01-0020']);
    const faults = rows.flatMap(({ row, faults: found }) =>
      found.map(({ column, value, code, issue }) => [
        row,
        column,
        value,
        code,
        issue?.key,
        issue?.values?.['max'],
      ]),
    );
    expect(faults).toEqual([
      [2, 'iccid', 'nobody', 'CB-01-0021', 'invalidIccid', undefined],
      [2, 'device_name', `${'x'.repeat(60)}…`, 'CB-01-0030', 'tooLong', limits.deviceName.max],
      [2, 'tags', 't0; t1; t2; t3; t4; t5; t6; t7; t8; t9; t10', 'CB-01-0017', undefined, undefined],
      [3, 'notes', `${'y'.repeat(60)}…`, 'CB-01-0030', 'tooLong', limits.notes.max],
      [5, 'iccid', iccid(1), 'CB-01-0020', 'repeatedRow', undefined],
      [5, 'tags', 'eleven chars', 'CB-01-0030', 'tooLong', limits.tags.length],
      [5, 'tags', 'another long one', 'CB-01-0030', 'tooLong', limits.tags.length],
    ]);
    // A partly wrong row sets nothing at all.
    expect(
      rows.every(({ deviceName, notes, tags }) =>
        [deviceName, notes, tags].every((one) => one === undefined),
      ),
    ).toBe(true);
  });
});
