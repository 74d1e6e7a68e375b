import { truncate } from '@simcube/contract';
import { isIdentifier } from './sim.rules.ts';

/** Columns that uploads may have. */
export const uploadColumns = ['iccid', 'device_name', 'notes', 'tags'] as const;
export type UploadColumn = (typeof uploadColumns)[number];

/** Normalises a heading: case, blanks and punctuation are ignored. */
const normaliseHeading = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Positions of a file's columns. `names`: the possible headings of each, in any language; the first one is
 * shown if the column is missing.
 */
export const columnPositions = <C extends string>(
  heading: readonly string[],
  names: Readonly<Record<C, readonly string[]>>,
): Partial<Record<C, number>> => {
  const headings = heading.map(normaliseHeading);
  const positions: Partial<Record<C, number>> = {};
  for (const column of Object.keys(names) as C[]) {
    const accepted = new Set(names[column].map(normaliseHeading));
    const position = headings.findIndex((name) => accepted.has(name));
    if (position >= 0) positions[column] = position;
  }
  return positions;
};

/** Whether a row names at least one of the columns. */
export const isHeading = <C extends string>(
  row: readonly string[],
  names: Readonly<Record<C, readonly string[]>>,
): boolean => Object.keys(columnPositions(row, names)).length > 0;

/** How many rows, such as a title, may be above a heading. */
export const maxRowsAbove = 10;

/** Whether a file begins with its values, or with something above its heading. */
export const isHeadingMissing = <C extends string>(
  [first = [], ...rows]: readonly (readonly string[])[],
  names: Readonly<Record<C, readonly string[]>>,
): boolean =>
  !isHeading(first, names) &&
  (first.some(isIdentifier) || rows.slice(0, maxRowsAbove).some((row) => isHeading(row, names)));

const maxShownLength = 60;

/** The headings of repeated columns, whatever they are called: it is unclear which of them is meant. */
export const repeatedColumns = <C extends string>(
  heading: readonly string[],
  names: Readonly<Record<C, readonly string[]>>,
): string[] => {
  const headings = heading.map(normaliseHeading);
  return (Object.values(names) as (readonly string[])[]).flatMap((aliases) => {
    const accepted = new Set(aliases.map(normaliseHeading));
    const found = heading.filter((_, position) => accepted.has(headings[position] ?? ''));
    return found.length > 1 ? found.map((name) => truncate(name, maxShownLength)) : [];
  });
};

/** The headings of unknown columns: their content would be lost silently. */
export const unknownColumns = <C extends string>(
  heading: readonly string[],
  names: Readonly<Record<C, readonly string[]>>,
): string[] => {
  const known = new Set((Object.values(names) as (readonly string[])[]).flat().map(normaliseHeading));
  return heading
    .filter((name) => name.trim() !== '' && !known.has(normaliseHeading(name)))
    .map((name) => truncate(name, maxShownLength));
};
