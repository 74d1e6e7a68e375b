import { inflateRawSync } from 'node:zlib';
import { CFB } from '@e965/xlsx';

/** What zlib answers when it is asked how much of its input it has read, which its types do not know. */
interface Unpacked {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

/**
 * Makes the library unpack the next archive with zlib, and limits the total size of its entries. The sizes that an archive states are
 * not trusted: each is stored in three places (APPNOTE 6.3.10, 4.3.7, 4.3.9 and 4.3.12), and the library reads other ones than a check
 * of the directory would.
 */
export const limitUnpacking = (octets: number): void => {
  let remaining = octets;
  class InflateRaw {
    /** Number of octets consumed of the input, which continues after the entry. */
    bytesRead = 0;

    /** @throws RangeError if the limit would be exceeded */
    _processChunk(packed: Uint8Array): Buffer {
      const result: unknown = inflateRawSync(packed, { info: true, maxOutputLength: remaining });
      const { buffer, engine } = result as Unpacked;
      remaining -= buffer.length;
      this.bytesRead = engine.bytesWritten;
      return buffer;
    }
  }
  CFB.utils.use_zlib({ InflateRaw });
};
