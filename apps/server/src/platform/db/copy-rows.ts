import { once } from 'node:events';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

const pieceOctets = 256 * 1024;
const epochMs = 946_684_800_000;
const word = 4_294_967_296;
/** Signature, flags and extension of the binary form (PostgreSQL's documentation, "COPY", File Formats). */
const header = Buffer.from([
  ...Buffer.from('PGCOPY\n'),
  0xff,
  ...Buffer.from('\r\n\0'),
  ...[0, 0, 0, 0, 0, 0, 0, 0],
]);
const trailer = Buffer.from([0xff, 0xff]);

/** Writes the values of one row after the other, in the order of the columns. */
export interface RowWriter {
  int8(value: number | null): void;
  int4(value: number | null): void;
  int2(value: number | null): void;
  /** Milliseconds since 1970. */
  timestamp(value: number): void;
  text(value: string | null): void;
}

/** One piece of the stream, large enough for the longest row past its mark. */
class Piece implements RowWriter {
  #buffer: Buffer;
  #at = 0;

  constructor(octets: number) {
    this.#buffer = Buffer.allocUnsafe(octets);
  }

  get length(): number {
    return this.#at;
  }

  take(): Buffer {
    const taken = this.#buffer.subarray(0, this.#at);
    this.#buffer = Buffer.allocUnsafe(this.#buffer.length);
    this.#at = 0;
    return taken;
  }

  begin(columns: number): void {
    this.#reserve(2);
    this.#at = this.#buffer.writeInt16BE(columns, this.#at);
  }

  int8(value: number | null): void {
    if (!this.#length(value === null ? null : 8)) return;
    const number = value ?? 0;
    const high = Math.floor(number / word);
    this.#at = this.#buffer.writeInt32BE(high, this.#at);
    this.#at = this.#buffer.writeUInt32BE(number - high * word, this.#at);
  }

  int4(value: number | null): void {
    if (this.#length(value === null ? null : 4)) this.#at = this.#buffer.writeInt32BE(value ?? 0, this.#at);
  }

  int2(value: number | null): void {
    if (this.#length(value === null ? null : 2)) this.#at = this.#buffer.writeInt16BE(value ?? 0, this.#at);
  }

  timestamp(value: number): void {
    this.int8(Math.round((value - epochMs) * 1000));
  }

  text(value: string | null): void {
    const octets = value === null ? null : Buffer.byteLength(value);
    if (this.#length(octets)) this.#at += this.#buffer.write(value ?? '', this.#at);
  }

  /** @returns false for null, which has no octets */
  #length(octets: number | null): boolean {
    this.#reserve(4 + (octets ?? 0));
    this.#at = this.#buffer.writeInt32BE(octets ?? -1, this.#at);
    return octets !== null;
  }

  #reserve(octets: number): void {
    if (this.#at + octets <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#at + octets));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}

/**
 * Adds rows to a table by binary COPY, all or none: the cheapest way in, for it writes whole pages at a time.
 * @throws the database's error; 23505 when a row is there already
 */
export const copyRows = async <R>(
  client: pg.ClientBase,
  into: {
    table: string;
    columns: readonly string[];
    rows: readonly R[];
    write: (row: R, writer: RowWriter) => void;
  },
): Promise<void> => {
  const { table, columns, rows, write } = into;
  const stream = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin (format binary)`));
  const finished = once(stream, 'finish');
  // Waited for at the end; an error that comes while rows are still being written is told there.
  finished.catch(() => undefined);
  const piece = new Piece(pieceOctets * 2);
  stream.write(header);
  for (const row of rows) {
    piece.begin(columns.length);
    write(row, piece);
    if (piece.length < pieceOctets) continue;
    if (!stream.write(piece.take())) await Promise.race([once(stream, 'drain'), finished]);
  }
  stream.end(Buffer.concat([piece.take(), trailer]));
  await finished;
};
