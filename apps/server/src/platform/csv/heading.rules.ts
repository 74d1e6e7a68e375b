const separators: readonly (readonly [string, string])[] = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'vertical bars'],
];

/** How an XLSX (ZIP) and an XLS (compound file, MS-CFB 2.2) begin, read as UTF-8. */
const workbooks = ['PK\u0003\u0004', '\ufffd\ufffd\u0011\u0871'];

/**
 * Why the first line of a file can't be read as column names: what spreadsheets and old systems write instead
 * of CSV in UTF-8. Undefined if the line is well-formed, whatever its names are.
 */
export const headingProblem = (line: string): string | undefined => {
  if (workbooks.some((beginning) => line.startsWith(beginning)))
    return 'The file is an Excel workbook; it has to be saved as CSV in UTF-8';
  if (/^\ufffd\ufffd|^\ufeff?.?\0/.test(line)) return 'The file is UTF-16; it has to be UTF-8';
  if (/^\ufeff?"?sep=/i.test(line)) return 'The first line names a separator; it has to name the columns';
  if (/\r(?!$)/.test(line))
    return 'The lines of the file end with carriage returns alone; each has to end with a line feed';
  if (line.includes(',')) return undefined;
  const [, words] = separators.find(([separator]) => line.includes(separator)) ?? [];
  return words && `The columns of the file are separated by ${words}; they have to be separated by commas`;
};
