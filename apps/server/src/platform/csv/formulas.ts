/**
 * What a spreadsheet takes for the beginning of a formula: a sign, including full-width forms, after any white
 * space and control characters; or a tab or line end. The pattern means the same in JavaScript and PostgreSQL.
 */
export const formulaPattern = String.raw`^[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]`;
const formulaRegex = new RegExp(formulaPattern, 'u');

/** Prefixes a text that a spreadsheet would run as a formula with an apostrophe. */
export const escapeFormula = (text: string): string => (formulaRegex.test(text) ? `'${text}` : text);

/** Removes such an apostrophe. */
export const unescapeFormula = (cell: string): string =>
  cell.startsWith("'") && formulaRegex.test(cell.slice(1)) ? cell.slice(1) : cell;
