import { limits } from '@simcube/contract';
import { describe, expect, it } from 'vitest';
import { readInfoRows } from '../info/info-file.rules.ts';
import { readTransferRows } from '../transfer/transfer-file.rules.ts';
import { columnsOf } from './columns.rules.ts';

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
    expect(columnsOf(heading, names)).toEqual(places);
  });
});

it('rows of a transfer: wrong ones and repetitions are named, empty ones are nobody’s', () => {
  const table = [[iccid(1)], [''], ['not one'], [iccid(1)], [], [iccid(2)], ['8.98600E+19']];
  expect(readTransferRows(table, 0)).toEqual([
    { iccid: iccid(1), wrong: undefined },
    { iccid: 'not one', wrong: 'CB-01-0021' },
    { iccid: iccid(1), wrong: 'CB-01-0020' },
    { iccid: iccid(2), wrong: undefined },
    { iccid: '8.98600E+19', wrong: 'CB-01-0021' },
  ]);
});

describe('rows of SIM info', () => {
  const places = { iccid: 0, device_name: 1, notes: 2, tags: 3 };
  const read = (...rows: string[][]) => readInfoRows(rows, places);

  it('say what to set, what to clear and what to leave', () => {
    const { rows, errors } = read(
      [iccid(1), 'Pump 7', '-', 'a; b|c;;a'],
      [iccid(2), '', '', '-'],
      [iccid(3)],
    );
    expect(errors).toEqual([]);
    expect(rows).toMatchObject([
      { iccid: iccid(1), deviceName: 'Pump 7', notes: null, tags: ['a', 'b', 'c'] },
      { iccid: iccid(2), deviceName: undefined, notes: undefined, tags: [] },
      { iccid: iccid(3), deviceName: undefined, notes: undefined, tags: undefined },
    ]);
  });

  it('tell every trouble with its row and column', () => {
    const long = 'x'.repeat(limits.deviceName.max + 1);
    const many = Array.from({ length: limits.tags.perSim + 1 }, (_, index) => `t${index}`).join(';');
    const { rows, errors } = read(
      ['nobody', long, '', many],
      [iccid(1), 'fine', 'y'.repeat(limits.notes.max + 1), ''],
      ['', '', '', ''],
      [iccid(1), '', '', 'eleven chars'],
    );
    expect(rows.map(({ wrong }) => wrong)).toEqual(['CB-01-0021', 'CB-00-0400', 'CB-01-0020']);
    expect(errors.map(({ row, column, code }) => [row, column, code])).toEqual([
      [2, 'iccid', 'CB-01-0021'],
      [2, 'device_name', 'CB-00-0400'],
      [2, 'tags', 'CB-01-0017'],
      [3, 'notes', 'CB-00-0400'],
      [5, 'iccid', 'CB-01-0020'],
      [5, 'tags', 'CB-00-0400'],
    ]);
    expect(errors[1]?.issue).toEqual({ key: 'tooLong', values: { max: limits.deviceName.max } });
  });
});
