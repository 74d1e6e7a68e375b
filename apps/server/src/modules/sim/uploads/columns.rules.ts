import { beginningOf } from '@simcube/contract';

/** Columns that uploads may have. */
export const uploadColumns = ['iccid', 'device_name', 'notes', 'tags'] as const;
export type UploadColumn = (typeof uploadColumns)[number];

/** A heading as people write it: case, blanks and marks don't count. */
const plainHeading = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Where the columns of a file are. `names`: what each may be called, in any language; the first is the one that is shown
 * when it is missing.
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

/** The headings of columns that are there twice, whatever they are called: which of them is meant can't be known. */
export const repeatedIn = <C extends string>(
  heading: readonly string[],
  names: Readonly<Record<C, readonly string[]>>,
): string[] => {
  const headings = heading.map(plainHeading);
  return (Object.values(names) as (readonly string[])[]).flatMap((called) => {
    const wanted = new Set(called.map(plainHeading));
    const found = heading.filter((_, place) => wanted.has(headings[place] ?? ''));
    return found.length > 1 ? found.map((name) => beginningOf(name, shownMost)) : [];
  });
};

/** The headings of columns that nothing is called: what stands there was meant for something, and would be lost. */
export const unknownIn = <C extends string>(
  heading: readonly string[],
  names: Readonly<Record<C, readonly string[]>>,
): string[] => {
  const known = new Set((Object.values(names) as (readonly string[])[]).flat().map(plainHeading));
  return heading
    .filter((name) => name.trim() !== '' && !known.has(plainHeading(name)))
    .map((name) => beginningOf(name, shownMost));
};
