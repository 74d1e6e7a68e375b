import type { Sql } from '../../../platform/db/index.ts';
import { enqueue } from '../../../platform/jobs/index.ts';
import { changeWatch } from '../../usage/index.ts';
import { listArmedRules } from './armed-rules.views.ts';
import { reevaluateUsageJob } from './usage.job.ts';
import { hasUsageTrigger, isDaily } from './usage.rules.ts';

/** Intake learns of a new watch within five seconds; SIMs with records in the meantime are evaluated again after this time. */
const watchDelayMs = 15_000;

/**
 * After a change of an organisation's rules, in the same transaction: recomputes what usage is watched for. The cost
 * does not depend on the number of SIMs, because each is evaluated with its next record.
 */
export const armRules = async (tx: Sql, { orgId, at }: { orgId: number; at: Date }): Promise<void> => {
  const rules = await listArmedRules(tx, orgId);
  const isWatching = rules.some(hasUsageTrigger);
  await changeWatch(tx, { orgId, isWatching, isDaily: isDaily(rules) });
  if (!isWatching) return;
  const runAt = new Date(at.getTime() + watchDelayMs);
  await enqueue(tx, reevaluateUsageJob, { orgId, since: at.getTime() }, { runAt });
};
