/** Octets of a part of a stored file, so that large files are neither held in memory nor stored as one value. */
const bytesPerPart = 256 * 1024;

/** Joins the pieces of a file into parts of at least that size, except the last. Empty files have no parts. */
export async function* inParts(
  content: AsyncIterable<Buffer>,
  minBytes = bytesPerPart,
): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of content) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes < minBytes) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(pieces);
}
