import type { Sql } from '../../../platform/db/index.ts';
import { countriesOfNetworks, listPastChanges, type PastChange } from '../../sim/index.ts';

/** Moves of SIMs between networks since an instant, from country to country; networks at sea and in the air have none. */
export const listMoves = async (
  sql: Sql,
  asked: { orgId: number; simIds: readonly number[]; since: number },
): Promise<PastChange[]> => {
  const moves = await listPastChanges(sql, { ...asked, kind: 'network-changed' });
  const countries = await countriesOfNetworks(
    sql,
    moves.flatMap(({ from, to }) => [from, to]),
  );
  return moves.flatMap((move) => {
    const [from, to] = [countries.get(move.from), countries.get(move.to)];
    return from === undefined || to === undefined ? [] : [{ ...move, from, to }];
  });
};
