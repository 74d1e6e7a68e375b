/**
 * What a spreadsheet takes for the beginning of a formula: a sign, full-width forms included, after any white space and
 * control characters; or a tab or line end. Written so that it means the same here and to PostgreSQL.
 */
export const formulaPattern = String.raw`^[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]`;
const formula = new RegExp(formulaPattern, 'u');

/** A text that a spreadsheet would run as a formula gets an apostrophe before it. */
export const asText = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** The text that such an apostrophe stands before. */
export const fromText = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;
