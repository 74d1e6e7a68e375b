/**
 * Packs non-negative integers of up to 53 bits into bytes: seven bits per byte, the lowest first; the highest
 * bit says that more follow.
 */
export const packNumbers = (
  write: (add: (value: number) => void, addBytes: (packed: Uint8Array) => void) => void,
): Buffer => {
  const writer = new NumberWriter();
  write(
    (value) => writer.add(value),
    (packed) => writer.addBytes(packed),
  );
  return writer.packed();
};

/** Writes into one growing buffer: an array of bytes would need eight times the memory, and a copy at the end. */
export class NumberWriter {
  #bytes = Buffer.allocUnsafe(64);
  #length = 0;

  /** Number of bytes written. */
  get length(): number {
    return this.#length;
  }

  add(value: number): void {
    this.#reserve(maxBytesPerNumber);
    let rest = value;
    // No bit shifts: numbers may have more than 32 bits.
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest % 128) + 128;
    this.#bytes[this.#length++] = rest;
  }

  addBytes(packed: Uint8Array): void {
    this.#reserve(packed.length);
    this.#bytes.set(packed, this.#length);
    this.#length += packed.length;
  }

  packed(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** Maximum length of a number. */
const maxBytesPerNumber = 8;

/** Reads packed numbers in order, until `isDone`. */
export class NumberReader {
  readonly #packed: Uint8Array;
  #position = 0;

  constructor(packed: Uint8Array, position = 0) {
    this.#packed = packed;
    this.#position = position;
  }

  /** Position of the next number: the number of bytes before it. */
  get position(): number {
    return this.#position;
  }

  isDone(): boolean {
    return this.#position >= this.#packed.length;
  }

  /** Returns the next bytes without consuming them. */
  peek(bytes: number): Uint8Array {
    return this.#packed.subarray(this.#position, this.#position + bytes);
  }

  skip(bytes: number): void {
    this.#position += bytes;
  }

  next(): number {
    let byte = this.#packed[this.#position++] ?? 0;
    if (byte < 128) return byte;
    let [value, unit] = [byte - 128, 128];
    for (
      byte = this.#packed[this.#position++] ?? 0;
      byte >= 128;
      byte = this.#packed[this.#position++] ?? 0
    ) {
      value += (byte - 128) * unit;
      unit *= 128;
    }
    return value + byte * unit;
  }
}
