/** Whole lines of a file, as they stand there. */
export interface LineBlock {
  /** Each line ends with its line break; only the last of the file may have none. */
  octets: Buffer;
  /** True when the first line is only the end of one that was dropped before, as too long. */
  isCutShort: boolean;
  /** Octets of the file up to the end of the last of these lines. */
  endsAt: number;
}

/** Octets that a line may have without its line break. */
export const lineOctetsMost = 8_192;
const newline = 0x0a;

/**
 * Cuts a stream of octets into blocks of whole lines. Memory is bounded whatever the file holds: of a line without
 * end only its being too long is kept.
 */
export async function* blocksOfLines(
  source: AsyncIterable<Buffer>,
  start: number,
): AsyncGenerator<LineBlock> {
  let position = start;
  let rest: Buffer = Buffer.alloc(0);
  let isCutShort = false;
  for await (const piece of source) {
    const octets = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const last = octets.lastIndexOf(newline);
    if (last >= 0) {
      position += last + 1;
      yield { octets: octets.subarray(0, last + 1), isCutShort, endsAt: position };
      isCutShort = false;
    }
    rest = octets.subarray(last + 1);
    if (rest.length > lineOctetsMost) {
      isCutShort = true;
      position += rest.length;
      rest = Buffer.alloc(0);
    }
  }
  // The last line may have no line break.
  if (rest.length > 0 || isCutShort) {
    yield { octets: rest, isCutShort, endsAt: position + rest.length };
  }
}

/** Lines of a block. */
export const countLines = ({ octets, isCutShort }: LineBlock): number => {
  let count = 0;
  for (let at = octets.indexOf(newline); at >= 0; at = octets.indexOf(newline, at + 1)) count += 1;
  const isOpen = octets.length === 0 ? isCutShort : octets.at(-1) !== newline;
  return isOpen ? count + 1 : count;
};

/** The first line of a file without its line break, and of one that is too long its beginning; undefined when there is none. */
export const firstLineOf = async (
  source: AsyncIterable<Buffer>,
): Promise<{ text: string; isTooLong: boolean } | undefined> => {
  let octets: Buffer = Buffer.alloc(0);
  for await (const piece of source) {
    octets = Buffer.concat([octets, piece]);
    if (octets.includes(newline) || octets.length > lineOctetsMost) break;
  }
  if (octets.length === 0) return undefined;
  const end = octets.indexOf(newline);
  const line = end < 0 ? octets : octets.subarray(0, end);
  return { text: textOf(line.subarray(0, lineOctetsMost)), isTooLong: line.length > lineOctetsMost };
};

/** A line as text, without the carriage return that may end it. */
export const textOf = (line: Buffer): string => line.toString('utf8').replace(/\r$/, '');
