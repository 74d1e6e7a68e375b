import { iccidSchema } from '@simcube/contract';
import type { SimRefusal } from '@simcube/contract/sim';

/** One row of a file of ICCIDs; wrong ones are kept too, so that the report names every row. */
export interface NamedRow {
  iccid: string;
  wrong: SimRefusal | undefined;
}

/** As long as anything that could be meant for one. */
const shownMost = 40;

/** An ICCID that isn't one, and one that was there before, are wrong. */
export const createIccidReader = () => {
  const seen = new Set<string>();
  return (text: string): NamedRow => {
    const iccid = text.trim();
    if (!iccidSchema.safeParse(iccid).success) {
      return { iccid: iccid.slice(0, shownMost), wrong: 'CB-01-0021' };
    }
    if (seen.has(iccid)) return { iccid, wrong: 'CB-01-0020' };
    seen.add(iccid);
    return { iccid, wrong: undefined };
  };
};

/** A row without values, or a note to the person who fills the file in, whose only cell begins with `#`. */
export const isNote = (cells: readonly string[]): boolean => {
  const [first = '#', ...others] = cells.filter((cell) => cell !== '');
  return others.length === 0 && first.startsWith('#');
};

/** The rows of a transfer's file. */
export const readTransferRows = (rows: readonly (readonly string[])[], place: number): NamedRow[] => {
  const read = createIccidReader();
  return rows.filter((row) => !isNote(row)).map((row) => read(row[place] ?? ''));
};
