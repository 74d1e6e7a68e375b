/** Where a text may be broken into lines, and how it is distributed over them. Pure: the caller supplies the widths. */

const ideographs = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
/** Punctuation that stays with the next character, and punctuation that stays with the previous one (kinsoku). */
const openingMarks = '（「『《【';
const closingMarks = '，。、：；！？）」』》】';

/**
 * The pieces between which a line may end: each ideograph with its punctuation, each word of a script with
 * spaces, and the spaces.
 */
const pieces = new RegExp(
  String.raw`[${openingMarks}]*(?:[${ideographs}]|[^\s${ideographs}${openingMarks}${closingMarks}]+)[${closingMarks}]*|[${openingMarks}${closingMarks}]+|\s+`,
  'gu',
);

const ellipsis = '…';

export interface Column {
  width: number;
  /** Width of a text in points. */
  widthOf: (text: string) => number;
  /** A longer text is cut and ends with an ellipsis. */
  maxLines: number;
}

/** Breaks a text into the lines of a column. */
export const linesOf = (text: string, column: Column): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const piece of fittingPieces(text, column)) {
    if (line !== '' && column.widthOf((line + piece).trimEnd()) > column.width) {
      lines.push(line.trimEnd());
      line = '';
    }
    if (line !== '' || piece.trim() !== '') line += piece;
  }
  if (line.trim() !== '') lines.push(line.trimEnd());
  if (lines.length <= column.maxLines) return lines;
  const fittingLines = lines.slice(0, column.maxLines);
  const last = fittingLines.pop() ?? '';
  return [...fittingLines, truncate(last, column)];
};

/** A piece that is wider than the column, such as a long name without spaces, is split into characters. */
const fittingPieces = (text: string, { width, widthOf }: Column): string[] =>
  [...text.matchAll(pieces)].flatMap(([piece]) => (widthOf(piece) > width ? [...piece] : [piece]));

const truncate = (line: string, { width, widthOf }: Column): string => {
  const characters = [...line];
  while (characters.length > 0 && widthOf(characters.join('') + ellipsis) > width) characters.pop();
  return characters.join('').trimEnd() + ellipsis;
};
