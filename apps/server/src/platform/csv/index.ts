import pg from 'pg';
import { escapeFormula, formulaPattern, laterFormulaPattern } from './formulas.ts';

export { headingProblem } from './heading.rules.ts';
export { type CsvRecord, csvRecords } from './records.ts';

const needsQuotes = /[",\r\n]/;

/** Ends every line of every file (RFC 4180, section 2). */
const lineEnd = '\r\n';

/** A number written with fixed digits, such as -0.50. */
export interface Decimal {
  decimal: string;
}

export type CsvField = string | number | Decimal | null;

/**
 * A line of CSV (RFC 4180). What a spreadsheet would run as a formula is prefixed with an apostrophe; numbers are
 * unchanged.
 */
export const csvLine = (fields: readonly CsvField[]): string => `${fields.map(csvField).join(',')}${lineEnd}`;

const csvField = (value: CsvField): string => {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return value.decimal;
  const neutralised = escapeFormula(value);
  return needsQuotes.test(neutralised) ? `"${neutralised.replaceAll('"', '""')}"` : neutralised;
};

/**
 * SQL that writes a text as `csvLine` does, for lines that the database produces. Most texts are empty or begin with
 * a letter or digit, and have neither semicolons nor line ends; testing that first is much faster than matching the
 * patterns.
 */
export const csvTextSql = (text: string): string =>
  `case when (ascii(${text}) between 65 and 122 or ascii(${text}) between 48 and 57 or ${text} = '')
       and strpos(${text}, ';') = 0 and strpos(${text}, e'\\n') = 0 and strpos(${text}, e'\\r') = 0 then ${text}
     when ${text} !~ ${anyFormula} then ${text}
     else case when ${text} ~ ${firstFormula} then '''' else '' end
       || regexp_replace(${text}, ${laterFormula}, ${pg.escapeLiteral(String.raw`\1'`)}, 'g') end`;

const firstFormula = pg.escapeLiteral(formulaPattern);
const laterFormula = pg.escapeLiteral(laterFormulaPattern);
const anyFormula = pg.escapeLiteral(`${formulaPattern}|${laterFormulaPattern}`);

/**
 * Converts the line ends of the database's COPY, in pieces of any size, to those of `csvLine`. Line breaks
 * within quotes are text and stay unchanged.
 */
export const lineEndConverter = (): ((piece: Buffer) => Buffer) => {
  let isQuoted = false;
  return (piece) => {
    // One character per octet; in UTF-8 an octet that looks like a quote or a line feed always is one.
    const parts = piece.toString('latin1').split('"');
    const converted = parts.map((part, index) => {
      if (index > 0) isQuoted = !isQuoted;
      return isQuoted ? part : part.replaceAll('\n', lineEnd);
    });
    return Buffer.from(converted.join('"'), 'latin1');
  };
};

/** Begins a file so that spreadsheets read its text as UTF-8. */
export const csvByteOrderMark = '\ufeff';
