/** Signatures of a ZIP archive (APPNOTE 6.3.10, 4.3.12 and 4.3.16). */
const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const endOctets = 22;
const entryOctets = 46;
const longestComment = 65_535;

/**
 * The unpacked size that an archive declares in its directory, without unpacking anything.
 * @returns Infinity when the directory can't be read or has the 64-bit form, which no small file needs
 */
export const unpackedOctets = (archive: Buffer): number => {
  const first = Math.max(0, archive.length - endOctets - longestComment);
  let end = archive.length - endOctets;
  while (end >= first && archive.readUInt32LE(end) !== endOfDirectory) end -= 1;
  if (end < first) return Number.POSITIVE_INFINITY;
  const entries = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  let sum = 0;
  for (let i = 0; i < entries; i += 1) {
    if (at + entryOctets > archive.length || archive.readUInt32LE(at) !== directoryEntry) {
      return Number.POSITIVE_INFINITY;
    }
    sum += archive.readUInt32LE(at + 24);
    at +=
      entryOctets +
      archive.readUInt16LE(at + 28) +
      archive.readUInt16LE(at + 30) +
      archive.readUInt16LE(at + 32);
  }
  return sum;
};
