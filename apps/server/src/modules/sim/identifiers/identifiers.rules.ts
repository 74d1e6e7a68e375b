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
 * The identifiers in a file: those below a heading that is one of the names, otherwise those in its first column,
 * whose first cell may be a heading. Undefined if a row without such a heading has ICCIDs in other columns, too: it is
 * unclear which are meant.
 */
export const identifiersOf = (
  rows: readonly (readonly string[])[],
  names: Readonly<Record<'iccid' | 'imsi' | 'msisdn', readonly string[]>>,
): string[] | undefined => {
  const headings = rows.slice(0, maxRowsAbove).map((row) => columnPositions(row, names));
  const heading = headings.findIndex(({ iccid, imsi, msisdn }) => (iccid ?? imsi ?? msisdn) !== undefined);
  if (heading >= 0) {
    const { iccid, imsi, msisdn } = headings[heading] ?? {};
    const position = iccid ?? imsi ?? msisdn ?? 0;
    return cellsOf(rows.slice(heading + 1), position);
  }
  if (rows.some((row) => row.slice(1).some(isIccid))) return undefined;
  return cellsOf(isIdentifier(rows[0]?.[0] ?? '') ? rows : rows.slice(1), 0);
};

const cellsOf = (rows: readonly (readonly string[])[], position: number): string[] =>
  rows.map((row) => row[position] ?? '').filter((cell) => cell !== '');

const isIccid = (cell: string): boolean =>
  iccidSchema.safeParse(normaliseIdentifier(cell)).success && isIdentifier(cell);
