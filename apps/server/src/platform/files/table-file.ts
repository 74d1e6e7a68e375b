import { Readable } from 'node:stream';
import type { FileFormat } from '@simcube/contract/task';
import { type Cell, contentTypes, writeTable } from './write-table.ts';

/** A small table written in one piece, its heading first. */
export const tableFile = (table: {
  /** Without its ending. */
  name: string;
  format: FileFormat;
  heading: readonly string[];
  rows: Iterable<readonly Cell[]> | AsyncIterable<readonly Cell[]>;
}): { fileName: string; contentType: string; content: Readable } => {
  const { name, format, heading, rows } = table;
  return {
    fileName: `${name}.${format}`,
    contentType: contentTypes[format],
    content: Readable.from(writeTable(format, withHeading(heading, rows)), { objectMode: false }),
  };
};

async function* withHeading(
  heading: readonly string[],
  rows: Iterable<readonly Cell[]> | AsyncIterable<readonly Cell[]>,
): AsyncIterable<readonly Cell[]> {
  yield heading;
  yield* rows;
}

/** Times in files, `2026-11-21 13:00:00`, in the reader's time zone; the heading names the zone. */
export const localTimeFormatter = (timeZone: string) => {
  // Swedish dates have the ISO 8601 form.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (at: Date | string | null): string | null => (at === null ? null : format.format(new Date(at)));
};
