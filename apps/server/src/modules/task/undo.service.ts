import type { TaskType } from '@simcube/contract/task';
import type pg from 'pg';
import type { Actor } from '../../platform/access/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { fail } from '../../platform/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import { requirePermission } from '../org/index.ts';
import { type Operation, type Undo, undoParameters } from './task.operation.ts';
import { mayBeUndone } from './task.rules.ts';
import { startWork } from './work/work.service.ts';
import { isUndone, listChangedItems, lockOrder } from './work.queries.ts';

/** How to undo the operation that changed the items of a task; undefined if it can't be undone. */
export type UndoOf = (task: {
  type: TaskType;
  parameters: unknown;
}) => { of: TaskType; undo: Undo } | undefined;

export const createUndoOf = (operations: readonly Operation[]): UndoOf => {
  const byType = new Map(operations.flatMap(({ type, undo }) => (undo ? [[type, undo] as const] : [])));
  const undoing = new Set([...byType.values()].map(({ by }) => by));
  return ({ type, parameters }) => {
    const of = undoing.has(type) ? undoParameters.parse(parameters).of : type;
    const undo = byType.get(of);
    return undo && { of, undo };
  };
};

export interface UndoOptions {
  pool: pg.Pool;
  clock: Clock;
  operations: readonly Operation[];
  undoOf: UndoOf;
}

/** The person who undoes a task; only the operator undoes another person's. */
export interface Undoer {
  actor: Actor;
  /** The person and organisation that must own the task. */
  owner?: { userId: string; orgId: number };
}

/**
 * Begins a task that undoes another: it restores the items that are still as that task left them. It is an
 * ordinary task, so it can be undone, too.
 * @throws Failure CB-09-0012 when the person has no such task, CB-09-0023 to CB-09-0025 when it can't be
 * undone, CB-09-0026 for a missing permission
 */
export const createUndo = ({ pool, clock, operations, undoOf }: UndoOptions) => {
  const kinds = new Map(operations.map(({ type, items }) => [type, items]));
  return (
    taskId: number | undefined,
    { actor, owner }: Undoer,
  ): Promise<{ reference_id: string; quantity: number }> =>
    inTransaction(pool, async (tx) => {
      const task = (taskId !== undefined && (await lockOrder(tx, taskId))) || fail('CB-09-0012');
      const { orgId, userId, reference } = task;
      if (owner && (owner.userId !== userId || owner.orgId !== orgId)) fail('CB-09-0012');
      const { of, undo } = undoOf(task) ?? fail('CB-09-0025');
      if (owner) await requirePermission(tx, { ...owner, ...undo.access, refused: 'CB-09-0026' });
      if (task.status === 'processing') fail('CB-09-0023');
      if (await isUndone(tx, task.id)) fail('CB-09-0024');
      const at = clock.now();
      const kind = kinds.get(undo.by);
      if (!kind || !mayBeUndone(task, at)) return fail('CB-09-0025');
      const { waiting, ...started } = await startWork(tx, {
        orgId,
        userId,
        actor,
        type: undo.by,
        remark: reference,
        parameters: { of, reference, acceptedAt: task.startedAt },
        undoes: task.id,
        at,
        kind,
        items: await listChangedItems(tx, task.id),
        access: undo.access,
      });
      await recordAudit(tx, {
        orgId,
        actor,
        at,
        subject: { kind: 'task', id: reference, name: reference },
        after: { task: started.reference_id, items: started.quantity, refused: started.quantity - waiting },
      });
      return started;
    });
};
