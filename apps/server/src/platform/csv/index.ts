/** What a spreadsheet takes for the beginning of a formula, full-width forms and leading white space included. */
const formula = /^[\s\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;
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

/** Begins a file so that spreadsheets read its text as UTF-8. */
export const csvBeginning = '\ufeff';
