import type { Sql } from '../../../platform/db/index.ts';
import { notifyTargets } from '../../notify/index.ts';
import { countScheduled, type ScheduledCounts } from '../../sms/index.ts';
import { countRefusals } from '../../task/index.ts';
import { wallClock } from '../timing/zone.rules.ts';
import { listUnsettledRuns, type OpenRun, settleRun } from './open-runs.queries.ts';

/**
 * Settles a run and reports it to its address group, unless another process has done it. The outcome of messages that
 * are still open stays unknown.
 */
export const settleAndReport = async (
  tx: Sql,
  run: OpenRun,
  { outcome, now }: { outcome: ScheduledCounts | undefined; now: Date },
): Promise<void> => {
  if (await settleRun(tx, run, outcome?.settledAt ?? now)) await notifyGroup(tx, run, { outcome, now });
};

/** Reports the runs of a schedule that is about to be deleted, because nothing of them remains afterwards. */
export const reportUnsettledRuns = async (
  tx: Sql,
  { orgId, scheduleId, now }: { orgId: number; scheduleId: number; now: Date },
): Promise<void> => {
  const runs = await listUnsettledRuns(tx, scheduleId);
  const counts = await countScheduled(tx, { orgId, tasks: runs.map(({ task }) => task) });
  for (const run of runs) await settleAndReport(tx, run, { outcome: counts.get(run.task), now });
};

const notifyGroup = async (
  tx: Sql,
  run: OpenRun,
  { outcome, now }: { outcome: ScheduledCounts | undefined; now: Date },
): Promise<void> => {
  if (run.group_id === null) return;
  const { messages = 0, delivered = 0, failed = 0 } = outcome ?? {};
  const unknown = messages - delivered - failed;
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
