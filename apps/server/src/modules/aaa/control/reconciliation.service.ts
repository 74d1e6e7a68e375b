import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { dropDeadLetters, takeDeadLetters } from '../../../platform/jobs/index.ts';
import { controlJob, orderDue } from './control.job.ts';
import type { Control } from './control.service.ts';
import { findDueBeyond } from './sessions.views.ts';

/** Limits for one run: dead-lettered orders retried, how many at a time, and new orders. */
const retriedMost = 300;
const retriedAtOnce = 20;
const orderedMost = 2000;
/** SIMs with an open session checked by one statement. */
const simsAtOnce = 5000;

export interface Reconciliation {
  /** @returns how many dead-lettered orders are done now, and for how many SIMs something was due */
  run(signal: AbortSignal): Promise<{ resolved: number; ordered: number }>;
}

/**
 * Brings the network in line with what SIMs may do: retries orders that failed in all attempts, and queues what was
 * not queued yet, such as the end of a session that began after its SIM was suspended.
 */
export const createReconciliation = (options: {
  pool: pg.Pool;
  clock: Clock;
  control: Control;
}): Reconciliation => {
  const { pool, clock, control } = options;
  /** SIM id at which the last run stopped; the next run continues after it. */
  let beyond = 0;

  const retryGivenUp = async (signal: AbortSignal): Promise<number> => {
    const letters = (await takeDeadLetters(pool, { name: controlJob.name, limit: retriedMost })).values();
    const resolved: number[] = [];
    const retry = async () => {
      for (const { id, payload } of letters) {
        if (signal.aborted) return;
        const order = controlJob.payload.safeParse(payload);
        const outcomes = order.success ? await control.carryOut(order.data, { failures: false }) : [];
        if (outcomes.every(({ isDone }) => isDone)) resolved.push(id);
      }
    };
    await Promise.all(Array.from({ length: retriedAtOnce }, retry));
    await dropDeadLetters(pool, resolved);
    return resolved.length;
  };

  const orderMissed = async (signal: AbortSignal): Promise<number> => {
    let ordered = 0;
    while (ordered < orderedMost && !signal.aborted) {
      const { due, last } = await findDueBeyond(pool, { simId: beyond, sims: simsAtOnce, now: clock.now() });
      const simIds = [...new Set(due.map(({ session }) => session.simId))];
      await orderDue(
        pool,
        simIds.map((simId) => ({ simId, reason: 'reconciled' })),
        { unlessKnown: true },
      );
      ordered += simIds.length;
      beyond = last ?? 0;
      if (last === undefined) break;
    }
    return ordered;
  };

  return {
    run: async (signal) => ({
      resolved: await retryGivenUp(signal),
      ordered: await orderMissed(signal),
    }),
  };
};
