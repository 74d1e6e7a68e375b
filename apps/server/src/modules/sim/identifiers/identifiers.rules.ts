import { iccidSchema } from '@simcube/contract';
import { columnPositions, maxRowsAbove } from '../columns.rules.ts';
import { isIdentifier, normaliseIdentifier, spellingsOf } from '../sim.rules.ts';

export interface SimIdentifiers {
  id: number;
  iccid: string;
  imsi: string;
  msisdn: string | null;
}

export interface ResolvedIdentifiers {
  /** Each once, in the order in which they were named. */
  iccids: string[];
  /** As they were written. */
  not_found: string[];
  /** Entries that named nothing new: a repeated text, or another identifier of a SIM named before. */
  duplicates: number;
}

/**
 * The SIMs that a list names. An IMSI of one SIM that is also the MSISDN of another names both. Blank entries
 * are ignored.
 */
export const resolveList = (
  identifiers: readonly string[],
  sims: readonly SimIdentifiers[],
): ResolvedIdentifiers => {
  const byIdentifier = new Map<string, string[]>();
  for (const { iccid, imsi, msisdn } of sims) {
    for (const text of [iccid, imsi, msisdn]) {
      if (text === null) continue;
      const iccidsOfText = byIdentifier.get(text);
      if (iccidsOfText) iccidsOfText.push(iccid);
      else byIdentifier.set(text, [iccid]);
    }
  }
  const seen = new Set<string>();
  const iccids = new Set<string>();
  const missing: string[] = [];
  let duplicates = 0;
  for (const identifier of identifiers) {
    const text = normaliseIdentifier(identifier);
    if (text === '') continue;
    const matches = spellingsOf(identifier).flatMap((spelling) => byIdentifier.get(spelling) ?? []);
    const isNew = !seen.has(text) && (matches.length === 0 || matches.some((iccid) => !iccids.has(iccid)));
    seen.add(text);
    if (!isNew) duplicates += 1;
    else if (matches.length === 0) missing.push(identifier);
    for (const iccid of matches) iccids.add(iccid);
  }
  return { iccids: [...iccids], not_found: missing, duplicates };
};

/**
 * The identifiers in a file: one of each row below a heading that is one of the names, otherwise those in its first
 * column, whose first cell may be a heading. Undefined if other columns without a name have ICCIDs, too: it is
 * unclear which are meant.
 */
export const identifiersOf = (
  rows: readonly (readonly string[])[],
  names: Readonly<Record<'iccid' | 'imsi' | 'msisdn', readonly string[]>>,
): string[] | undefined => {
  const headings = rows.slice(0, maxRowsAbove).map((row) => columnPositions(row, names));
  const heading = headings.findIndex(({ iccid, imsi, msisdn }) => (iccid ?? imsi ?? msisdn) !== undefined);
  if (heading < 0) {
    if (hasIccids(rows, (column) => column > 0)) return undefined;
    return cellsOf(isIdentifier(rows[0]?.[0] ?? '') ? rows : rows.slice(1), [0]);
  }
  const { iccid, imsi, msisdn } = headings[heading] ?? {};
  const below = rows.slice(heading + 1);
  if (iccid !== undefined) return cellsOf(below, [iccid, imsi, msisdn]);
  const isUnnamed = (column: number) => column !== imsi && column !== msisdn;
  if (hasIccids(below, (column) => column > 0 && isUnnamed(column))) return undefined;
  const hasFirst = isUnnamed(0) && hasIccids(below, (column) => column === 0);
  return cellsOf(below, [hasFirst ? 0 : undefined, imsi, msisdn]);
};

const hasIccids = (rows: readonly (readonly string[])[], isMeant: (column: number) => boolean): boolean =>
  rows.some((row) => row.some((cell, column) => isMeant(column) && isIccid(cell)));

/** The first cell of each row that has content in one of the columns. */
const cellsOf = (rows: readonly (readonly string[])[], columns: readonly (number | undefined)[]): string[] =>
  rows.flatMap((row) => {
    const cells = columns.map((column) => (column === undefined ? '' : (row[column] ?? '')));
    return cells.find((cell) => cell !== '') ?? [];
  });

const isIccid = (cell: string): boolean =>
  iccidSchema.safeParse(normaliseIdentifier(cell)).success && isIdentifier(cell);
