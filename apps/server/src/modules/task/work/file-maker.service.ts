import { limits } from '@simcube/contract';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { inParts } from '../../../platform/files/index.ts';
import type { FileWork, TaskOrder } from '../task.operation.ts';
import { endTask, updateTaskProgress } from '../task.service.ts';
import {
  deleteParts,
  deleteUnfinished,
  insertPart,
  keepRange,
  lockOrder,
  newRange,
  setReport,
} from '../work.queries.ts';

const progressIntervalMs = 500;

type OrderedFile = TaskOrder & { parameters: unknown };

/**
 * Makes the file of a task from the beginning; parts of an earlier attempt are deleted, which then can't finish if it is still
 * running. Nothing is stored for a task that has ended in the meantime, or for a file that has grown beyond the maximum since it was
 * ordered: a file without some rows would be wrong.
 */
export const createFileMaker =
  ({ pool, clock }: { pool: pg.Pool; clock: Clock }) =>
  async (order: OrderedFile, work: FileWork, signal: AbortSignal): Promise<void> => {
    const { id: taskId } = order;
    const now = clock.now();
    const parameters = work.parameters.parse(order.parameters);
    await deleteUnfinished(pool, taskId);
    const first = newRange();
    let rows = 0;
    let part = 0;
    let bytes = 0;
    let reportedAt = 0;
    const setRows = (count: number): void => {
      rows = count;
    };
    /** @returns whether the task is still processing */
    const reportProgress = async (): Promise<boolean> => {
      if (clock.now().getTime() - reportedAt < progressIntervalMs) return true;
      reportedAt = clock.now().getTime();
      return inTransaction(pool, (tx) =>
        updateTaskProgress(tx, { id: taskId, done: rows, quantity: rows, at: clock.now() }),
      );
    };
    for await (const octets of inParts(work.produce({ parameters, order, now, reportRows: setRows }))) {
      signal.throwIfAborted();
      await insertPart(pool, taskId, first + part, octets);
      part += 1;
      bytes += octets.length;
      if (!(await reportProgress())) return deleteUnfinished(pool, taskId, first);
    }
    await inTransaction(pool, async (tx) => {
      if ((await lockOrder(tx, taskId))?.status !== 'processing') return deleteUnfinished(tx, taskId, first);
      const at = clock.now();
      await updateTaskProgress(tx, { id: taskId, done: rows, quantity: rows, at });
      if (rows > limits.exportRows) {
        await deleteParts(tx, taskId);
        const result = { accepted: 0, duplicate: 0, refused: rows };
        return endTask(tx, { id: taskId, status: 'issues', result, at });
      }
      if ((await keepRange(tx, taskId, first)) !== part) throw new Error('A later attempt makes the file');
      await setReport(tx, taskId, work.fileName(parameters, now), bytes);
      const result = { accepted: rows, duplicate: 0, refused: 0 };
      await endTask(tx, { id: taskId, status: 'done', result, at });
    });
  };
