import type { Sql } from '../../../platform/db/index.ts';
import { enqueue } from '../../../platform/jobs/index.ts';
import { changeWatch } from '../../usage/index.ts';
import { listArmedRules } from './armed-rules.views.ts';
import { lookAgainJob } from './usage.job.ts';
import { isDaily, isOnUsage } from './usage.rules.ts';

/** Intake learns of a new watch within five seconds; SIMs with records in the meantime are judged again after this time. */
const heardWithinMs = 15_000;

/**
 * After a change of an organisation's rules, in the same transaction: recomputes what usage is watched for. The cost
 * does not depend on the number of SIMs, because each is judged with its next record.
 */
export const armRules = async (tx: Sql, { orgId, at }: { orgId: number; at: Date }): Promise<void> => {
  const rules = await listArmedRules(tx, orgId);
  const isWatching = rules.some(isOnUsage);
  await changeWatch(tx, { orgId, isWatching, isDaily: isDaily(rules) });
  if (!isWatching) return;
  const runAt = new Date(at.getTime() + heardWithinMs);
  await enqueue(tx, lookAgainJob, { orgId, since: at.getTime() }, { runAt });
};
