import { type CellObject, type ParsingOptions, read, utils, type WorkBook, type WorkSheet } from '@e965/xlsx';
import type { Language } from '@simcube/contract';
import { unescapeFormula } from '../csv/formulas.ts';
import { isRounded } from '../csv/rounded.rules.ts';
import { csvRows, withoutBlankEnd } from './csv-rows.rules.ts';
import { limitUnpacking } from './limit-unpacking.ts';
import { FileRefused } from './refusal.ts';
import { decodeText } from './text.rules.ts';

const tableFormats = ['csv', 'xls', 'xlsx'] as const;
export type TableFormat = (typeof tableFormats)[number];

export interface TableRequest {
  format: TableFormat;
  content: Uint8Array;
  /** Rows below the heading. */
  maxRows: number;
  heading: boolean;
  /** The uploader's language, which decides the code page of a file that is not Unicode. */
  language: Language;
}

const maxColumns = 50;
/** Empty rows that may follow the last row of a CSV file before others are a row too many. */
const maxBlankRows = 1000;
const maxCell = 2000;
/** A workbook is a ZIP archive: a small one may unpack to gigabytes. */
const maxUnpacked = 300 * 1024 * 1024;

/**
 * The rows of a file, the heading first. Cells are trimmed; empty rows are dropped only at the end, so that row
 * numbers are those that people see.
 * @throws FileRefused CB-09-0005 to CB-09-0008, CB-09-0035 to CB-09-0037, CB-09-0039, CB-09-0040
 */
export const parseTable = (request: TableRequest): string[][] => {
  const { format, content, maxRows } = request;
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (bytes.length === 0) throw new FileRefused('CB-09-0007');
  refuseOtherFormat(bytes, format);
  const rows = format === 'csv' ? textRows(request, bytes) : sheetRows(bytes, maxRows);
  while (rows.length > 0 && rows.at(-1)?.every((cell) => cell === '')) rows.pop();
  if (rows.length > maxRows + 1) throw new FileRefused('CB-09-0005', { max: maxRows });
  if (rows.length === 0) throw new FileRefused('CB-09-0007');
  return rows;
};

/** A first line that spreadsheets do not show as a row: it names the delimiter of the other lines. */
const namedDelimiter = /^\ufeff?"?sep=([,;\t])"?(?:\r\n?|\n)/i;

const textRows = ({ maxRows, language, heading }: TableRequest, bytes: Buffer): string[][] => {
  const decoded = decodeText(bytes, language);
  const named = namedDelimiter.exec(decoded);
  const text = named ? decoded.slice(named[0].length) : decoded;
  const delimiter = delimiters.find((one) => one === named?.[1]) ?? delimiterOf(text);
  const rows: string[][] = [];
  let blanks = 0;
  const records = csvRows(withoutBlankEnd(text, delimiter), { delimiter, maxLength: maxColumns * maxCell });
  for (const row of records) {
    if (row === undefined) throw new FileRefused('CB-09-0035', { row: rows.length + blanks + 1 });
    // Counts beyond the maximum: no content may be dropped, however many empty rows precede it.
    if (rows.length <= maxRows) rows.push(row);
    else if (row.every((cell) => cell.trim() === '') && blanks < maxBlankRows) blanks += 1;
    else throw new FileRefused('CB-09-0005', { max: maxRows });
  }
  if (heading) refuseWiderRows(rows);
  return rows.map((row, index) => row.slice(0, maxColumns).map((cell) => cellText(cell, index)));
};

/**
 * A row wider than the heading means an unquoted delimiter in a text: all later cells would be under the wrong
 * heading.
 */
const refuseWiderRows = ([heading = [], ...rows]: readonly string[][]): void => {
  const index = rows.findIndex((row) => row.slice(heading.length).some((cell) => cell.trim() !== ''));
  if (index >= 0) throw new FileRefused('CB-09-0035', { row: index + 2 }, heading);
};

const delimiters = [',', ';', '\t'] as const;

/** The delimiter that occurs most often in the heading. */
const delimiterOf = (text: string): (typeof delimiters)[number] => {
  const heading = text.slice(0, 2000).split(/[\r\n]/, 1)[0] ?? '';
  const count = (delimiter: string): number => heading.split(delimiter).length;
  return delimiters.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
};

const cellText = (cell: string, index: number): string => {
  const text = cell.trim();
  if (text.startsWith('=') || isSpreadsheetError(text))
    throw new FileRefused('CB-09-0008', { row: index + 1 });
  refuseRounded(text, index);
  if (text.length > maxCell || text.includes('\0')) throw new FileRefused('CB-09-0035', { row: index + 1 });
  // Exports are edited and uploaded again.
  return unescapeFormula(text);
};

/**
 * Spreadsheets store 15 digits of a number; whether it is then shown with zeros or with an exponent, the other
 * digits are lost.
 */
const maxExactNumber = 1e15;

const refuseRounded = (shown: string, index: number): void => {
  if (isRounded(shown)) throw new FileRefused('CB-09-0036', { row: index + 1 });
};

/** What formulas leave in cells that they could not compute, in English and Spanish. */
const spreadsheetErrors =
  /^#(?:N\/[AD]|¡?REF!|¿?(?:NAME|NOMBRE)\?|¡?DIV\/0!|¡?(?:VALUE|VALOR)!|¡?NUM!|¡?(?:NULL|NULO)!|SPILL!|CALC!)$/i;
const isSpreadsheetError = (text: string): boolean => spreadsheetErrors.test(text);

const signatures = {
  xlsx: Buffer.from('PK\u0003\u0004'),
  xls: Buffer.from([0xd0, 0xcf, 0x11, 0xe0]),
} as const;
const begins = (bytes: Buffer, beginning: Buffer): boolean =>
  bytes.subarray(0, beginning.length).equals(beginning);

/** The format of the content, by its beginning; undefined if it is none of these. */
const contentOf = (bytes: Buffer): TableFormat | 'html' | undefined => {
  if (begins(bytes, signatures.xlsx)) return 'xlsx';
  if (begins(bytes, signatures.xls)) return 'xls';
  const start = bytes.subarray(0, 1000).toString('latin1');
  if (/^(?:\u00ef\u00bb\u00bf)?\s*<(?:!doctype|html|table|head|meta|\?xml)/i.test(start)) return 'html';
  return start.includes('\0') ? undefined : 'csv';
};

/** Files are renamed, and systems save web pages as workbooks. */
const refuseOtherFormat = (bytes: Buffer, named: TableFormat): void => {
  if (named !== 'csv' && isEncrypted(bytes)) throw new FileRefused('CB-09-0037');
  const found = contentOf(bytes);
  if (found !== undefined && found !== named)
    throw new FileRefused('CB-09-0040', { found: found.toUpperCase(), named: named.toUpperCase() });
  if (found === undefined && named !== 'csv') throw new FileRefused('CB-09-0006');
};

const sheetRows = (bytes: Buffer, maxRows: number): string[][] => {
  const rowLimit = maxRows + 2;
  const first = firstSheet(bytes, rowLimit);
  // Further rows may be empty but formatted, or have content below them.
  const sheet = lastRowOf(first) > rowLimit ? firstSheet(bytes, 0) : first;
  const rows = (sheet?.['!data'] ?? []) as (CellObject | undefined)[][];
  // Rows without any cell are holes of the array.
  return Array.from(rows, (row, index) =>
    Array.from((row ?? []).slice(0, maxColumns), (cell) => textOfCell(cell, index)),
  );
};

/** A password-protected XLSX is a compound file, as an XLS is, with a stream of this name (MS-OFFCRYPTO, 2.3.4.4). */
const isEncrypted = (bytes: Buffer): boolean =>
  begins(bytes, signatures.xls) && bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'));

/** The first rows of the first visible sheet, as many as given; all when 0. */
const firstSheet = (bytes: Buffer, rows: number): WorkSheet | undefined => {
  const workbook = readWorkbook(bytes, rows);
  const visible = workbook.SheetNames.find((_, index) => !workbook.Workbook?.Sheets?.[index]?.Hidden);
  return workbook.Sheets[visible ?? workbook.SheetNames[0] ?? ''];
};

const readWorkbook = (bytes: Buffer, rows: number): WorkBook => {
  const options: ParsingOptions = {
    type: 'buffer',
    dense: true,
    sheetRows: rows,
    cellFormula: true,
    cellHTML: false,
    cellText: true,
    cellDates: false,
    bookVBA: false,
  };
  limitUnpacking(maxUnpacked);
  try {
    return read(bytes, options);
  } catch (error) {
    throw /password/i.test((error as Error).message) ? new FileRefused('CB-09-0037') : error;
  }
};

/** The number of rows that the sheet declares, whether or not they were read. */
const lastRowOf = (sheet: WorkSheet | undefined): number => {
  const range: string | undefined = sheet?.['!fullref'] ?? sheet?.['!ref'];
  return range ? utils.decode_range(range).e.r + 1 : 0;
};

const textOfCell = (cell: CellObject | undefined, index: number): string => {
  if (!cell || cell.v === undefined || cell.v === null) return '';
  if (cell.f !== undefined || cell.t === 'e') throw new FileRefused('CB-09-0008', { row: index + 1 });
  if (cell.t === 'n' && Math.abs(Number(cell.v)) >= maxExactNumber)
    throw new FileRefused('CB-09-0036', { row: index + 1 });
  if (cell.t === 'n' && Number.isSafeInteger(cell.v) && !isWrittenOtherwise(cell.w)) return String(cell.v);
  return plainText(cell.t === 's' ? String(cell.v) : (cell.w ?? String(cell.v)), index);
};

/** Whether a whole number is shown as a date, a time, a percentage or with leading zeros, such as a meter's. */
const isWrittenOtherwise = (shown: string | undefined): boolean =>
  shown !== undefined && /[/:%-]|^0\d+$/.test(shown);

const plainText = (text: string, index: number): string => {
  if (text.length > maxCell) throw new FileRefused('CB-09-0035', { row: index + 1 });
  if (isSpreadsheetError(text.trim())) throw new FileRefused('CB-09-0008', { row: index + 1 });
  refuseRounded(text.trim(), index);
  // A workbook may contain any UTF-16 unit: unpaired surrogates, which can't be stored, become replacement
  // characters.
  return text
    .replaceAll('\0', '')
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .trim();
};
