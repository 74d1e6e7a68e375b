import { limits } from '@simcube/contract';
import type { BillCheckRun, BillStatus, BillCheck as ShownCheck } from '@simcube/contract/finance';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { defineJob, enqueue } from '../../../platform/jobs/index.ts';
import { type BillCheck, checkBill } from './check.service.ts';
import { claimCheck, endRun, recordRunProgress, startRun, writeCheck } from './stored-checks.queries.ts';
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
  timeoutMs: 3_600_000,
});

/**
 * Computes a bill again for a person who may read it, and stores the result until the next time for all
 * readers. A bill with many SIMs is computed in the background: then the progress is returned.
 * @throws Failure CB-06-0002 while another check is in progress, CB-06-0003 for a version that was replaced
 */
export const requestCheck = async (
  options: CheckOptions,
  bill: CheckedBill,
): Promise<{ check: ShownCheck | null; checking: BillCheckRun | null }> => {
  if (bill.status === 'obsolete') return fail('CB-06-0003');
  const { pool, clock } = options;
  const sims = await countSims(pool, bill.id);
  if (sims <= limits.bills.checkedAtOnce)
    return { check: await runAndStoreCheck(options, bill), checking: null };
  const run = { billId: bill.id, now: clock.now() };
  await inTransaction(pool, async (tx) => {
    if (!(await startRun(tx, { ...run, sims }))) return fail('CB-06-0002');
    await enqueue(tx, checkJob, { billId: bill.id, number: bill.number });
  });
  return { check: null, checking: await findRun(pool, run) };
};

/** The work of the job; all who may read the bill see its progress. */
export const checkInBackground = async (
  options: CheckOptions,
  { billId, number }: { billId: number; number: string },
): Promise<void> => {
  const { pool, clock } = options;
  try {
    await runAndStoreCheck(options, { id: billId, number }, (done) =>
      recordRunProgress(pool, { billId, now: clock.now(), done }),
    );
  } finally {
    await endRun(pool, billId);
  }
};

const runAndStoreCheck = (
  { pool, clock }: CheckOptions,
  { id, number }: Pick<CheckedBill, 'id' | 'number'>,
  progress?: (simsDone: number) => Promise<void>,
): Promise<ShownCheck> =>
  inTransaction(pool, async (tx) => {
    if (!(await claimCheck(tx, id))) return fail('CB-06-0002');
    const result = (await checkBill(pool, number, progress)) ?? fail('CB-06-0003');
    const check = toCheckResult(result, clock.now());
    await writeCheck(tx, id, check);
    return check;
  });

const toCheckResult = ({ lines, late, mismatches }: BillCheck, now: Date): ShownCheck => ({
  checked_at: now.toISOString(),
  lines,
  late,
  mismatches: mismatches.map(({ what, billed, computed }) => ({
    what,
    billed: String(billed),
    computed: String(computed),
  })),
});
