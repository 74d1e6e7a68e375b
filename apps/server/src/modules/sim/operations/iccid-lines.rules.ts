import { iccidSchema, limits } from '@simcube/contract';

const isIccid = (cell: string): boolean => iccidSchema.safeParse(cell).success;
/** A heading is a word; a cell with this many digits in a row is a mistyped ICCID. */
const isHeading = (cell: string): boolean => !/\d{6}/.test(cell);
const maxShownLength = 40;

/**
 * The ICCIDs of a text with one per line, without duplicates; text after a comma, semicolon or tab is ignored.
 * No line is skipped silently: a person who lists a hundred SIMs must not find three of them unprocessed.
 * @throws Error in words when a line other than a heading is not an ICCID, or there are none or too many
 */
export const iccidLines = (text: string): string[] => {
  const cells = text
    .split(/\r\n|\r|\n/)
    .map((line) => (line.split(/[,;\t]/, 1)[0] ?? '').replaceAll('"', '').trim());
  const first = cells.findIndex((cell) => cell !== '');
  const other = cells.findIndex(
    (cell, index) => cell !== '' && !isIccid(cell) && !(index === first && isHeading(cell)),
  );
  if (other !== -1)
    throw new Error(`Line ${other + 1}: not an ICCID: ${cells[other]?.slice(0, maxShownLength)}`);
  const iccids = [...new Set(cells.filter(isIccid))];
  if (iccids.length === 0) throw new Error('The file contains no ICCIDs');
  if (iccids.length > limits.simsOfOperation)
    throw new Error(`At most ${limits.simsOfOperation} SIMs at a time`);
  return iccids;
};
