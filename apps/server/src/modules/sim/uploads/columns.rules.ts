import { truncate } from '@simcube/contract';

/** Columns that uploads may have. */
export const uploadColumns = ['iccid', 'device_name', 'notes', 'tags'] as const;
export type UploadColumn = (typeof uploadColumns)[number];

/** Normalises a heading: case, blanks and punctuation are ignored. */
const plainHeading = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Positions of a file's columns. `names`: the possible headings of each, in any language; the first one is
 * shown if the column is missing.
 */
export const columnsOf = <C extends string>(
  heading: readonly string[],
  names: Readonly<Record<C, readonly string[]>>,
): Partial<Record<C, number>> => {
  const headings = heading.map(plainHeading);
  const places: Partial<Record<C, number>> = {};
  for (const column of Object.keys(names) as C[]) {
    const wanted = new Set(names[column].map(plainHeading));
    const place = headings.findIndex((name) => wanted.has(name));
    if (place >= 0) places[column] = place;
  }
  return places;
};

const shownMost = 60;

/** The headings of repeated columns, whatever they are called: it is unclear which of them is meant. */
export const repeatedIn = <C extends string>(
  heading: readonly string[],
  names: Readonly<Record<C, readonly string[]>>,
): string[] => {
  const headings = heading.map(plainHeading);
  return (Object.values(names) as (readonly string[])[]).flatMap((called) => {
    const wanted = new Set(called.map(plainHeading));
    const found = heading.filter((_, place) => wanted.has(headings[place] ?? ''));
    return found.length > 1 ? found.map((name) => truncate(name, shownMost)) : [];
  });
};

/** The headings of unknown columns: their content would be lost silently. */
export const unknownIn = <C extends string>(
  heading: readonly string[],
  names: Readonly<Record<C, readonly string[]>>,
): string[] => {
  const known = new Set((Object.values(names) as (readonly string[])[]).flat().map(plainHeading));
  return heading
    .filter((name) => name.trim() !== '' && !known.has(plainHeading(name)))
    .map((name) => truncate(name, shownMost));
};
