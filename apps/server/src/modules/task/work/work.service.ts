import type { ErrorCode } from '@simcube/contract';
import type { TaskType } from '@simcube/contract/task';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import {
  inRepeatableTransaction,
  inTransaction,
  isUnavailableError,
  type Sql,
} from '../../../platform/db/index.ts';
import { Failure } from '../../../platform/http/index.ts';
import { enqueue, type JobContext } from '../../../platform/jobs/index.ts';
import { requirePermission } from '../../org/index.ts';
import type { ItemKind, NewItem } from '../task.items.ts';
import type { FileWork, Operation, TaskAccess } from '../task.operation.ts';
import { referenceOf } from '../task.rules.ts';
import { endTask, startTask, updateTaskProgress } from '../task.service.ts';
import { workJob, workKey } from '../work.job.ts';
import {
  countItems,
  finishItems,
  insertItems,
  listWaiting,
  lockOrder,
  recordFailure,
  recordWait,
  refuseWaiting,
  resetFailures,
  setReport,
} from '../work.queries.ts';
import { createFileMaker } from './file-maker.service.ts';

export interface NewWork {
  orgId: number;
  userId: string;
  actor: Actor;
  type: TaskType;
  /** Shown in the task centre: the operation and its target. */
  remark: string | null;
  parameters: unknown;
  /** The task that this one undoes. */
  undoes?: number;
  at: Date;
}

export interface ItemWork extends NewWork {
  kind: ItemKind;
  items: readonly NewItem[];
  /** What its person must be permitted until it has ended; not required if the operator orders it. Null: nothing. */
  access: TaskAccess | null;
}

const begin = (
  tx: Sql,
  work: NewWork & Partial<Pick<ItemWork, 'access'>>,
  quantity: number,
): Promise<number> =>
  startTask(tx, {
    orgId: work.orgId,
    userId: work.userId,
    type: work.type,
    quantity,
    remark: work.remark,
    parameters: work.parameters,
    undoes: work.undoes,
    actor: work.actor.name,
    traceId: work.actor.traceId,
    keyId: work.actor.kind === 'key' ? work.actor.id : null,
    access: work.actor.kind === 'operator' ? null : (work.access ?? null),
    at: work.at,
  });

const longTaskSize = 1000;
const longTaskQueues = 2;

/** Long work has a separate queue, so that short work and commands to the network never wait behind it. */
const queueWork = (tx: Sql, taskId: number, quantity: number): Promise<void> =>
  enqueue(
    tx,
    workJob,
    { taskId },
    {
      key: workKey(taskId),
      queue: quantity > longTaskSize ? `task.work.${taskId % longTaskQueues}` : undefined,
    },
  );

/**
 * Accepts work on many items in the caller's transaction; it is done after the commit.
 * @returns the response, and the number of pending items
 */
export const startWork = (
  tx: Sql,
  work: ItemWork,
): Promise<{ reference_id: string; quantity: number; waiting: number }> =>
  asSubmission(() => start(tx, work));

/** "Task submission failed" (specification, section 8): nothing was begun, and the error is ours. */
const asSubmission = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure('CB-09-0015', { cause });
  }
};

const start = async (tx: Sql, work: ItemWork): ReturnType<typeof startWork> => {
  const { kind, items, type, at } = work;
  const quantity = items.length;
  const taskId = await begin(tx, work, quantity);
  const waiting = await insertItems(tx, { taskId, kind, items });
  await setReport(tx, taskId, `${type}-${referenceOf(taskId)}`, null);
  if (waiting < quantity)
    await updateTaskProgress(tx, { id: taskId, done: quantity - waiting, quantity, at });
  await queueWork(tx, taskId, quantity);
  return { reference_id: referenceOf(taskId), quantity, waiting };
};

/**
 * Records work that was done before this installation existed, in the caller's transaction.
 * @returns the reference of its task
 */
export const recordWork = async (tx: Sql, work: ItemWork, endedAt: Date): Promise<string> => {
  const { kind, items, type } = work;
  const id = await begin(tx, work, items.length);
  await insertItems(tx, { taskId: id, kind, items });
  await finishItems(tx, id, {
    positions: items.map((_, position) => position),
    codes: items.map(() => null),
    formerStates: items.map(() => undefined),
  });
  await setReport(tx, id, `${type}-${referenceOf(id)}`, null);
  await updateTaskProgress(tx, { id, done: items.length, quantity: items.length, at: endedAt });
  await endByItemResults(tx, id, endedAt);
  return referenceOf(id);
};

/** Accepts work that makes a file; `quantity` is the expected number of rows. */
export const startFileWork = (
  tx: Sql,
  work: NewWork & { quantity: number },
): Promise<{ reference_id: string; quantity: number }> =>
  asSubmission(async () => {
    const taskId = await begin(tx, work, work.quantity);
    await queueWork(tx, taskId, work.quantity);
    return { reference_id: referenceOf(taskId), quantity: work.quantity };
  });

export interface WorkerOptions {
  pool: pg.Pool;
  clock: Clock;
  operations: readonly Operation[];
  fileWorks: readonly FileWork[];
}

/** How often a failed task is left to the queue, which retries later. */
const deferredFailures = 2;

/** Why the task's person may no longer do this work; undefined if it may go on. */
const lostPermission = async (
  tx: Sql,
  { orgId, userId, access }: { orgId: number; userId: string; access: TaskAccess | null },
): Promise<ErrorCode | undefined> => {
  if (!access) return undefined;
  try {
    await requirePermission(tx, { orgId, userId, ...access });
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
};

export type TaskWorker = ReturnType<typeof createWorker>;

/** Ends a task according to the outcome of its items. */
export const endByItemResults = async (tx: Sql, taskId: number, at: Date): Promise<void> => {
  const { done, refused } = await countItems(tx, taskId);
  const result = { accepted: done, duplicate: 0, refused };
  await endTask(tx, { id: taskId, status: refused === 0 ? 'done' : 'issues', result, at });
};

export const createWorker = ({ pool, clock, operations, fileWorks }: WorkerOptions) => {
  const byType = new Map(operations.map((operation) => [operation.type as string, operation]));
  const makeFile = createFileMaker({ pool, clock });
  const filesByType = new Map(fileWorks.map((work) => [work.type as string, work]));

  const operationOf = ({ type }: { type: string }): Operation => {
    const operation = byType.get(type);
    if (!operation) throw new Error(`Nothing does the work ${type}`);
    return operation;
  };

  /**
   * Processes the next items, at most `limit`.
   * @returns whether anything is left to do
   */
  const processChunk = (taskId: number, limit: number): Promise<boolean> =>
    inRepeatableTransaction(pool, async (tx) => {
      const order = await lockOrder(tx, taskId);
      if (order?.status !== 'processing') return false;
      const operation = operationOf(order);
      const now = clock.now();
      const lost = await lostPermission(tx, order);
      if (lost) {
        await refuseWaiting(tx, [taskId], lost);
        await endByItemResults(tx, taskId, now);
        return false;
      }
      const items = await listWaiting(tx, taskId, limit);
      const formerStates = new Map<number, unknown>();
      const refusals =
        items.length === 0
          ? new Map<number, ErrorCode>()
          : await operation.apply(tx, {
              items,
              parameters: operation.parameters.parse(order.parameters),
              order,
              now,
              remember: (position, before) => formerStates.set(position, before),
            });
      await finishItems(tx, taskId, {
        positions: items.map(({ position }) => position),
        codes: items.map(({ position }) => refusals.get(position) ?? null),
        formerStates: items.map(({ position }) => formerStates.get(position)),
      });
      const { done, quantity } = order;
      const undoable = order.undoable + formerStates.size;
      await updateTaskProgress(tx, { id: taskId, done: done + items.length, quantity, undoable, at: now });
      if (items.length === limit) return true;
      await endByItemResults(tx, taskId, now);
      return false;
    });

  /** Refuses the item at which the work always fails, so that the others can be processed. */
  const refuseFirst = (taskId: number): Promise<boolean> =>
    inTransaction(pool, async (tx) => {
      const order = await lockOrder(tx, taskId);
      if (order?.status !== 'processing') return false;
      const [first] = await listWaiting(tx, taskId, 1);
      if (!first) return true;
      const { done, quantity } = order;
      await finishItems(tx, taskId, {
        positions: [first.position],
        codes: ['CB-99-0500'],
        formerStates: [undefined],
      });
      await updateTaskProgress(tx, { id: taskId, done: done + 1, quantity, at: clock.now() });
      return true;
    });

  /**
   * Processes the task in chunks. A chunk that fails is left for later, because the cause may be the database;
   * if it fails repeatedly, it is processed item by item to find the one at fault, and chunks continue after
   * that. An unavailable node of a cluster makes every item fail without any being at fault: such a chunk is
   * retried later without limit, and each attempt counts as a sign of life (`sweepTasks`).
   */
  const processInChunks = async (
    taskId: number,
    chunk: number,
    { signal, log }: JobContext,
  ): Promise<void> => {
    let hasMore = true;
    let singleItemsLeft = 0;
    while (hasMore && !signal.aborted) {
      try {
        hasMore = await processChunk(taskId, singleItemsLeft > 0 ? 1 : chunk);
        if (singleItemsLeft > 0) singleItemsLeft -= 1;
      } catch (error) {
        if (isUnavailableError(error)) {
          await recordWait(pool, taskId, clock.now());
          throw error;
        }
        if (singleItemsLeft > 0) {
          log.error({ err: error, taskId }, 'a task item failed');
          hasMore = await refuseFirst(taskId);
          singleItemsLeft -= 1;
          continue;
        }
        const failures = await recordFailure(pool, taskId, clock.now());
        if (failures <= deferredFailures) throw error;
        log.warn(
          { err: error, taskId, failures },
          'a batch of task items failed; retrying the items one by one',
        );
        singleItemsLeft = chunk;
      }
    }
    if (!hasMore) await resetFailures(pool, taskId);
  };

  return {
    /** Continues a task from its current state. */
    async work(taskId: number, context: JobContext): Promise<void> {
      const order = await inTransaction(pool, (tx) => lockOrder(tx, taskId));
      if (order?.status !== 'processing') return;
      const file = filesByType.get(order.type);
      if (file) await makeFile(order, file, context.signal);
      else await processInChunks(taskId, operationOf(order).chunk, context);
    },
  };
};
