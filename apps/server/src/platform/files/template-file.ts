import { Readable } from 'node:stream';
import type { TemplateFormat } from '@simcube/contract/task';
import { contentTypes, writeTable } from './write-table.ts';

/** A file to fill in: a heading, and optionally a note below it. */
export const templateFile = async (template: {
  /** Without its ending. */
  name: string;
  format: TemplateFormat;
  rows: readonly (readonly string[])[];
}): Promise<{ fileName: string; contentType: string; content: Readable | Buffer }> => {
  const { name, format, rows } = template;
  return {
    fileName: `${name}.${format}`,
    contentType: contentTypes[format],
    content:
      format === 'xls'
        ? await xlsWorkbook(rows)
        : Readable.from(writeTable(format, Readable.from(rows)), { objectMode: false }),
  };
};

/** BIFF8, written in one piece for a few rows. Its library is large, so it is loaded on demand. */
const xlsWorkbook = async (rows: readonly (readonly string[])[]): Promise<Buffer> => {
  const { utils, write } = await import('@e965/xlsx');
  const sheet = utils.aoa_to_sheet(rows.map((row) => [...row]));
  return write(utils.book_new(sheet, 'SIMs'), { type: 'buffer', bookType: 'xls' }) as Buffer;
};
