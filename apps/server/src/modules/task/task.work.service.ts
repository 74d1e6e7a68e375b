import type { ErrorCode } from '@simcube/contract';
import type { TaskType } from '@simcube/contract/task';
import type pg from 'pg';
import type { Actor } from '../../platform/access/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { inRepeatableTransaction, inTransaction, type Sql } from '../../platform/db/index.ts';
import { Failure } from '../../platform/http/index.ts';
import { enqueue, type JobContext } from '../../platform/jobs/index.ts';
import type { FileWork, ItemFault, Operation, TaskOrder } from './task.operation.ts';
import { referenceOf } from './task.rules.ts';
import { endTask, moveTask, startTask } from './task.service.ts';
import { workJob } from './task.work.job.ts';
import {
  countItems,
  deleteParts,
  finishItems,
  forgetFailures,
  insertItems,
  insertPart,
  listWaiting,
  lockOrder,
  nameReport,
  noteFailure,
} from './task.work.queries.ts';

export interface NewWork {
  orgId: number;
  userId: string;
  actor: Actor;
  type: TaskType;
  /** Shown in the task centre: what, to whom. */
  remark: string | null;
  parameters: unknown;
  at: Date;
}

export interface WorkOnSims extends NewWork {
  simIds: readonly (number | null)[];
  iccids: readonly string[];
  refused?: ReadonlyMap<number, ErrorCode>;
  inputs?: readonly unknown[];
  /** What is wrong with the values of those that are refused for their own; by index. */
  faults?: ReadonlyMap<number, readonly ItemFault[]>;
  /** Why a SIM that waits in another task is refused. */
  busy?: ErrorCode;
}

const begin = (tx: Sql, work: NewWork, quantity: number): Promise<number> =>
  startTask(tx, {
    orgId: work.orgId,
    userId: work.userId,
    type: work.type,
    quantity,
    remark: work.remark,
    parameters: work.parameters,
    actor: work.actor.name,
    traceId: work.actor.traceId,
    at: work.at,
  });

const longFrom = 1000;
const longAtOnce = 2;

/** Long work stands in line, so that work on a few SIMs, and what tells the network, never wait behind it. */
const queueWork = (tx: Sql, taskId: number, quantity: number): Promise<void> =>
  enqueue(
    tx,
    workJob,
    { taskId },
    {
      key: `task.work:${taskId}`,
      queue: quantity > longFrom ? `task.work.${taskId % longAtOnce}` : undefined,
    },
  );

/**
 * Accepts work on many SIMs in the caller's transaction; it is done, SIM by SIM, after the commit.
 * @returns besides the response, how many SIMs are pending
 */
export const startWork = (
  tx: Sql,
  work: WorkOnSims,
): Promise<{ reference_id: string; quantity: number; waiting: number }> => submitted(() => start(tx, work));

/** "Task submission failed" (specification, section 8): nothing was begun, and the fault is ours. */
const submitted = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure('CB-09-0015', { cause });
  }
};

const start = async (tx: Sql, work: WorkOnSims): ReturnType<typeof startWork> => {
  const quantity = work.iccids.length;
  const taskId = await begin(tx, work, quantity);
  const { simIds, iccids, refused = new Map(), inputs, faults = new Map(), busy = 'CB-01-0011' } = work;
  const waiting = await insertItems(tx, { taskId, simIds, iccids, refused, inputs, faults }, busy);
  await nameReport(tx, taskId, `${work.type}-${referenceOf(taskId)}`, null);
  if (waiting < quantity) await moveTask(tx, { id: taskId, done: quantity - waiting, quantity, at: work.at });
  await queueWork(tx, taskId, quantity);
  return { reference_id: referenceOf(taskId), quantity, waiting };
};

/** Accepts work that makes a file; `quantity` is how many rows it is expected to have. */
export const startFileWork = (
  tx: Sql,
  work: NewWork & { quantity: number },
): Promise<{ reference_id: string; quantity: number }> =>
  submitted(async () => {
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

/** So often a task that broke off is left to the queue, which tries again later. */
const failuresLater = 2;
const partOctets = 256 * 1024;
const movedEveryMs = 500;

export type TaskWorker = ReturnType<typeof createWorker>;

export const createWorker = ({ pool, clock, operations, fileWorks }: WorkerOptions) => {
  const byType = new Map(operations.map((operation) => [operation.type as string, operation]));
  const filesByType = new Map(fileWorks.map((work) => [work.type as string, work]));

  const operationOf = ({ type }: { type: string }): Operation => {
    const operation = byType.get(type);
    if (!operation) throw new Error(`Nothing does the work ${type}`);
    return operation;
  };

  /**
   * Works on the next SIMs, so many at most.
   * @returns whether anything is left to do
   */
  const workChunk = (taskId: number, limit: number): Promise<boolean> =>
    inRepeatableTransaction(pool, async (tx) => {
      const order = await lockOrder(tx, taskId);
      if (order?.status !== 'processing') return false;
      const operation = operationOf(order);
      const now = clock.now();
      const items = await listWaiting(tx, taskId, limit);
      const refusals =
        items.length === 0
          ? new Map<number, ErrorCode>()
          : await operation.apply(tx, {
              items,
              parameters: operation.parameters.parse(order.parameters),
              order,
              now,
            });
      await finishItems(tx, taskId, {
        positions: items.map(({ position }) => position),
        codes: items.map(({ position }) => refusals.get(position) ?? null),
      });
      const { done, quantity } = order;
      await moveTask(tx, { id: taskId, done: done + items.length, quantity, at: now });
      if (items.length === limit) return true;
      await finish(tx, taskId, now);
      return false;
    });

  const finish = async (tx: Sql, taskId: number, now: Date): Promise<void> => {
    const { done, refused } = await countItems(tx, taskId);
    await endTask(tx, {
      id: taskId,
      status: refused === 0 ? 'done' : 'issues',
      result: { accepted: done, duplicate: 0, refused },
      at: now,
    });
  };

  /** The one SIM at which the work breaks off every time is refused, so that the others get their turn. */
  const refuseFirst = (taskId: number): Promise<boolean> =>
    inTransaction(pool, async (tx) => {
      const order = await lockOrder(tx, taskId);
      if (order?.status !== 'processing') return false;
      const [first] = await listWaiting(tx, taskId, 1);
      if (!first) return true;
      const { done, quantity } = order;
      await finishItems(tx, taskId, { positions: [first.position], codes: ['CB-99-0500'] });
      await moveTask(tx, { id: taskId, done: done + 1, quantity, at: clock.now() });
      return true;
    });

  /**
   * Chunk by chunk. One that breaks off is left for later, as it may be the database; one that does so again and again is
   * gone through SIM by SIM, which finds the one that breaks it, and chunks go on behind it.
   */
  const workThrough = async (taskId: number, chunk: number, { signal, log }: JobContext): Promise<void> => {
    let more = true;
    let alone = 0;
    while (more && !signal.aborted) {
      try {
        more = await workChunk(taskId, alone > 0 ? 1 : chunk);
        if (alone > 0) alone -= 1;
      } catch (error) {
        if (alone > 0) {
          log.error({ err: error, taskId }, 'a SIM of a task could not be worked on');
          more = await refuseFirst(taskId);
          alone -= 1;
          continue;
        }
        const failures = await noteFailure(pool, taskId, clock.now());
        if (failures <= failuresLater) throw error;
        log.warn({ err: error, taskId, failures }, 'a part of a task is gone through SIM by SIM');
        alone = chunk;
      }
    }
    if (!more) await forgetFailures(pool, taskId);
  };

  const makeFile = async (order: TaskOrder & { parameters: unknown }, work: FileWork): Promise<void> => {
    const { id: taskId } = order;
    const now = clock.now();
    const parameters = work.parameters.parse(order.parameters);
    await deleteParts(pool, taskId);
    let rows = 0;
    let part = 0;
    let bytes = 0;
    let pieces: Buffer[] = [];
    let held = 0;
    let toldAt = 0;
    const store = async (): Promise<void> => {
      if (held === 0) return;
      await insertPart(pool, taskId, part, Buffer.concat(pieces));
      part += 1;
      bytes += held;
      pieces = [];
      held = 0;
      if (clock.now().getTime() - toldAt < movedEveryMs) return;
      toldAt = clock.now().getTime();
      await inTransaction(pool, (tx) =>
        moveTask(tx, { id: taskId, done: rows, quantity: rows, at: clock.now() }),
      );
    };
    const counted = (count: number): void => {
      rows = count;
    };
    for await (const piece of work.produce({ parameters, order, now, rows: counted })) {
      pieces.push(piece);
      held += piece.length;
      if (held >= partOctets) await store();
    }
    await store();
    await inTransaction(pool, async (tx) => {
      const at = clock.now();
      await moveTask(tx, { id: taskId, done: rows, quantity: rows, at });
      await nameReport(tx, taskId, work.fileName(parameters, now), bytes);
      await endTask(tx, {
        id: taskId,
        status: 'done',
        result: { accepted: rows, duplicate: 0, refused: 0 },
        at,
      });
    });
  };

  return {
    /** Goes on with a task from wherever it is. */
    async work(taskId: number, context: JobContext): Promise<void> {
      const order = await inTransaction(pool, (tx) => lockOrder(tx, taskId));
      if (order?.status !== 'processing') return;
      const file = filesByType.get(order.type);
      if (file) await makeFile(order, file);
      else await workThrough(taskId, operationOf(order).chunk, context);
    },
  };
};
