// White space and control characters before a formula, without and with line ends. All patterns mean the same in
// JavaScript and PostgreSQL.
const spaces = String.raw`\u0000-\u0009\u000b\u000c\u000e-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`;
const signs = String.raw`[=+\-@\uff0b\uff0d\uff1d\uff20]`;

/**
 * What a spreadsheet takes for the beginning of a formula: a sign, including full-width forms, after any white
 * space and control characters; or a tab or line end.
 */
export const formulaPattern = String.raw`^[${spaces}\r\n]*${signs}|^[\t\r\n]`;
const formulaRegex = new RegExp(formulaPattern, 'u');

/**
 * The same further on in a text, where a cell begins if a spreadsheet splits lines at semicolons (as in Spanish):
 * quotation marks inside a line then mean nothing, so semicolons and line ends of the text separate.
 */
export const laterFormulaPattern = String.raw`([;\r\n])(?=[${spaces}"]*${signs})`;
const laterFormulas = new RegExp(laterFormulaPattern, 'gu');
const escapedLaterFormulas = new RegExp(laterFormulaPattern.replace('(?=', "'(?="), 'gu');

/** Puts an apostrophe before what a spreadsheet would run as a formula. */
export const escapeFormula = (text: string): string =>
  `${formulaRegex.test(text) ? "'" : ''}${text.replaceAll(laterFormulas, "$1'")}`;

/** Removes such apostrophes. */
export const unescapeFormula = (cell: string): string => {
  const text = cell.replaceAll(escapedLaterFormulas, '$1');
  return text.startsWith("'") && formulaRegex.test(text.slice(1)) ? text.slice(1) : text;
};
