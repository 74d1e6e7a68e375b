import { limits } from '@simcube/contract';
import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { fail } from '../../platform/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import { stillAllowed } from '../org/index.ts';
import { countTests } from './deliveries/deliveries.views.ts';
import { notifyTargets } from './deliveries/notifications.service.ts';
import { lockTarget } from './targets/targets.queries.ts';
import type { TargetCaller } from './targets/targets.service.ts';

const hourMs = 3_600_000;

export interface TryOutOptions {
  pool: pg.Pool;
  clock: Clock;
  hasSms: boolean;
}

/** Test notifications, on the way that all others take. */
export const createTryOuts =
  ({ pool, clock, hasSms }: TryOutOptions) =>
  /**
   * @throws Failure CB-09-0017 when there is no such target, CB-09-0027 when it is paused, CB-09-0028 for a message where
   *   none can be sent, CB-09-0029 past the limit of an hour
   */
  ({ orgId, userId, actor }: TargetCaller, targetId: number): Promise<{ notification_id: string }> =>
    inTransaction(pool, async (tx) => {
      await stillAllowed(tx, { orgId, userId, key: 'account', action: 'write' });
      // Locked, so that tests of one target are counted one after another.
      const target = (await lockTarget(tx, { orgId, id: targetId })) ?? fail('CB-09-0017');
      if (target.paused_for !== null) fail('CB-09-0027');
      if (target.kind === 'sms' && !hasSms) fail('CB-09-0028');
      const at = clock.now();
      const max = limits.notifications.tryOuts;
      const tests = await countTests(tx, { targetId, since: new Date(at.getTime() - hourMs) });
      if (tests >= max) fail('CB-09-0029', { values: { max } });
      const id = await notifyTargets(tx, { orgId, kind: 'test', fields: { target: target.name }, at }, [
        targetId,
      ]);
      const subject = { kind: 'group', id: String(targetId), name: target.name } as const;
      await recordAudit(tx, { orgId, actor, at, subject, before: null, after: null });
      return { notification_id: id };
    });
