import { HEADER_LENGTH, MAX_PDU_LENGTH } from './pdu.ts';

/** The start of the next PDU is unknown: nothing more can be read on this connection. */
export interface FramingLoss {
  readonly reason: 'length-too-small' | 'length-too-large';
  /** `command_length` as received. */
  readonly length: number;
}

/**
 * Splits a stream into PDUs, however it is chunked. Never throws. Buffers at most one incomplete PDU, in a buffer of its
 * stated length, so that many small chunks cost no more than few large ones.
 */
export class PduFramer {
  /** Set once; nothing more is read after that. */
  lost: FramingLoss | undefined;
  readonly #length = Buffer.alloc(4);
  #lengthFilled = 0;
  #frame: Buffer | undefined;
  #filled = 0;

  /** The PDUs that end in this chunk: views of it, except one that began in an earlier chunk. */
  push(chunk: Buffer): Buffer[] {
    const frames: Buffer[] = [];
    let at = 0;
    while (at < chunk.length && this.lost === undefined) {
      if (this.#frame === undefined && this.#lengthFilled === 0 && chunk.length - at >= 4) {
        const length = chunk.readUInt32BE(at);
        if (!this.#isPossible(length)) break;
        if (at + length <= chunk.length) {
          frames.push(chunk.subarray(at, at + length));
          at += length;
          continue;
        }
      }
      at = this.#collect(chunk, at, frames);
    }
    return frames;
  }

  /** @returns where the chunk was read up to */
  #collect(chunk: Buffer, from: number, frames: Buffer[]): number {
    let at = from;
    if (this.#frame === undefined) {
      const copied = chunk.copy(this.#length, this.#lengthFilled, at, at + 4 - this.#lengthFilled);
      this.#lengthFilled += copied;
      at += copied;
      if (this.#lengthFilled < 4) return at;
      const length = this.#length.readUInt32BE();
      if (!this.#isPossible(length)) return at;
      this.#frame = Buffer.allocUnsafe(length);
      this.#filled = this.#length.copy(this.#frame);
    }
    const copied = chunk.copy(this.#frame, this.#filled, at);
    this.#filled += copied;
    if (this.#filled === this.#frame.length) {
      frames.push(this.#frame);
      this.#frame = undefined;
      this.#lengthFilled = 0;
    }
    return at + copied;
  }

  #isPossible(length: number): boolean {
    if (length < HEADER_LENGTH) this.lost = { reason: 'length-too-small', length };
    else if (length > MAX_PDU_LENGTH) this.lost = { reason: 'length-too-large', length };
    return this.lost === undefined;
  }
}
