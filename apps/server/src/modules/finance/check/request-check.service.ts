import { limits } from '@simcube/contract';
import type { BillCheckRun, BillStatus, BillCheck as ShownCheck } from '@simcube/contract/finance';
import { hourMs } from '@simcube/contract/time';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { defineJob, enqueue } from '../../../platform/jobs/index.ts';
import { areRecordsRetained, type BillCheck, checkBill } from './check.service.ts';
import { endRun, recordRunProgress, startRun, writeCheck } from './stored-checks.queries.ts';
import { countSims, findRun } from './stored-checks.views.ts';

export interface CheckOptions {
  pool: pg.Pool;
  clock: Clock;
}

interface CheckedBill {
  id: number;
  number: string;
  status: BillStatus;
}

export const checkJob = defineJob({
  name: 'finance.check',
  payload: z.object({ billId: z.number(), number: z.string() }),
  maxAttempts: 1,
  timeoutMs: hourMs,
});

type CheckResponse = { check: ShownCheck | null; checking: BillCheckRun | null };

/**
 * Computes bills again for people who may read them, and stores the results until the next time for all
 * readers. A bill with many SIMs is computed in the background, and so is any while this process is already
 * computing a few, each of which occupies a connection: then the progress is returned.
 */
export const createCheckRequests = (options: CheckOptions) => {
  const { pool, clock } = options;
  let immediate = 0;

  const checkAtOnce = async (bill: CheckedBill, sims: number): Promise<CheckResponse> => {
    immediate += 1;
    try {
      if (!(await startRun(pool, { billId: bill.id, now: clock.now(), sims }))) return fail('CB-06-0002');
      const check = (await runAndStoreCheck(options, bill)) ?? fail('CB-06-0003');
      return { check, checking: null };
    } finally {
      immediate -= 1;
    }
  };

  const checkLater = async ({ id, number }: CheckedBill, sims: number): Promise<CheckResponse> => {
    const run = { billId: id, now: clock.now() };
    await inTransaction(pool, async (tx) => {
      if (!(await startRun(tx, { ...run, sims }))) return fail('CB-06-0002');
      await enqueue(tx, checkJob, { billId: id, number });
    });
    return { check: null, checking: await findRun(pool, run) };
  };

  /**
   * @throws Failure CB-06-0002 while another check is in progress, CB-06-0003 for a version that was replaced,
   * CB-06-0006 once its records are no longer retained: the result of an earlier check is kept
   */
  return async (bill: CheckedBill): Promise<CheckResponse> => {
    if (bill.status === 'obsolete') return fail('CB-06-0003');
    if (!(await areRecordsRetained(pool, bill.id, clock.now()))) return fail('CB-06-0006');
    const sims = await countSims(pool, bill.id);
    const { checkedAtOnce, concurrentChecks } = limits.bills;
    return sims <= checkedAtOnce && immediate < concurrentChecks
      ? checkAtOnce(bill, sims)
      : checkLater(bill, sims);
  };
};

/**
 * The work of the job; all who may read the bill see its progress. A version that was replaced since the request is
 * not checked.
 */
export const checkInBackground = async (
  options: CheckOptions,
  { billId, number }: { billId: number; number: string },
): Promise<void> => {
  const { pool, clock } = options;
  await runAndStoreCheck(options, { id: billId, number }, (done) =>
    recordRunProgress(pool, { billId, now: clock.now(), done }),
  );
};

/**
 * The work of a run that was started; undefined if the version was replaced. No other, idle transaction is open around
 * the computation, which may take longer than the database leaves one idle.
 */
const runAndStoreCheck = async (
  { pool, clock }: CheckOptions,
  { id, number }: Pick<CheckedBill, 'id' | 'number'>,
  progress?: (simsDone: number) => Promise<void>,
): Promise<ShownCheck | undefined> => {
  try {
    const result = await checkBill(pool, number, {
      now: clock.now(),
      billId: id,
      ...(progress && { progress }),
    });
    if (!result) return undefined;
    const check = toCheckResult(result, clock.now());
    await writeCheck(pool, id, check);
    return check;
  } finally {
    await endRun(pool, id);
  }
};

const toCheckResult = ({ lines, late, mismatches }: BillCheck, now: Date): ShownCheck => ({
  checked_at: now.toISOString(),
  lines,
  late,
  mismatches,
});
