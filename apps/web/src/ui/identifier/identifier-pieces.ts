import type { TextRange } from '@simcube/contract';
import { splitIdentifier } from './split-identifier.ts';

export interface Piece {
  from: number;
  text: string;
  /** Belongs to the last digits. */
  tail: boolean;
  /** Belongs to the search match. */
  found: boolean;
}

/** Splits a number into pieces of equal style: its last digits and the search match may overlap. */
export const piecesOf = (
  value: string,
  { emphasis, found }: { emphasis: boolean; found?: TextRange | undefined },
) => {
  const tailFrom = emphasis ? splitIdentifier(value)[0].length : value.length;
  const ends = [0, tailFrom, found?.from ?? 0, found?.to ?? 0, value.length];
  const cuts = [...new Set(ends)].sort((one, other) => one - other);
  return cuts.slice(1).map((to, index): Piece => {
    const from = cuts[index] ?? 0;
    return {
      from,
      text: value.slice(from, to),
      tail: from >= tailFrom,
      found: found !== undefined && from >= found.from && to <= found.to,
    };
  });
};
