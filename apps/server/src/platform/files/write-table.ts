import { Readable } from 'node:stream';
import type { FileFormat } from '@simcube/contract';
import XlsxStream from 'xlsx-write-stream';

export type Cell = string | number | Date | null;
/** Text is not handed to a pipe row by row: a piece of so many octets at a time. */
const pieceOctets = 64 * 1024;
const byteOrderMark = '\u{feff}';
/** What a spreadsheet would take for a formula, or for the end of a cell that hides one. */
const formulaStart = /^[=+\-@\t\r]/;

export const contentTypes: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Cells of text that a spreadsheet would compute are shown as text (an apostrophe before them). */
export const csvCell = (cell: Cell): string => {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = cell instanceof Date ? cell.toISOString() : cell;
  const harmless = formulaStart.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/** A table as a file, row by row (RFC 4180 with a byte order mark, so that spreadsheets know UTF-8; or a workbook). */
export const writeTable = (
  format: FileFormat,
  rows: AsyncIterable<readonly Cell[]>,
): AsyncIterable<Buffer> => (format === 'csv' ? csvPieces(rows) : workbookPieces(rows));

async function* csvPieces(rows: AsyncIterable<readonly Cell[]>): AsyncIterable<Buffer> {
  let text = byteOrderMark;
  for await (const row of rows) {
    text += `${row.map(csvCell).join(',')}\r\n`;
    if (text.length < pieceOctets) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text) yield Buffer.from(text);
}

/** In a workbook text is text: nothing in it is computed. */
async function* workbookPieces(rows: AsyncIterable<readonly Cell[]>): AsyncIterable<Buffer> {
  const source = Readable.from(rows);
  const workbook = new XlsxStream();
  source.once('error', (error) => workbook.destroy(error));
  for await (const piece of source.pipe(workbook)) yield piece as Buffer;
}
