/** Where a text may be broken into lines, and how it is spread over them. Pure: the caller supplies the widths. */

const ideographs = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
/** Marks that stay with what follows them, and those that stay with what is before them (kinsoku). */
const opening = '（「『《【';
const closing = '，。、：；！？）」』》】';

/**
 * The pieces between which a line may end: each ideograph with the marks that belong to it, each word of a script that
 * has spaces, and the spaces.
 */
const pieces = new RegExp(
  String.raw`[${opening}]*(?:[${ideographs}]|[^\s${ideographs}${opening}${closing}]+)[${closing}]*|[${opening}${closing}]+|\s+`,
  'gu',
);

const ellipsis = '…';

export interface Column {
  width: number;
  /** Of a text in points. */
  widthOf: (text: string) => number;
  /** The text is cut where it would need more, and says so by an ellipsis. */
  maxLines: number;
}

/** The lines of a text in a column. */
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
  const kept = lines.slice(0, column.maxLines);
  const last = kept.pop() ?? '';
  return [...kept, shortened(last, column)];
};

/** A piece that is wider than the column, such as a long name without spaces, falls into its characters. */
const fittingPieces = (text: string, { width, widthOf }: Column): string[] =>
  [...text.matchAll(pieces)].flatMap(([piece]) => (widthOf(piece) > width ? [...piece] : [piece]));

const shortened = (line: string, { width, widthOf }: Column): string => {
  const characters = [...line];
  while (characters.length > 0 && widthOf(characters.join('') + ellipsis) > width) characters.pop();
  return characters.join('').trimEnd() + ellipsis;
};
