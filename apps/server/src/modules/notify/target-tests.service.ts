import { limits } from '@simcube/contract';
import { hourMs } from '@simcube/contract/time';
import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../platform/db/index.ts';
import { fail } from '../../platform/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import { lockOrganisation, requirePermission } from '../org/index.ts';
import { whyTextsRefused } from '../sms/index.ts';
import { countOrganisationTests, countTests } from './deliveries/deliveries.views.ts';
import { notifyTargets } from './deliveries/notifications.service.ts';
import { lockTarget } from './targets/targets.queries.ts';
import type { TargetCaller } from './targets/targets.service.ts';

export interface TargetTestOptions {
  pool: pg.Pool;
  clock: Clock;
}

/**
 * Tests go to any address a target has, with the organisation's own texts: they must not flood the mailboxes of
 * strangers.
 */
const maxPerOrganisation = {
  test: limits.notifications.organisationTests,
  'autoflow.tried': limits.autoflow.tryOuts,
} as const;

/**
 * A target that may be sent a test now. Organisation and target stay locked until the transaction ends, so that
 * tests are counted one after another.
 * @throws Failure CB-09-0017, CB-09-0027, CB-09-0028, CB-04-0001, CB-09-0029, CB-09-0034
 */
export const lockTargetForTest = async (
  tx: Sql,
  {
    orgId,
    targetId,
    kind,
    at,
  }: { orgId: number; targetId: number; kind: keyof typeof maxPerOrganisation; at: Date },
) => {
  await lockOrganisation(tx, orgId);
  const target = (await lockTarget(tx, { orgId, id: targetId })) ?? fail('CB-09-0017');
  if (target.paused_for !== null) fail('CB-09-0027');
  const refusal = target.kind === 'sms' ? await whyTextsRefused(tx, orgId) : undefined;
  if (refusal) fail(refusal);
  const max = limits.notifications.tests;
  const since = new Date(at.getTime() - hourMs);
  if ((await countTests(tx, { targetId, since, kind })) >= max) fail('CB-09-0029', { values: { max } });
  const organisationMax = maxPerOrganisation[kind];
  if ((await countOrganisationTests(tx, { orgId, since, kind })) >= organisationMax)
    fail('CB-09-0034', { values: { max: organisationMax } });
  return target;
};

/** Test notifications, delivered as all others. */
export const createTargetTests =
  ({ pool, clock }: TargetTestOptions) =>
  /**
   * @throws Failure CB-09-0017 when the target does not exist, CB-09-0027 when it is paused, CB-09-0028 for a
   * message if none can be sent, CB-04-0001 for an organisation that may send none, CB-09-0029 and CB-09-0034
   * beyond the limits of an hour
   */
  ({ orgId, userId, actor }: TargetCaller, targetId: number): Promise<{ notification_id: string }> =>
    inTransaction(pool, async (tx) => {
      await requirePermission(tx, { orgId, userId, key: 'account', action: 'write' });
      const at = clock.now();
      const target = await lockTargetForTest(tx, { orgId, targetId, kind: 'test', at });
      const fields = { target_id: String(targetId), target: target.name };
      const id = await notifyTargets(tx, { orgId, kind: 'test', fields, at }, [targetId]);
      const subject = { kind: 'group', id: String(targetId), name: target.name } as const;
      await recordAudit(tx, { orgId, actor, at, subject, before: null, after: null });
      return { notification_id: id };
    });
