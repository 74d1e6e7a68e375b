import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Rows are gathered to about this many characters before they are written. */
const CHUNK = 256 * 1_024;

export interface CsvOutput<Column extends string> {
  columns: readonly Column[];
  rows: Iterable<Readonly<Record<Column, string | number | readonly string[]>>>;
  to: Writable;
}

/** Writes a header and rows, waiting whenever the reader is slower. Gives the number of rows. */
export async function writeCsv<Column extends string>({
  columns,
  rows,
  to,
}: CsvOutput<Column>): Promise<number> {
  let chunk = `${columns.join(',')}\n`;
  let count = 0;
  for (const row of rows) {
    let line = '';
    for (const column of columns) line += `${line === '' ? '' : ','}${field(row[column])}`;
    chunk += `${line}\n`;
    count += 1;
    if (chunk.length > CHUNK) {
      if (!to.write(chunk)) await once(to, 'drain');
      chunk = '';
    }
  }
  if (!to.write(chunk)) await once(to, 'drain');
  return count;
}

/** Quoted where RFC 4180 wants it; several values of one field are joined by a bar. */
function field(value: string | number | readonly string[]): string {
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : value.join('|');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The fields of one line; undefined when a quote stays open. Line ends inside quotes are not taken. */
export function parseCsvLine(line: string): string[] | undefined {
  if (!line.includes('"')) return line.split(',');
  const fields: string[] = [];
  const pattern = /(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/gy;
  while (pattern.lastIndex < line.length) {
    const match = pattern.exec(line);
    if (match === null) return undefined;
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
  }
  return fields;
}
