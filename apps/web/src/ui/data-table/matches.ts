import { findRange, type TextRange } from '@simcube/contract';
import type { Column } from './column.ts';

/** A search match in a row. */
export interface FieldMatch extends TextRange {
  field: string;
  /** The text that `from` and `to` refer to. */
  text: string;
}

/** The search matches in a list's rows; the object keeps its identity while nothing changes. */
export interface Matches<Row> {
  of: (row: Row) => readonly FieldMatch[];
  /** The names of the fields. */
  labels: Readonly<Record<string, string>>;
}

/** The first match that no column shows, if no column shows any. */
export const hiddenMatch = <Row>(
  row: Row,
  { matches, columns }: { matches: Matches<Row> | undefined; columns: readonly Column<Row>[] },
): (FieldMatch & { label: string }) | undefined => {
  const rowMatches = matches?.of(row) ?? [];
  const [first] = rowMatches;
  if (!first || rowMatches.some(({ field }) => columns.some(({ searched }) => searched === field)))
    return undefined;
  return { ...first, label: matches?.labels[first.field] ?? first.field };
};

/** The texts of a row that a list is searched by, if the server's response contains them all. */
type SearchedTexts<Row> = Readonly<Record<string, { label: string; text: (row: Row) => string | null }>>;

/** Finds the search matches in the texts of rows. */
export const matchesIn = <Row>(search: string | undefined, texts: SearchedTexts<Row>): Matches<Row> => ({
  of: (row) =>
    Object.entries(texts).flatMap(([field, { text: textOf }]) => {
      const text = textOf(row);
      const place = text && search ? findRange(text, search) : undefined;
      return text && place ? [{ field, text, ...place }] : [];
    }),
  labels: Object.fromEntries(Object.entries(texts).map(([field, { label }]) => [field, label])),
});
