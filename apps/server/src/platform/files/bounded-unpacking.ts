import { inflateRawSync } from 'node:zlib';
import { CFB } from '@e965/xlsx';

/** What zlib answers when it is asked how much of its input it has read, which its types do not know. */
interface Unpacked {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

/**
 * Has the library unpack the next archive with zlib, all of its entries together to so many octets at most. Nothing that an archive says
 * of their sizes is believed: each is in three places (APPNOTE 6.3.10, 4.3.7, 4.3.9 and 4.3.12), and the library reads others than a
 * check of the directory would.
 */
export const boundUnpacking = (octets: number): void => {
  let left = octets;
  class InflateRaw {
    /** Of what it was given, which goes on behind the entry. */
    bytesRead = 0;

    /** @throws RangeError when it would become more */
    _processChunk(packed: Uint8Array): Buffer {
      const answer: unknown = inflateRawSync(packed, { info: true, maxOutputLength: left });
      const { buffer, engine } = answer as Unpacked;
      left -= buffer.length;
      this.bytesRead = engine.bytesWritten;
      return buffer;
    }
  }
  CFB.utils.use_zlib({ InflateRaw });
};
