import type pg from 'pg';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { notifyTargets } from '../../notify/index.ts';
import { countScheduled, type ScheduledCounts } from '../../sms/index.ts';
import { countRefusals, listProcessing } from '../../task/index.ts';
import { wallClock } from '../timing/zone.rules.ts';
import type { RunningOptions } from './begin.service.ts';
import { listOpenRuns, type OpenRun, settleRun } from './runs.queries.ts';

const batchSize = 100;
/** The validity of a message, plus an hour for messages that the network accepted late. */
const finalAfterMs = 25 * 3_600_000;

/** Settles the runs whose messages all have a final outcome, and reports them to their address groups. */
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
    const isFinal = now.getTime() - run.started_at.getTime() >= finalAfterMs;
    if (isOpen && !isFinal) continue;
    await inTransaction(pool, async (tx) => {
      if (await settleRun(tx, run, outcome?.settledAt ?? now)) await notifyGroup(tx, run, { outcome, now });
    });
  }
};

const notifyGroup = async (
  tx: Sql,
  run: OpenRun,
  { outcome, now }: { outcome: ScheduledCounts | undefined; now: Date },
): Promise<void> => {
  if (run.group_id === null) return;
  const { messages = 0, delivered = 0, failed = 0, unknown = 0 } = outcome ?? {};
  const leftOut = run.quantity - messages;
  if (run.only_failures && delivered === run.quantity) return;
  const refusals = await countRefusals(tx, run.task);
  const fields = {
    id: String(run.schedule_id),
    schedule: run.name,
    time: `${wallClock(run.time_zone)(run.run_at).replace('T', ' ')} (${run.time_zone})`,
    task: run.task,
    quantity: run.quantity,
    delivered,
    failed,
    unknown,
    left_out: leftOut,
    unpaid: refusals.get('CB-04-0002') ?? 0,
  };
  const notification = { orgId: run.org_id, kind: 'schedule.ran', fields, at: now } as const;
  await notifyTargets(tx, notification, [run.group_id]);
};
