import { iccidSchema, truncate } from '@simcube/contract';
import { normaliseIdentifier } from '../sim.rules.ts';
import type { NumberedRow, RowFault } from './row-faults.rules.ts';

/** The maximum length shown of a text that might be an ICCID. */
const maxShownLength = 40;

/** The number of a row below the heading, as a spreadsheet counts. */
export const rowNumber = (index: number): number => index + 2;

/** Invalid and repeated ICCIDs are faults; blanks, dashes and invisible characters are removed first. */
export const createIccidReader = () => {
  const seen = new Map<string, number>();
  return (text: string, row: number): { iccid: string; fault: RowFault | undefined } => {
    const iccid = normaliseIdentifier(text);
    if (!iccidSchema.safeParse(iccid).success) {
      const value = truncate(text.trim(), maxShownLength);
      const issue = { key: 'invalidIccid' } as const;
      return { iccid: value, fault: { column: 'iccid', value, code: 'CB-01-0021', issue } };
    }
    const firstRow = seen.get(iccid.toUpperCase());
    if (firstRow !== undefined) {
      const issue = { key: 'repeatedRow', values: { row: firstRow } } as const;
      return { iccid, fault: { column: 'iccid', value: iccid, code: 'CB-01-0020', issue } };
    }
    seen.set(iccid.toUpperCase(), row);
    return { iccid, fault: undefined };
  };
};

/** A row without values, or a note to the person who fills in the file: a single cell that begins with `#`. */
export const isBlankOrNote = (cells: readonly string[]): boolean => {
  const [first = '#', ...others] = cells.filter((cell) => cell !== '');
  return others.length === 0 && first.startsWith('#');
};

/** The rows of a transfer's file. */
export const readTransferRows = (table: readonly (readonly string[])[], position: number): NumberedRow[] => {
  const read = createIccidReader();
  return table.flatMap((cells, index) => {
    if (isBlankOrNote(cells)) return [];
    const row = rowNumber(index);
    const { iccid, fault } = read(cells[position] ?? '', row);
    return { row, iccid, refusal: fault?.code, faults: fault ? [fault] : [] };
  });
};
