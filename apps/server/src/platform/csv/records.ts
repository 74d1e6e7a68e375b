import { cellsOf } from './cells.rules.ts';

/** A record of a CSV file (RFC 4180): one line, or several if it has line breaks within quotation marks. */
export interface CsvRecord {
  /** Its first and last line, counted from 1. */
  line: number;
  lastLine: number;
  /** Undefined if quotation marks are not closed or in an invalid position, or if the record is too long. */
  cells: string[] | undefined;
  /** Its first line, if it has no cells and the line is not too long. */
  text?: string | undefined;
}

interface Line {
  number: number;
  /** Including the line break that ends it; undefined if the line is too long. */
  text: string | undefined;
}

/**
 * The records of a file of any size. An unclosed quotation mark invalidates only its own line: the lines below
 * are read as if the mark did not exist. Empty lines are skipped.
 * @param file octets of UTF-8, or texts, in pieces of any size
 * @param maxLength maximum length of a record in characters
 */
export async function* csvRecords(
  file: AsyncIterable<Buffer | string>,
  { maxLength }: { maxLength: number },
): AsyncGenerator<CsvRecord> {
  const lines = linesOf(file, maxLength);
  // Lines that were read ahead and are not part of the previous record.
  let lookahead: Line[] = [];
  const nextLine = async (): Promise<Line | undefined> => lookahead.shift() ?? (await lines.next()).value;
  try {
    for (let first = await nextLine(); first; first = await nextLine()) {
      const { number: line, text } = first;
      if (text !== undefined && content(text) === '') continue;
      const continuation: Line[] = [];
      let record = text ?? '';
      let isOpen = hasOddQuotes(record);
      while (isOpen) {
        const next = await nextLine();
        if (next) continuation.push(next);
        if (next?.text === undefined || record.length + next.text.length > maxLength) break;
        record += next.text;
        isOpen = !hasOddQuotes(next.text);
      }
      const cells = text === undefined || isOpen ? undefined : cellsOf(content(record));
      if (cells) yield { line, lastLine: continuation.at(-1)?.number ?? line, cells };
      else {
        lookahead = [...continuation, ...lookahead];
        yield { line, lastLine: line, cells: undefined, text };
      }
    }
  } finally {
    await lines.return(undefined);
  }
}

const content = (text: string): string => text.replace(/(?:\r\n|\n|\r)$/, '');

const hasOddQuotes = (text: string): boolean => {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) count += 1;
  return count % 2 === 1;
};

/**
 * Lines of UTF-8, or of texts, with their line breaks of any system. The text of a line that is too long is
 * dropped.
 */
async function* linesOf(
  file: AsyncIterable<Buffer | string>,
  maxLength: number,
): AsyncGenerator<Line, undefined> {
  const decoder = new TextDecoder();
  let number = 0;
  let rest = '';
  let isTooLong = false;
  const lineOf = (text: string): Line => {
    number += 1;
    const line = { number, text: isTooLong || text.length > maxLength ? undefined : text };
    isTooLong = false;
    return line;
  };
  for await (const piece of file) {
    const text = rest + (typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }));
    let from = 0;
    // A carriage return at the end of the piece may be half of a line break.
    for (const { 0: mark, index } of text.matchAll(/\r\n|\n|\r(?!$)/g)) {
      const end = index + mark.length;
      yield lineOf(text.slice(from, end));
      from = end;
    }
    rest = text.slice(from);
    if (rest.length <= maxLength) continue;
    isTooLong = true;
    rest = rest.endsWith('\r') ? '\r' : '';
  }
  rest += decoder.decode();
  if (rest !== '' || isTooLong) yield lineOf(rest);
  return undefined;
}
