import type { PastChange } from '../../sim/index.ts';

/**
 * Moves between networks, by SIM and time, as moves between countries. Networks at sea and in the air have none: by them a SIM
 * comes from the country where it was before. Where that is not known, it comes from nowhere, and has entered nothing.
 */
export const journeysOf = (
  moves: readonly PastChange[],
  countries: ReadonlyMap<string, string>,
): PastChange[] => {
  let simId: number | undefined;
  let left: string | undefined;
  return moves.flatMap((move) => {
    if (move.simId !== simId) left = undefined;
    simId = move.simId;
    const [from, to] = [countries.get(move.from) ?? left, countries.get(move.to)];
    left = to ?? from;
    return from === undefined || to === undefined ? [] : [{ ...move, from, to }];
  });
};
