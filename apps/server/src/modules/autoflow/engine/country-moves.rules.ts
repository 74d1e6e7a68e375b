import type { PastChange } from '../../sim/index.ts';

/**
 * Converts moves between networks, ordered by SIM and time, to moves between countries. Networks at sea and in the
 * air have no country: a SIM that leaves one comes from the country where it was before. If that is unknown, the move
 * is omitted.
 */
export const countryMoves = (
  moves: readonly PastChange[],
  countries: ReadonlyMap<string, string>,
): PastChange[] => {
  let simId: number | undefined;
  let previousCountry: string | undefined;
  return moves.flatMap((move) => {
    if (move.simId !== simId) previousCountry = undefined;
    simId = move.simId;
    const [from, to] = [countries.get(move.from) ?? previousCountry, countries.get(move.to)];
    previousCountry = to ?? from;
    return from === undefined || to === undefined ? [] : [{ ...move, from, to }];
  });
};
