import { type Place, placeOf } from '@simcube/contract';
import type { Column } from './column.ts';

/** Where a search found something in a row. */
export interface FieldMatch extends Place {
  field: string;
  /** `from` and `to` are of this text. */
  text: string;
}

/** What the list's search found in its rows; the same object as long as nothing changed. */
export interface Matches<Row> {
  of: (row: Row) => readonly FieldMatch[];
  /** What the fields are called. */
  labels: Readonly<Record<string, string>>;
}

/** What was found where no column shows it, when nothing was found where one does. */
export const foundElsewhere = <Row>(
  row: Row,
  { matches, columns }: { matches: Matches<Row> | undefined; columns: readonly Column<Row>[] },
): (FieldMatch & { label: string }) | undefined => {
  const found = matches?.of(row) ?? [];
  const [first] = found;
  if (!first || found.some(({ field }) => columns.some(({ searched }) => searched === field)))
    return undefined;
  return { ...first, label: matches?.labels[first.field] ?? first.field };
};

/** By which texts of a row a list is searched, where the server's answer has them all. */
type SearchedTexts<Row> = Readonly<Record<string, { label: string; text: (row: Row) => string | null }>>;

/** What a search found in the texts of rows. */
export const matchesIn = <Row>(search: string | undefined, texts: SearchedTexts<Row>): Matches<Row> => ({
  of: (row) =>
    Object.entries(texts).flatMap(([field, { text: textOf }]) => {
      const text = textOf(row);
      const place = text && search ? placeOf(text, search) : undefined;
      return text && place ? [{ field, text, ...place }] : [];
    }),
  labels: Object.fromEntries(Object.entries(texts).map(([field, { label }]) => [field, label])),
});
