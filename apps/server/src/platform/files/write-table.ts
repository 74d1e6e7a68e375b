import { mediaTypes } from '@simcube/contract';
import type { FileFormat } from '@simcube/contract/task';
import { type CsvField, csvByteOrderMark, csvLine, type Decimal } from '../csv/index.ts';
import { workbook } from './workbook.ts';

export type Cell = CsvField;
/** Text is written to the pipe in pieces of this many octets, not row by row. */
const chunkBytes = 64 * 1024;

export const contentTypes = { ...mediaTypes, csv: `${mediaTypes.csv}; charset=utf-8` } as const;

/**
 * Writes a table as a file, row by row: CSV (RFC 4180, with a byte order mark so that spreadsheets recognise
 * UTF-8) or a workbook.
 */
export const writeTable = (
  format: FileFormat,
  rows: AsyncIterable<readonly Cell[]>,
): AsyncIterable<Buffer> => (format === 'csv' ? csvPieces(rows) : workbook(rows));

async function* csvPieces(rows: AsyncIterable<readonly Cell[]>): AsyncIterable<Buffer> {
  let text = csvByteOrderMark;
  for await (const row of rows) {
    text += csvLine(row);
    if (text.length < chunkBytes) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text) yield Buffer.from(text);
}

export const isDecimal = (cell: Cell): cell is Decimal => typeof cell === 'object' && cell !== null;
