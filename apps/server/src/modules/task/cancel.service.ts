import type { TaskType } from '@simcube/contract/task';
import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { operatorActor, recordAudit } from '../audit/index.ts';
import { endTask } from './task.service.ts';
import { endByItemResults } from './work/work.service.ts';
import { lockOrder, refuseWaiting } from './work.queries.ts';

export interface CancelOptions {
  pool: pg.Pool;
  clock: Clock;
  /** Undefined for a type that no worker handles. */
  workOf: (type: TaskType) => 'items' | 'file' | undefined;
}

/**
 * Ends a worker's task early, for the operator. Pending items are refused as cancelled and become available to
 * other tasks; a chunk in progress is finished first, a file in progress is dropped.
 * @throws Error if the task can't be cancelled; the message says why
 */
export const createCancel =
  ({ pool, clock, workOf }: CancelOptions) =>
  (taskId: number): Promise<void> =>
    inTransaction(pool, async (tx) => {
      const order = await lockOrder(tx, taskId);
      if (!order) throw new Error('There is no such task');
      const { reference, orgId, status } = order;
      if (status !== 'processing') throw new Error(`${reference} has ended already`);
      const work = workOf(order.type);
      if (!work) throw new Error(`${reference} is the work of a command: end that command`);
      const at = clock.now();
      const cancelled = await refuseWaiting(tx, [taskId], 'CB-09-0022');
      if (work === 'items') await endByItemResults(tx, taskId, at);
      else await endTask(tx, { id: taskId, status: 'issues', result: null, at });
      await recordAudit(tx, {
        orgId,
        actor: operatorActor(),
        at,
        action: 'task.cancelled',
        subject: { kind: 'task', id: reference, name: reference },
        after: { cancelled },
      });
    });
