/** A whole line and where the next one begins. */
export interface FileLine {
  /** From 1, the header included. */
  number: number;
  /** Undefined when it was longer than a line may be. */
  text: string | undefined;
}

export interface LineBlock {
  lines: FileLine[];
  /** Octets of the file up to the end of the last of these lines. */
  endsAt: number;
}

const longest = 8_192;
const newline = 0x0a;

/**
 * Cuts a stream of octets into blocks of whole lines. Memory is bounded whatever the file holds: of a line without
 * end only its being too long is kept.
 */
export async function* blocksOfLines(
  source: AsyncIterable<Buffer>,
  start: { at: number; line: number },
): AsyncGenerator<LineBlock> {
  let position = start.at;
  let number = start.line;
  let rest: Buffer = Buffer.alloc(0);
  /** Octets of an overlong line that were let go already. */
  let skipped = 0;
  const lineOf = (octets: Buffer): FileLine => {
    number += 1;
    const isTooLong = skipped > 0 || octets.length > longest;
    skipped = 0;
    return { number, text: isTooLong ? undefined : octets.toString('utf8').replace(/\r$/, '') };
  };
  for await (const piece of source) {
    const octets = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const last = octets.lastIndexOf(newline);
    if (last < 0) {
      rest = octets;
    } else {
      const lines: FileLine[] = [];
      for (let from = 0; from <= last; ) {
        const end = octets.indexOf(newline, from);
        lines.push(lineOf(octets.subarray(from, end)));
        from = end + 1;
      }
      position += last + 1;
      rest = octets.subarray(last + 1);
      yield { lines, endsAt: position };
    }
    if (rest.length > longest) {
      skipped += rest.length;
      position += rest.length;
      rest = Buffer.alloc(0);
    }
  }
  // The last line may have no line break.
  if (rest.length > 0 || skipped > 0) {
    position += rest.length;
    yield { lines: [lineOf(rest)], endsAt: position };
  }
}
