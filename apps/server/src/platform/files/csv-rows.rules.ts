/**
 * What begins a quoted cell, what follows one, and an unquoted cell with what follows it; a tab is a blank unless it
 * is the delimiter. An equals sign makes a formula, by which spreadsheets keep all digits of a number.
 */
const patternsOf = (delimiter: string) => {
  const blanks = delimiter === '\t' ? '[ \\f\\u00a0]*' : '[ \\t\\f\\u00a0]*';
  const end = `(${delimiter}|\\r\\n?|\\n|$)`;
  return {
    opening: new RegExp(`${blanks}(=?)"`, 'y'),
    closed: new RegExp(`${blanks}${end}`, 'y'),
    plain: new RegExp(`([^"${delimiter}\\r\\n]*)${end}`, 'y'),
  };
};

/**
 * The records of a CSV file (RFC 4180) with any delimiter and line ends, however many cells they have, one by one.
 * Undefined, as the last one, for a record whose quotation marks are not closed or in an invalid position, or
 * that is longer than `maxLength`.
 */
export function* csvRows(
  text: string,
  { delimiter, maxLength }: { delimiter: ',' | ';' | '\t'; maxLength: number },
): Generator<string[] | undefined> {
  const { opening, closed, plain } = patternsOf(delimiter);
  let cells: string[] = [];
  let at = 0;
  let start = 0;
  while (at < text.length || cells.length > 0) {
    const content = quotedAt(text, { at, opening });
    const pattern = content ? closed : plain;
    pattern.lastIndex = content ? content.end : at;
    const match = pattern.exec(text);
    if (!match || pattern.lastIndex - start > maxLength) return yield undefined;
    at = pattern.lastIndex;
    cells.push(
      content
        ? content.sign + text.slice(content.from, content.end - 1).replaceAll('""', '"')
        : (match[1] ?? ''),
    );
    if (match.at(-1) === delimiter) continue;
    yield cells;
    cells = [];
    start = at;
  }
}

/** Where the quoted cell that begins there, if one does, has its text, and where its last mark ends. */
const quotedAt = (
  text: string,
  { at, opening }: { at: number; opening: RegExp },
): { sign: string; from: number; end: number } | undefined => {
  opening.lastIndex = at;
  const [, sign] = opening.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const from = opening.lastIndex;
  let mark = text.indexOf('"', from);
  while (mark >= 0 && text[mark + 1] === '"') mark = text.indexOf('"', mark + 2);
  return mark < 0 ? undefined : { sign, from, end: mark + 1 };
};

/** A text without the rows at its end that have no content. */
export const withoutBlankEnd = (text: string, delimiter: string): string => {
  let end = text.length;
  while (end > 0 && isBlank(text[end - 1] ?? '', delimiter)) end -= 1;
  return text.slice(0, end);
};

const isBlank = (character: string, delimiter: string): boolean =>
  character === delimiter || character.trim() === '';
