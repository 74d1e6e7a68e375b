import type { Sql } from '../../../platform/db/index.ts';
import { countriesOfNetworks, listPastChanges } from '../../sim/index.ts';
import { journeysOf } from './journeys.rules.ts';

/** Longer than any journey by sea. */
const journeyMs = 30 * 86_400_000;

interface Asked {
  orgId: number;
  simIds: readonly number[];
  since: number;
}

/** Moves of SIMs between countries, from their moves between networks since an instant. */
export const listMoves = async (sql: Sql, asked: Asked) => {
  const moves = await listPastChanges(sql, { ...asked, kind: 'network-changed' });
  const countries = await countriesOf(sql, moves);
  const first = moves.filter(({ simId }, index) => moves[index - 1]?.simId !== simId);
  const afloat = new Set(first.flatMap(({ simId, from }) => (countries.has(from) ? [] : [simId])));
  if (afloat.size === 0) return journeysOf(moves, countries);
  const since = asked.since - journeyMs;
  const long = await listPastChanges(sql, { ...asked, simIds: [...afloat], since, kind: 'network-changed' });
  const others = moves.filter(({ simId }) => !afloat.has(simId));
  const journeys = journeysOf(long, await countriesOf(sql, long)).filter(({ at }) => at >= asked.since);
  return [...journeysOf(others, countries), ...journeys];
};

const countriesOf = (sql: Sql, moves: readonly { from: string; to: string }[]) =>
  countriesOfNetworks(
    sql,
    moves.flatMap(({ from, to }) => [from, to]),
  );
