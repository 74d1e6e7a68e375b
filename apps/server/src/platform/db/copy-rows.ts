import { once } from 'node:events';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { pgEpochDays, pgEpochMs } from './pg-epoch.ts';

const chunkBytes = 256 * 1024;
const typicalRowBytes = 4096;
const twoTo32 = 4_294_967_296;
/** A power of two, so that multiplication is exact, and cheaper than division. */
const inverseTwoTo32 = 1 / twoTo32;
/** Length prefix and value of the longest non-text field. */
const maxFieldBytes = 12;
/** Signature, flags and extension of the binary format (PostgreSQL's documentation, "COPY", File Formats). */
const header = Buffer.from([
  ...Buffer.from('PGCOPY\n'),
  0xff,
  ...Buffer.from('\r\n\0'),
  ...[0, 0, 0, 0, 0, 0, 0, 0],
]);
const trailer = Buffer.from([0xff, 0xff]);

/** Writes the values of a row in the order of the columns. */
export interface RowWriter {
  int8(value: number): void;
  int4(value: number): void;
  int2(value: number): void;
  /** Whole milliseconds since 1970. */
  timestamp(value: number): void;
  /** Days since 1970. */
  date(value: number): void;
  /** UTF-8. */
  text(value: Uint8Array | null): void;
  /** Null, of any type. */
  null(): void;
}

/**
 * One piece of the stream, large enough for the longest row beyond its mark. Beginning a row or writing a text
 * reserves space for all fixed-length fields that may follow, so that these, the majority, need no check.
 */
class RowBuffer implements RowWriter {
  #buffer: Buffer;
  /** A view of the same memory: its writes cost a fraction of a Buffer's. */
  #view: DataView;
  #at = 0;
  readonly #columns: number;
  /** Maximum size in octets of a row's fields without texts. */
  readonly #fixed: number;

  constructor(octets: number, columns: number) {
    this.#buffer = Buffer.allocUnsafeSlow(octets);
    this.#view = new DataView(this.#buffer.buffer);
    this.#columns = columns;
    this.#fixed = 2 + columns * maxFieldBytes;
  }

  get length(): number {
    return this.#at;
  }

  take(): Buffer {
    const taken = this.#buffer.subarray(0, this.#at);
    this.#use(Buffer.allocUnsafeSlow(this.#buffer.length));
    this.#at = 0;
    return taken;
  }

  begin(): void {
    this.#reserve(this.#fixed);
    this.#view.setInt16(this.#at, this.#columns);
    this.#at += 2;
  }

  int8(value: number): void {
    const view = this.#view;
    const at = this.#at;
    const high = Math.floor(value * inverseTwoTo32);
    view.setInt32(at, 8);
    view.setInt32(at + 4, high);
    view.setUint32(at + 8, value - high * twoTo32);
    this.#at = at + 12;
  }

  int4(value: number): void {
    const view = this.#view;
    const at = this.#at;
    view.setInt32(at, 4);
    view.setInt32(at + 4, value);
    this.#at = at + 8;
  }

  int2(value: number): void {
    const view = this.#view;
    const at = this.#at;
    view.setInt32(at, 2);
    view.setInt16(at + 4, value);
    this.#at = at + 6;
  }

  timestamp(value: number): void {
    this.int8((value - pgEpochMs) * 1000);
  }

  date(value: number): void {
    this.int4(value - pgEpochDays);
  }

  text(value: Uint8Array | null): void {
    if (value === null) {
      this.null();
      return;
    }
    const { length } = value;
    this.#reserve(length + this.#fixed);
    const buffer = this.#buffer;
    const at = this.#at + 4;
    this.#view.setInt32(at - 4, length);
    // For such short texts, octet by octet is faster than a call.
    for (let index = 0; index < length; index += 1) buffer[at + index] = value[index] as number;
    this.#at = at + length;
  }

  null(): void {
    this.#view.setInt32(this.#at, -1);
    this.#at += 4;
  }

  #reserve(octets: number): void {
    if (this.#at + octets <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#at + octets));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#use(larger);
  }

  #use(buffer: Buffer): void {
    this.#buffer = buffer;
    this.#view = new DataView(buffer.buffer);
  }
}

/**
 * Adds rows to a table by binary COPY, all or none: the cheapest way to insert, because it writes whole pages
 * at a time.
 * @throws the database's error; 23505 when a row already exists
 */
export const copyRows = async <R>(
  client: pg.ClientBase,
  copy: {
    table: string;
    columns: readonly string[];
    rows: Iterable<R>;
    write: (row: R, writer: RowWriter) => void;
  },
): Promise<void> => {
  const { table, columns, rows, write } = copy;
  const stream = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin (format binary)`));
  const finished = once(stream, 'finish');
  // Awaited at the end; an error that occurs while rows are still being written is thrown there.
  finished.catch(() => undefined);
  const piece = new RowBuffer(chunkBytes + typicalRowBytes, columns.length);
  stream.write(header);
  for (const row of rows) {
    piece.begin();
    write(row, piece);
    if (piece.length < chunkBytes) continue;
    if (!stream.write(piece.take())) await Promise.race([once(stream, 'drain'), finished]);
  }
  stream.end(Buffer.concat([piece.take(), trailer]));
  await finished;
};
