import { Readable } from 'node:stream';
import { beginningOf, mediaTypes } from '@simcube/contract';
import type { FileFormat } from '@simcube/contract/task';
import { type CsvField, csvBeginning, csvLine, type Decimal } from '../csv/index.ts';

export type Cell = CsvField | Date;
/** Text is not handed to a pipe row by row: a piece of so many octets at a time. */
const pieceOctets = 64 * 1024;

export const contentTypes = { ...mediaTypes, csv: `${mediaTypes.csv}; charset=utf-8` } as const;

/** A table as a file, row by row (RFC 4180 with a byte order mark, so that spreadsheets know UTF-8; or a workbook). */
export const writeTable = (
  format: FileFormat,
  rows: AsyncIterable<readonly Cell[]>,
): AsyncIterable<Buffer> => (format === 'csv' ? csvPieces(rows) : workbookPieces(rows));

async function* csvPieces(rows: AsyncIterable<readonly Cell[]>): AsyncIterable<Buffer> {
  let text = csvBeginning;
  for await (const row of rows) {
    text += csvLine(row.map(plain));
    if (text.length < pieceOctets) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text) yield Buffer.from(text);
}

const plain = (cell: Cell): CsvField => (cell instanceof Date ? cell.toISOString() : cell);

/** In a workbook text is text: nothing in it is computed. */
async function* workbookPieces(rows: AsyncIterable<readonly Cell[]>): AsyncIterable<Buffer> {
  // Loaded when the first one is written: it brings more modules than anything else that commands load.
  const { default: XlsxStream } = await import('xlsx-write-stream');
  const source = Readable.from(fitted(rows));
  const workbook = new XlsxStream();
  source.once('error', (error) => workbook.destroy(error));
  try {
    for await (const piece of source.pipe(workbook)) yield piece as Buffer;
  } finally {
    // Who reads no further reads no more rows either.
    source.destroy();
  }
}

/** Characters of a cell: spreadsheets take a workbook with more for damaged. */
const cellMost = 32_767;

async function* fitted(
  rows: AsyncIterable<readonly Cell[]>,
): AsyncIterable<readonly Exclude<Cell, Decimal>[]> {
  for await (const row of rows) yield row.map(inWorkbook);
}

const inWorkbook = (cell: Cell): Exclude<Cell, Decimal> => {
  if (typeof cell === 'string') return cell.length > cellMost ? `${beginningOf(cell, cellMost - 1)}…` : cell;
  return isDecimal(cell) ? Number(cell.decimal) : cell;
};

export const isDecimal = (cell: Cell): cell is Decimal =>
  typeof cell === 'object' && cell !== null && 'decimal' in cell;
