import { normaliseIdentifier, spellingsOf } from '../sim.rules.ts';

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

/** Contains several digits in a row, as every identifier does and no heading. */
const identifierPattern = /^[0-9A-Za-z]*\d{5}[0-9A-Za-z]*$/;

/** Whether a cell of a file has an identifier, not a heading. */
export const isIdentifier = (cell: string): boolean => identifierPattern.test(normaliseIdentifier(cell));

/** The identifiers in a file's first column; its first cell is a heading if it is not an identifier. */
export const firstColumn = (rows: readonly (readonly string[])[]): string[] =>
  rows.map((row) => row[0] ?? '').filter((cell, index) => cell !== '' && (index > 0 || isIdentifier(cell)));
