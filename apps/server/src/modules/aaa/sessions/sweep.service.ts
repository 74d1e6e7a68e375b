import type pg from 'pg';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import { connectionOf } from '../../sim/index.ts';
import { factsByOrganisation, sessionChanged } from '../aaa.events.ts';
import { silenceSteps, simsAtOnce, stepSilent } from './sweep.queries.ts';

/** Says of SIMs that have been silent what that means now. @returns how many changed */
export const sweepConnections = async (pool: pg.Pool, now: Date): Promise<number> => {
  let total = 0;
  for (const step of silenceSteps) {
    // Each chunk begins behind the last one: looking at all that is done once more would take longer and longer.
    let swept = { sims: simsAtOnce, last: 0 };
    while (swept.sims === simsAtOnce) {
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
): Promise<{ sims: number; last: number }> => {
  const silent = await stepSilent(tx, step, now);
  const at = now.toISOString();
  const facts = factsByOrganisation(silent, (part) => ({
    at,
    changes: [{ iccids: part.map(({ iccid }) => iccid), status: connectionOf(step.to), kinds: [] }],
  }));
  await emitMany(tx, sessionChanged, facts);
  return {
    sims: silent.length,
    last: silent.reduce((last, { sim_id }) => Math.max(last, sim_id), step.after),
  };
};
