import type pg from 'pg';
import { groupBy } from '../../../platform/collections/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { emitMany, factsByOrganisation } from '../../../platform/outbox/index.ts';
import { connectionNumbers, connectionOf } from '../../sim/index.ts';
import { changesPerFact, sessionChanged } from '../aaa.events.ts';
import { defaultInterimSeconds } from '../gateways/clients.ts';
import {
  findIntervals,
  listSilent,
  type SilenceCandidate,
  silenceSteps,
  simsPerStatement,
  updateSilent,
} from './sweep.queries.ts';

const { connected } = connectionNumbers;

/** Updates the connection status of silent SIMs. @returns how many changed */
export const sweepConnections = async (pool: pg.Pool, now: Date): Promise<number> => {
  let total = 0;
  for (const step of silenceSteps) {
    // Each chunk begins after the last one; rescanning finished SIMs would take longer and longer.
    let swept = { sims: 0, checked: simsPerStatement, last: 0 };
    while (swept.checked === simsPerStatement) {
      const { last } = swept;
      swept = await inTransaction(pool, (tx) => sweepBatch(tx, { ...step, after: last }, now));
      total += swept.sims;
    }
  }
  return total;
};

const sweepBatch = async (
  tx: Sql,
  step: (typeof silenceSteps)[number] & { after: number },
  now: Date,
): Promise<{ sims: number; checked: number; last: number }> => {
  const candidates = await listSilent(tx, step, now);
  const checked = { checked: candidates.length, last: candidates.at(-1)?.simId ?? step.after };
  if (candidates.length === 0) return { sims: 0, ...checked };
  const silent = await updateSilent(
    tx,
    { ...step, silent: step.to === connected ? await withIntervals(tx, candidates, now) : candidates },
    now,
  );
  const at = now.toISOString();
  const facts = factsByOrganisation(
    groupBy(silent, (row) => row.org_id),
    changesPerFact,
    (part) => ({
      at,
      changes: [{ iccids: part.map(({ iccid }) => iccid), status: connectionOf(step.to), kinds: [] }],
    }),
  );
  await emitMany(tx, sessionChanged, facts);
  return { sims: silent.length, ...checked };
};

/** A SIM is online if it was seen within two intervals of its gateway. */
const withIntervals = async (
  tx: Sql,
  candidates: readonly SilenceCandidate[],
  now: Date,
): Promise<SilenceCandidate[]> => {
  const intervals = await findIntervals(
    tx,
    candidates.map(({ simId }) => simId),
  );
  return candidates.flatMap(({ simId, seenAt }) => {
    const seconds = intervals.get(simId) ?? defaultInterimSeconds;
    const seenBefore = new Date(now.getTime() - 2000 * seconds);
    return seenAt < seenBefore ? [{ simId, seenAt, seenBefore }] : [];
  });
};
