import { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

/**
 * Signatures and sizes of a ZIP archive (APPNOTE 6.3.10, 4.3). Lengths follow each entry's data, because only
 * then they are known.
 */
const localHeader = 0x04034b50;
const dataDescriptor = 0x08074b50;
const directoryEntry = 0x02014b50;
const endOfDirectory = 0x06054b50;
const version = 20;
/** Lengths follow the data (bit 3); names are UTF-8 (bit 11). */
const flags = 0x0808;
const deflated = 8;

/** Maximum octets of an archive without the 64-bit form. */
export const maxArchiveBytes = 0xffff_ffff;

export interface ArchiveEntry {
  name: string;
  at: Date;
  content: AsyncIterable<Buffer>;
}

interface DirectoryEntry {
  fixed: Buffer;
  name: Buffer;
}

/** Files as a ZIP archive, compressed as they are read; the archive may have at most `maxArchiveBytes`. */
export const zipArchive = (entries: AsyncIterable<ArchiveEntry> | Iterable<ArchiveEntry>): Readable =>
  Readable.from(piecesOf(entries), { objectMode: false });

async function* piecesOf(
  entries: AsyncIterable<ArchiveEntry> | Iterable<ArchiveEntry>,
): AsyncIterable<Buffer> {
  const entriesWritten: DirectoryEntry[] = [];
  let at = 0;
  for await (const { name: path, at: time, content } of entries) {
    const name = Buffer.from(path);
    const start = at;
    const { day, clock } = dosTime(time);
    const head = fields([2, version], [2, flags], [2, deflated], [2, clock], [2, day]);
    const localPart = [
      fields([4, localHeader]),
      head,
      fields([4, 0], [4, 0], [4, 0], [2, name.length], [2, 0]),
    ];
    const header = Buffer.concat([...localPart, name]);
    at += header.length;
    yield header;
    let [crc, size, compressedSize] = [0, 0, 0];
    const checksummed = async function* () {
      for await (const piece of content) {
        crc = crc32(piece, crc);
        size += piece.length;
        yield piece;
      }
    };
    const source = Readable.from(checksummed());
    const deflate = createDeflateRaw();
    source.once('error', (error) => deflate.destroy(error));
    try {
      for await (const piece of source.pipe(deflate)) {
        compressedSize += (piece as Buffer).length;
        yield piece as Buffer;
      }
    } finally {
      // If the reader stops, the entry is not read further either.
      source.destroy();
    }
    const lengths = fields([4, crc], [4, compressedSize], [4, size]);
    const descriptor = Buffer.concat([fields([4, dataDescriptor]), lengths]);
    at += compressedSize + descriptor.length;
    yield descriptor;
    const fixed = Buffer.concat([
      ...[fields([4, directoryEntry], [2, version]), head, lengths],
      fields([2, name.length], [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, start]),
    ]);
    entriesWritten.push({ fixed, name });
  }
  const directory = Buffer.concat(entriesWritten.flatMap(({ fixed, name }) => [fixed, name]));
  yield directory;
  const count = entriesWritten.length;
  yield fields(
    [4, endOfDirectory],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, directory.length],
    [4, at],
    [2, 0],
  );
}

const fields = (...all: [octets: 2 | 4, value: number][]): Buffer => {
  const buffer = Buffer.alloc(all.reduce((crc, [octets]) => crc + octets, 0));
  let at = 0;
  for (const [octets, value] of all) at = buffer.writeUIntLE(value, at, octets);
  return buffer;
};

/** DOS times have a resolution of two seconds. */
const dosTime = (at: Date) => ({
  day: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  clock: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
});
