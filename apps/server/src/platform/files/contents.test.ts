import { utils, write } from '@e965/xlsx';
import type { Language } from '@simcube/contract';
import { expect, it, vi } from 'vitest';
import { FileRefused, readTable } from './index.ts';
import { parseTable } from './table.rules.ts';

// Each reading starts a worker thread.
vi.setConfig({ testTimeout: 30_000 });

const rows = [['ICCID', 'Device name'], ...['1', '2', '3'].map((number) => [number, `pump ${number}`])];
const book = (bookType: 'xls' | 'xlsx', cells: object = {}) => {
  const sheet = Object.assign(utils.aoa_to_sheet(rows), cells);
  return write(utils.book_new(sheet, 'SIMs'), { type: 'buffer', bookType }) as Buffer;
};
const csv = (content: string | Buffer) => ({ name: 'sims.csv', content: Buffer.from(content) });
const refusalOf = async (file: { name: string; content: Buffer }, maxRows = 100) => {
  const error = await readTable(file, { maxRows }).catch((caught: unknown) => caught);
  return error instanceof FileRefused ? error.refusal : error;
};

it.each([
  [
    'one octet of Windows-1252',
    Buffer.concat([Buffer.from('ID,N\n1,Zähler\n2,Stra'), Buffer.from([0xdf, 0x65])]),
    3,
  ],
  ['a cut last character', Buffer.from('ID,N\n1,Zähler 电表').subarray(0, -2), 2],
  ['a mark that promises UTF-8', Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0x0a, 0xf1]), 2],
])('a file is rejected with its row, for damaged UTF-8: %s', async (_, octets, row) => {
  expect(await refusalOf(csv(octets))).toEqual({ code: 'CB-09-0039', values: { row } });
});

const parse = (content: Buffer, language: Language) =>
  parseTable({ format: 'csv', content, maxRows: 9, heading: true, language });

it('text of a Chinese code page is not taken for damaged UTF-8, however short it is', () => {
  const octets = Buffer.from('494c0ac4a3c4a3bfe9', 'hex');
  expect(parse(octets, 'zh-CN')).toEqual([['IL'], ['模模块']]);
  const cut = Buffer.concat([Buffer.from('ID\n电表电表电'), Buffer.from([0xe7, 0x94])]);
  expect(() => parse(cut, 'zh-CN')).toThrow('CB-09-0039');
});

it('blanks and tabs around quoted cells belong to none', () => {
  const rows = [
    ['ID', 'N'],
    ['1', 'x'],
  ];
  expect(parse(Buffer.from('ID,N\n \t"1"\t ,x'), 'en-US')).toEqual(rows);
  expect(parse(Buffer.from('"ID"\t"N"\n"1" \tx'), 'en-US')).toEqual(rows);
});

it.each([
  ['a.xlsx', Buffer.from('ICCID\n1'), 'CSV'],
  ['a.xls', Buffer.from('\ufeff<html><table><tr><td>ICCID'), 'HTML'],
  ['a.csv', book('xlsx'), 'XLSX'],
  ['a.xlsx', book('xls'), 'XLS'],
])('a file is rejected for content that is not as its name says: %s', async (name, content, found) => {
  const named = name.slice(2).toUpperCase();
  expect(await refusalOf({ name, content })).toEqual({ code: 'CB-09-0040', values: { named, found } });
});

it('whole numbers are read as they are shown, if leading zeros or a percent sign belong to them', async () => {
  const cells = {
    B2: { t: 'n', v: 123, z: '000000' },
    B3: { t: 'n', v: 1, z: '0%' },
    B4: { t: 'n', v: 1234, z: '#,##0' },
  };
  const read = await readTable({ name: 'a.xlsx', content: book('xlsx', cells) }, { maxRows: 9 });
  expect(read.slice(1, 4).map(([, cell]) => cell)).toEqual(['000123', '100%', '1234']);
});

it('a file is read soon, however many blank or short rows it has', () => {
  const read = (text: string, maxRows: number) =>
    parseTable({ format: 'csv', content: Buffer.from(text), maxRows, heading: true, language: 'en-US' });
  const start = performance.now();
  const blank = '\n'.repeat(1_000_000);
  expect(read(`ICCID,Name\n1${blank}`, 100)).toEqual([['ICCID', 'Name'], ['1']]);
  expect(read(`ICCID,Name\n1\n${',\r\n'.repeat(200_000)}`, 9)).toHaveLength(2);
  expect(() => read(`ICCID,Name${blank}1\n`, 100)).toThrow('CB-09-0005');
  expect(read(`ICCID,Name,Notes,Tags\n${'1,x\n'.repeat(100_000)}`, 100_000)).toHaveLength(100_001);
  expect(performance.now() - start).toBeLessThan(20_000);
});
