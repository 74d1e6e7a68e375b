import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Rows are collected into chunks of about this many characters before writing. */
const CHUNK = 256 * 1_024;

export interface CsvOutput<Column extends string> {
  columns: readonly Column[];
  rows: Iterable<Readonly<Record<Column, string | number | readonly string[]>>>;
  to: Writable;
}

/** Writes a header and rows, waiting if the reader is slower. Returns the number of rows. */
export async function writeCsv<Column extends string>({
  columns,
  rows,
  to,
}: CsvOutput<Column>): Promise<number> {
  let chunk = `${columns.join(',')}\n`;
  let count = 0;
  for (const row of rows) {
    let separator = '';
    for (const column of columns) {
      chunk += separator + field(row[column]);
      separator = ',';
    }
    chunk += '\n';
    count += 1;
    if (chunk.length > CHUNK) {
      if (!to.write(chunk)) await once(to, 'drain');
      chunk = '';
    }
  }
  if (!to.write(chunk)) await once(to, 'drain');
  return count;
}

/** Quoted where RFC 4180 requires it; multiple values of a field are joined by a vertical bar. */
function field(value: string | number | readonly string[]): string {
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : value.join('|');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The fields of one line; undefined if a quote is unclosed or ends inside a field. Line breaks inside quotes are not supported. */
export function parseCsvLine(line: string): string[] | undefined {
  if (!line.includes('"')) return line.split(',');
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const end = line[at] === '"' ? afterQuote(line, at) : endOfPlain(line, at);
    const isLast = end === line.length;
    if (!(isLast || line[end] === ',')) return undefined;
    const text = line.slice(at, end);
    fields.push(text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text);
    if (isLast) return fields;
    at = end + 1;
  }
}

/** Position after the quote that closes the one at `at`; beyond the line if none does. */
function afterQuote(line: string, at: number): number {
  let close = line.indexOf('"', at + 1);
  while (close >= 0 && line[close + 1] === '"') close = line.indexOf('"', close + 2);
  return close < 0 ? line.length + 1 : close + 1;
}

function endOfPlain(line: string, at: number): number {
  const comma = line.indexOf(',', at);
  return comma < 0 ? line.length : comma;
}
