// Columns of rows as PostgreSQL's binary arrays, for set-based statements (`unnest($1::bigint[], …)`). They are
// written directly into one buffer and sent unchanged: neither this process nor the server converts numbers to
// text and back, which would be most of the cost of a batch of accounting records.

import { pgEpochDays, pgEpochMs } from './pg-epoch.ts';

type Picker<R, V> = (row: R) => V;
/** An array, typed or not. */
type Rows<R> = Iterable<R> & { readonly length: number };

type ColumnType = 'bigint' | 'integer' | 'smallint' | 'text' | 'timestamptz' | 'boolean' | 'date';

/**
 * Turns columns given as $1, $2 … into rows, as a table for a from clause: `(select unnest($1::bigint[]) as id,
 * …)`. Calls in one select list advance together, row by row; as functions in the from clause, each would first
 * be stored in a tuplestore, which costs nearly as much as the rest of an update.
 */
export const rowsOf = (columns: Record<string, ColumnType>): string =>
  `(select ${Object.entries(columns)
    .map(([name, type], index) => `unnest($${index + 1}::${type}[]) as ${name}`)
    .join(', ')})`;

const oid = { int2: 21, int4: 23, int8: 20, text: 25, timestamptz: 1184, bool: 16, date: 1082 } as const;
const headerOctets = 20;
const twoTo32 = 4_294_967_296;

/** Safe integers; null for SQL null. */
export const int8Column = <R>(rows: Rows<R>, pick: Picker<R, number | null>): Buffer =>
  fixedWidthColumn({ rows, pick, type: oid.int8, octets: 8, write: writeInt8 });

export const int4Column = <R>(rows: Rows<R>, pick: Picker<R, number | null>): Buffer =>
  fixedWidthColumn({ rows, pick, type: oid.int4, octets: 4, write: writeInt4 });

export const int2Column = <R>(rows: Rows<R>, pick: Picker<R, number | null>): Buffer =>
  fixedWidthColumn({ rows, pick, type: oid.int2, octets: 2, write: writeInt2 });

/** Milliseconds since 1970. */
export const timestampColumn = <R>(rows: Rows<R>, pick: Picker<R, number | null>): Buffer =>
  fixedWidthColumn({ rows, pick, type: oid.timestamptz, octets: 8, write: writeTimestamp });

/** Calendar days, counted from 1970-01-01. */
export const dateColumn = <R>(rows: Rows<R>, pick: Picker<R, number | null>): Buffer =>
  fixedWidthColumn({ rows, pick, type: oid.date, octets: 4, write: writeDate });

export const booleanColumn = <R>(rows: Rows<R>, pick: Picker<R, boolean>): Buffer =>
  fixedWidthColumn({
    rows,
    pick: (row) => (pick(row) ? 1 : 0),
    type: oid.bool,
    octets: 1,
    write: writeOctet,
  });

export const textColumn = <R>(rows: readonly R[], pick: Picker<R, string | null>): Buffer => {
  const values = rows.map(pick);
  let size = headerOctets + 4 * values.length;
  // UTF-8 needs at most three octets per UTF-16 unit.
  for (const value of values) if (value !== null) size += 3 * value.length;
  const buffer = Buffer.allocUnsafe(size);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  writeHeader(view, values.length, oid.text);
  let at = headerOctets;
  for (const value of values) {
    const octets = value === null ? -1 : writeText(buffer, value, at + 4);
    view.setInt32(at, octets);
    at += 4 + Math.max(octets, 0);
  }
  return buffer.subarray(0, at);
};

/** For short ASCII, nearly the only case, writing octet by octet is cheaper than a call out of JavaScript. */
const writeText = (buffer: Buffer, text: string, at: number): number => {
  if (text.length > 64) return buffer.write(text, at);
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return buffer.write(text, at);
    buffer[at + i] = code;
  }
  return text.length;
};

interface FixedWidth<R> {
  rows: Rows<R>;
  pick: Picker<R, number | null>;
  type: number;
  octets: number;
  write: (view: DataView, value: number, at: number) => void;
}

/**
 * Uses a DataView, whose writes compile to single instructions: those of a Buffer are calls that write octet by
 * octet, and take twice as long.
 */
const fixedWidthColumn = <R>({ rows, pick, type, octets, write }: FixedWidth<R>): Buffer => {
  const buffer = Buffer.allocUnsafe(headerOctets + rows.length * (4 + octets));
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  writeHeader(view, rows.length, type);
  let at = headerOctets;
  for (const row of rows) {
    const value = pick(row);
    view.setInt32(at, value === null ? -1 : octets);
    at += 4;
    if (value !== null) {
      write(view, value, at);
      at += octets;
    }
  }
  return at === buffer.length ? buffer : buffer.subarray(0, at);
};

/** One dimension, from 1 on; the flag "may contain nulls" may always be set. */
const writeHeader = (view: DataView, length: number, type: number): void => {
  view.setInt32(0, 1);
  view.setInt32(4, 1);
  view.setInt32(8, type);
  view.setInt32(12, length);
  view.setInt32(16, 1);
};

/** A DataView would silently truncate larger values. */
const inRange = (value: number, limit: number): number => {
  if (value >= limit || value < -limit) throw new RangeError(`${value} is out of the column's range`);
  return value;
};

const writeInt8 = (view: DataView, value: number, at: number): void => {
  const high = Math.floor(value / twoTo32);
  writeInt4(view, high, at);
  view.setUint32(at + 4, value - high * twoTo32);
};
const writeInt4 = (view: DataView, value: number, at: number): void =>
  view.setInt32(at, inRange(value, 2 ** 31));
const writeInt2 = (view: DataView, value: number, at: number): void =>
  view.setInt16(at, inRange(value, 2 ** 15));
const writeDate = (view: DataView, value: number, at: number): void =>
  writeInt4(view, value - pgEpochDays, at);
const writeOctet = (view: DataView, value: number, at: number): void => view.setUint8(at, value);
const writeTimestamp = (view: DataView, value: number, at: number): void =>
  writeInt8(view, Math.round((value - pgEpochMs) * 1000), at);
