/** Whole lines of a file, unchanged. */
export interface LineBlock {
  /** Each line ends with its line break; only the last of the file may have none. */
  octets: Buffer;
  /** Whether the first line is only the rest of one that was too long and whose beginning was dropped. */
  isTruncated: boolean;
  /** Position in the file after the last of these lines, in octets. */
  endsAt: number;
}

/** Maximum number of octets in a line, without its line break. */
export const maxLineOctets = 8_192;
const newline = 0x0a;

/**
 * Splits a stream of octets into blocks of whole lines. Memory is bounded whatever the file contains: of an overlong
 * line only the fact that it is too long is retained.
 */
export async function* readLineBlocks(
  source: AsyncIterable<Buffer>,
  start: number,
): AsyncGenerator<LineBlock> {
  let position = start;
  let rest: Buffer = Buffer.alloc(0);
  let isTruncated = false;
  for await (const piece of source) {
    const octets = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const last = octets.lastIndexOf(newline);
    if (last >= 0) {
      position += last + 1;
      yield { octets: octets.subarray(0, last + 1), isTruncated, endsAt: position };
      isTruncated = false;
    }
    rest = octets.subarray(last + 1);
    if (rest.length > maxLineOctets) {
      isTruncated = true;
      position += rest.length;
      rest = Buffer.alloc(0);
    }
  }
  // The last line may have no line break.
  if (rest.length > 0 || isTruncated) {
    yield { octets: rest, isTruncated, endsAt: position + rest.length };
  }
}

/** Number of lines in a block. */
export const countLines = ({ octets, isTruncated }: LineBlock): number => {
  let count = 0;
  for (let at = octets.indexOf(newline); at >= 0; at = octets.indexOf(newline, at + 1)) count += 1;
  const isUnterminated = octets.length === 0 ? isTruncated : octets.at(-1) !== newline;
  return isUnterminated ? count + 1 : count;
};

/** The first line of a file without its line break; if it is too long, its beginning; undefined if there is none. */
export const firstLineOf = async (
  source: AsyncIterable<Buffer>,
): Promise<{ text: string; isTooLong: boolean } | undefined> => {
  let octets: Buffer = Buffer.alloc(0);
  for await (const piece of source) {
    octets = Buffer.concat([octets, piece]);
    if (octets.includes(newline) || octets.length > maxLineOctets) break;
  }
  if (octets.length === 0) return undefined;
  const end = octets.indexOf(newline);
  const line = end < 0 ? octets : octets.subarray(0, end);
  return { text: textOf(line.subarray(0, maxLineOctets)), isTooLong: line.length > maxLineOctets };
};

/** A line as text, without a trailing carriage return. */
export const textOf = (line: Buffer): string => line.toString('utf8').replace(/\r$/, '');
