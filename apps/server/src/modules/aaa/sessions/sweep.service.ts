import type pg from 'pg';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import { connectionNumbers, connectionOf } from '../../sim/index.ts';
import { defaultInterimSeconds } from '../aaa.clients.ts';
import { factsByOrganisation, sessionChanged } from '../aaa.events.ts';
import {
  findIntervals,
  listSilent,
  type Silence,
  silenceSteps,
  simsAtOnce,
  stepSilent,
} from './sweep.queries.ts';

const { connected } = connectionNumbers;

/** Updates the connection status of silent SIMs. @returns how many changed */
export const sweepConnections = async (pool: pg.Pool, now: Date): Promise<number> => {
  let total = 0;
  for (const step of silenceSteps) {
    // Each chunk begins after the last one; rescanning finished SIMs would take longer and longer.
    let swept = { sims: 0, looked: simsAtOnce, last: 0 };
    while (swept.looked === simsAtOnce) {
      const { last } = swept;
      swept = await inTransaction(pool, (tx) => sweepSome(tx, { ...step, after: last }, now));
      total += swept.sims;
    }
  }
  return total;
};

const sweepSome = async (
  tx: Sql,
  step: (typeof silenceSteps)[number] & { after: number },
  now: Date,
): Promise<{ sims: number; looked: number; last: number }> => {
  const found = await listSilent(tx, step, now);
  const looked = { looked: found.length, last: found.at(-1)?.simId ?? step.after };
  if (found.length === 0) return { sims: 0, ...looked };
  const silent = await stepSilent(
    tx,
    { ...step, silent: step.to === connected ? await withIntervals(tx, found, now) : found },
    now,
  );
  const at = now.toISOString();
  const facts = factsByOrganisation(silent, (part) => ({
    at,
    changes: [{ iccids: part.map(({ iccid }) => iccid), status: connectionOf(step.to), kinds: [] }],
  }));
  await emitMany(tx, sessionChanged, facts);
  return { sims: silent.length, ...looked };
};

/** A SIM is online if it was seen within two intervals of its gateway. */
const withIntervals = async (tx: Sql, found: readonly Silence[], now: Date): Promise<Silence[]> => {
  const intervals = await findIntervals(
    tx,
    found.map(({ simId }) => simId),
  );
  return found.flatMap(({ simId, seenAt }) => {
    const seconds = intervals.get(simId) ?? defaultInterimSeconds;
    const seenBefore = new Date(now.getTime() - 2000 * seconds);
    return seenAt < seenBefore ? [{ simId, seenAt, seenBefore }] : [];
  });
};
