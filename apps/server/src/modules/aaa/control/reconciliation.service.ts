import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { dropDeadLetters, takeDeadLetters } from '../../../platform/jobs/index.ts';
import { controlJob, enqueueControl } from './control.job.ts';
import type { Control } from './control.service.ts';
import { findDueAfter } from './sessions.views.ts';

/** Limits for one run: dead-lettered orders retried, how many at a time, and new orders. */
const maxDeadLetters = 300;
const retryConcurrency = 20;
const maxNewOrders = 2000;
/** SIMs with an open session checked by one statement. */
const simsPerStatement = 5000;

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
  let resumeAfter = 0;

  const retryDeadLetters = async (signal: AbortSignal): Promise<number> => {
    const deadLetters = (
      await takeDeadLetters(pool, { name: controlJob.name, limit: maxDeadLetters })
    ).values();
    const resolved: number[] = [];
    const retry = async () => {
      for (const { id, payload } of deadLetters) {
        if (signal.aborted) return;
        const order = controlJob.payload.safeParse(payload);
        const outcomes = order.success ? await control.execute(order.data, { includeFailures: false }) : [];
        if (outcomes.every(({ isDone }) => isDone)) resolved.push(id);
      }
    };
    await Promise.all(Array.from({ length: retryConcurrency }, retry));
    await dropDeadLetters(pool, resolved);
    return resolved.length;
  };

  const enqueueMissed = async (signal: AbortSignal): Promise<number> => {
    let ordered = 0;
    while (ordered < maxNewOrders && !signal.aborted) {
      const { due, last } = await findDueAfter(pool, {
        simId: resumeAfter,
        sims: simsPerStatement,
        now: clock.now(),
      });
      const required = due.filter((one) => !control.isAwaited(one));
      const simIds = [...new Set(required.map(({ session }) => session.simId))];
      await enqueueControl(
        pool,
        simIds.map((simId) => ({ simId, reason: 'reconciled' })),
        { unlessKnown: true },
      );
      ordered += simIds.length;
      resumeAfter = last ?? 0;
      if (last === undefined) break;
    }
    return ordered;
  };

  return {
    run: async (signal) => ({
      resolved: await retryDeadLetters(signal),
      ordered: await enqueueMissed(signal),
    }),
  };
};
