import type { RawBuilder } from 'kysely';
import { to as copyTo } from 'pg-copy-streams';
import { inlineParameters } from './inline-parameters.ts';
import { pgEpochMs } from './pg-epoch.ts';
import { type Db, poolOf } from './pool.ts';

/**
 * Reads rows in the database's binary form, for megabytes of bytea: the driver reads results only as text,
 * which doubles the size of bytea, and copies them several times. COPY takes no parameters, so the values are
 * written into the statement.
 * @param read is called with each row while it is read; columns must be read in order
 */
export const readBinary = async <T>(
  db: Db,
  query: RawBuilder<unknown>,
  read: (row: BinaryRow) => T,
): Promise<T[]> => {
  const client = await poolOf(db).connect();
  let broken: Error | undefined;
  try {
    const text = `copy (${inlineParameters(query.compile(db))}) to stdout with (format binary)`;
    const chunks: Buffer[] = [];
    for await (const chunk of client.query(copyTo(text))) chunks.push(chunk as Buffer);
    return rowsOf(Buffer.concat(chunks), read);
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
};

/** The header before the rows: signature and flags, without the optional extension. */
const headerBytes = 15;

const rowsOf = <T>(buffer: Buffer, read: (row: BinaryRow) => T): T[] => {
  const row = new BinaryRow(buffer, headerBytes + 4 + buffer.readInt32BE(headerBytes));
  const rows: T[] = [];
  while (row.begin()) rows.push(read(row));
  return rows;
};

/** Reads the values of a row in order. */
class BinaryRow {
  readonly #copied: Buffer;
  #position: number;

  constructor(buffer: Buffer, position: number) {
    this.#copied = buffer;
    this.#position = position;
  }

  /** @returns false after the last row */
  begin(): boolean {
    const count = this.#copied.readInt16BE(this.#position);
    this.#position += 2;
    return count >= 0;
  }

  bytes(): Buffer | null {
    const length = this.#copied.readInt32BE(this.#position);
    this.#position += 4;
    if (length < 0) return null;
    this.#position += length;
    return this.#copied.subarray(this.#position - length, this.#position);
  }

  text(): string | null {
    return this.bytes()?.toString('utf8') ?? null;
  }

  flag(): boolean {
    return this.bytes()?.[0] === 1;
  }

  /** Reads an integer of 4 or 8 bytes; beyond 2^53 an error is better than a wrong number. */
  integer(): number | null {
    const value = this.bytes();
    if (!value) return null;
    if (value.length === 4) return value.readInt32BE(0);
    const number = Number(value.readBigInt64BE(0));
    if (!Number.isSafeInteger(number)) throw new RangeError('An integer from the database exceeds 2^53');
    return number;
  }

  time(): Date {
    const microseconds = this.integer() ?? 0;
    return new Date(pgEpochMs + microseconds / 1000);
  }
}
