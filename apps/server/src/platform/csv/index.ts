import pg from 'pg';

/**
 * What a spreadsheet takes for the beginning of a formula: a sign, full-width forms included, after any white space and
 * control characters; or a tab or line end. Written so that it means the same here and to PostgreSQL.
 */
const formulaPattern = String.raw`^[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]`;
const formula = new RegExp(formulaPattern, 'u');
const quoted = /[",\r\n]/;

/**
 * A line of CSV (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe before it; numbers are
 * what they are.
 */
export const csvLine = (fields: readonly (string | number | null)[]): string =>
  `${fields.map(csvField).join(',')}\r\n`;

const csvField = (value: string | number | null): string => {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = formula.test(value) ? `'${value}` : value;
  return quoted.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/**
 * SQL for a text as `csvLine` writes it, for lines that the database makes itself. Most texts begin with a letter or a
 * digit, which is seen far sooner than the pattern is matched.
 */
export const neutralSql = (text: string): string =>
  `case when ascii(${text}) between 48 and 57 or ascii(${text}) between 65 and 122 then ${text}
     when ${text} ~ ${pg.escapeLiteral(formulaPattern)} then '''' || ${text} else ${text} end`;

/** Begins a file so that spreadsheets read its text as UTF-8. */
export const csvBeginning = '\ufeff';
