import { type CellObject, read, type WorkSheet } from '@e965/xlsx';
import { parse } from 'csv-parse/sync';
import { FileRefused } from './refusal.ts';
import { unpackedOctets } from './zip-directory.ts';

const tableFormats = ['csv', 'xls', 'xlsx'] as const;
export type TableFormat = (typeof tableFormats)[number];

export interface TableRequest {
  format: TableFormat;
  content: Uint8Array;
  /** Rows below the heading. */
  maxRows: number;
  heading: boolean;
}

const maxColumns = 50;
const maxCell = 2000;
/** A workbook is a ZIP archive: a small one may unpack to gigabytes. */
const maxUnpacked = 300 * 1024 * 1024;

/**
 * The rows of a file, the heading first; cells trimmed, empty rows left out at the end only, so that row numbers are
 * those that people see.
 * @throws FileRefused CB-09-0005 to CB-09-0008
 */
export const tableOf = ({ format, content, maxRows, heading }: TableRequest): string[][] => {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (bytes.length === 0) throw new FileRefused('CB-09-0007');
  const rows = format === 'csv' ? csvRows(bytes, maxRows) : sheetRows(bytes, format, maxRows);
  while (rows.length > 0 && rows.at(-1)?.every((cell) => cell === '')) rows.pop();
  if (rows.length > maxRows + 1) throw new FileRefused('CB-09-0005', { max: maxRows });
  if (rows.length < (heading ? 2 : 1)) throw new FileRefused('CB-09-0007');
  return rows;
};

const csvRows = (bytes: Buffer, maxRows: number): string[][] => {
  const text = textOf(bytes);
  const heading = text.slice(0, 2000).split(/\r?\n/, 1)[0] ?? '';
  const [delimiter = ','] = [',', ';', '\t'].toSorted(
    (a, b) => heading.split(b).length - heading.split(a).length,
  );
  const rows = parse(text, {
    delimiter,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: false,
    trim: true,
    // One more than allowed shows that there are too many.
    to: maxRows + 2,
    max_record_size: maxColumns * maxCell,
  }) as string[][];
  return rows.map((row, index) => row.slice(0, maxColumns).map((cell) => plain(cell, index)));
};

/** UTF-8, or UTF-16 as spreadsheets write it; anything binary is no CSV. */
const textOf = (bytes: Buffer): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.subarray(2).toString('utf16le');
  if (bytes.subarray(0, 8192).includes(0)) throw new FileRefused('CB-09-0006');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // What a spreadsheet on a Chinese or a Western system writes when it is not asked.
    return new TextDecoder(looksChinese(bytes) ? 'gb18030' : 'windows-1252').decode(bytes);
  }
};

/** Pairs of high octets are Chinese; in Western text high octets stand alone. */
const looksChinese = (bytes: Buffer): boolean => {
  let pairs = 0;
  let single = 0;
  for (let at = 0; at < Math.min(bytes.length, 65_536); at += 1) {
    if ((bytes[at] ?? 0) < 0x81) continue;
    if ((bytes[at + 1] ?? 0) >= 0x40) {
      pairs += 1;
      at += 1;
    } else single += 1;
  }
  return pairs > single * 4;
};

const plain = (cell: string, index: number): string => {
  const text = cell.trim();
  if (text.startsWith('=')) throw new FileRefused('CB-09-0008', { row: index + 1 });
  if (text.length > maxCell || text.includes('\0')) throw new FileRefused('CB-09-0006');
  return text;
};

const signatures = { xlsx: Buffer.from('PK'), xls: Buffer.from([0xd0, 0xcf, 0x11, 0xe0]) } as const;

const sheetRows = (bytes: Buffer, format: 'xls' | 'xlsx', maxRows: number): string[][] => {
  const signature = signatures[format];
  if (!bytes.subarray(0, signature.length).equals(signature)) throw new FileRefused('CB-09-0006');
  if (format === 'xlsx' && unpackedOctets(bytes) > maxUnpacked) throw new FileRefused('CB-09-0006');
  const book = read(bytes, {
    type: 'buffer',
    dense: true,
    sheetRows: maxRows + 2,
    cellFormula: true,
    cellHTML: false,
    cellText: true,
    cellDates: false,
    bookVBA: false,
  });
  const sheet: WorkSheet | undefined = book.Sheets[book.SheetNames[0] ?? ''];
  const rows = (sheet?.['!data'] ?? []) as (CellObject | undefined)[][];
  // Rows that have no cell at all are holes of the array.
  return Array.from(rows, (row, index) =>
    Array.from((row ?? []).slice(0, maxColumns), (cell) => textOfCell(cell, index)),
  );
};

/** Long numbers that a spreadsheet has made floating-point have lost digits: they stay as it shows them, and are refused. */
const textOfCell = (cell: CellObject | undefined, index: number): string => {
  if (!cell || cell.v === undefined || cell.v === null) return '';
  if (cell.f !== undefined) throw new FileRefused('CB-09-0008', { row: index + 1 });
  if (cell.t === 'n' && Number.isSafeInteger(cell.v) && !(cell.w && /[/:-]/.test(cell.w)))
    return String(cell.v);
  if (cell.t === 's') return plainText(String(cell.v));
  return plainText(cell.w ?? String(cell.v));
};

const plainText = (text: string): string => {
  if (text.length > maxCell) throw new FileRefused('CB-09-0006');
  return text.replaceAll('\0', '').trim();
};
