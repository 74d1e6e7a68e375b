import type { Sql } from '../../../platform/db/index.ts';
import { enqueue } from '../../../platform/jobs/index.ts';
import { changeWatch } from '../../usage/index.ts';
import { listArmedRules } from './armed-rules.views.ts';
import { lookAgainJob } from './usage.job.ts';
import { isDaily, isOnUsage } from './usage.rules.ts';

/** Intake learns of a new watch within five seconds; SIMs with records until then are judged after this time. */
const heardWithinMs = 15_000;

/**
 * After the rules of an organisation have changed at an instant, in the same transaction: what usage is watched for is computed
 * again. It costs the same for ten SIMs and for a million, as each is looked at with its next record.
 */
export const armRules = async (tx: Sql, { orgId, at }: { orgId: number; at: Date }): Promise<void> => {
  const rules = await listArmedRules(tx, orgId);
  const isWatching = rules.some(isOnUsage);
  await changeWatch(tx, { orgId, isWatching, isDaily: isDaily(rules) });
  if (!isWatching) return;
  const runAt = new Date(at.getTime() + heardWithinMs);
  await enqueue(tx, lookAgainJob, { orgId, since: at.getTime() }, { runAt });
};
