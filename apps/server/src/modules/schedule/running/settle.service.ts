import { hourMs } from '@simcube/contract/time';
import type pg from 'pg';
import { inTransaction } from '../../../platform/db/index.ts';
import { countScheduled } from '../../sms/index.ts';
import { listProcessing } from '../../task/index.ts';
import { listOpenRuns, type OpenRun } from '../reporting/open-runs.queries.ts';
import { settleAndReport } from '../reporting/report.service.ts';
import type { RunningOptions } from './begin.service.ts';

const batchSize = 100;
/** The validity of a message, plus an hour for messages that the network accepted late. */
const finalAfterMs = 25 * hourMs;

/** Settles the runs whose messages all have, or should have, a final outcome, and reports them to their address groups. */
export const settleRuns = async (
  { pool, clock }: RunningOptions,
  { signal }: { signal: AbortSignal },
): Promise<void> => {
  let after: OpenRun | undefined;
  for (let more = true; more && !signal.aborted; ) {
    const runs = await listOpenRuns(pool, { after, limit: batchSize });
    for (const orgId of new Set(runs.map(({ org_id }) => org_id))) {
      const ofOrg = runs.filter(({ org_id }) => org_id === orgId);
      await settleRunsOf(pool, { orgId, runs: ofOrg, now: clock.now() });
    }
    after = runs.at(-1);
    more = runs.length === batchSize;
  }
};

const settleRunsOf = async (
  pool: pg.Pool,
  { orgId, runs, now }: { orgId: number; runs: readonly OpenRun[]; now: Date },
): Promise<void> => {
  const tasks = runs.map(({ task }) => task);
  const processing = await listProcessing(pool, tasks);
  const ended = runs.filter(({ task }) => !processing.has(task));
  const counts = await countScheduled(pool, { orgId, tasks: ended.map(({ task }) => task) });
  for (const run of ended) {
    const outcome = counts.get(run.task);
    const isOpen = outcome !== undefined && outcome.processing + outcome.sent > 0;
    if (isOpen && now.getTime() - outcome.acceptedAt.getTime() < finalAfterMs) continue;
    await inTransaction(pool, (tx) => settleAndReport(tx, run, { outcome, now }));
  }
};
