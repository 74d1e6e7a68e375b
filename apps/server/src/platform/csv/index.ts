import pg from 'pg';
import { asText, formulaPattern } from './formulas.ts';

export { headingTrouble } from './heading.rules.ts';
export { type CsvRecord, csvRecords } from './records.ts';

const quoted = /[",\r\n]/;

/** Every line of every file ends so (RFC 4180, section 2). */
const lineEnd = '\r\n';

/** A number with as many digits as it is to be written with, such as -0.50. */
export interface Decimal {
  decimal: string;
}

export type CsvField = string | number | Decimal | null;

/**
 * A line of CSV (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe before it; numbers are
 * what they are.
 */
export const csvLine = (fields: readonly CsvField[]): string => `${fields.map(csvField).join(',')}${lineEnd}`;

const csvField = (value: CsvField): string => {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return value.decimal;
  const harmless = asText(value);
  return quoted.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/**
 * SQL for a text as `csvLine` writes it, for lines that the database makes itself. Most texts begin with a letter or a
 * digit, which is seen far sooner than the pattern is matched.
 */
export const neutralSql = (text: string): string =>
  `case when ascii(${text}) between 48 and 57 or ascii(${text}) between 65 and 122 then ${text}
     when ${text} ~ ${pg.escapeLiteral(formulaPattern)} then '''' || ${text} else ${text} end`;

/**
 * Ends lines that the database's COPY made, in whatever pieces they come, as `csvLine` ends its own. Breaks within quotes
 * are text, and stay as they are.
 */
export const lineEnder = (): ((piece: Buffer) => Buffer) => {
  let isQuoted = false;
  return (piece) => {
    // One character for each octet: in UTF-8, what looks like a quote or a line feed is one.
    const parts = piece.toString('latin1').split('"');
    const ended = parts.map((part, index) => {
      if (index > 0) isQuoted = !isQuoted;
      return isQuoted ? part : part.replaceAll('\n', lineEnd);
    });
    return Buffer.from(ended.join('"'), 'latin1');
  };
};

/** Begins a file so that spreadsheets read its text as UTF-8. */
export const csvBeginning = '\ufeff';
