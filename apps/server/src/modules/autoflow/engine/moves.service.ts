import { dayMs } from '@simcube/contract/time';
import type { Sql } from '../../../platform/db/index.ts';
import { countriesOfNetworks, listPastChanges } from '../../sim/index.ts';
import { countryMoves } from './country-moves.rules.ts';

/** Longer than any journey by sea. */
const longestJourneyMs = 30 * dayMs;

interface MovesQuery {
  orgId: number;
  simIds: readonly number[];
  since: number;
}

/** Moves of SIMs between countries, from their moves between networks since an instant. */
export const listMoves = async (sql: Sql, query: MovesQuery) => {
  const moves = await listPastChanges(sql, { ...query, kind: 'network-changed' });
  const countries = await countriesOf(sql, moves);
  const first = moves.filter(({ simId }, index) => moves[index - 1]?.simId !== simId);
  const withoutCountry = new Set(first.flatMap(({ simId, from }) => (countries.has(from) ? [] : [simId])));
  if (withoutCountry.size === 0) return countryMoves(moves, countries);
  const since = query.since - longestJourneyMs;
  const longer = await listPastChanges(sql, {
    ...query,
    simIds: [...withoutCountry],
    since,
    kind: 'network-changed',
  });
  const rest = moves.filter(({ simId }) => !withoutCountry.has(simId));
  const fromLonger = countryMoves(longer, await countriesOf(sql, longer)).filter(
    ({ at }) => at >= query.since,
  );
  return [...countryMoves(rest, countries), ...fromLonger];
};

const countriesOf = (sql: Sql, moves: readonly { from: string; to: string }[]) =>
  countriesOfNetworks(
    sql,
    moves.flatMap(({ from, to }) => [from, to]),
  );
