import { limits } from '@simcube/contract';
import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { inParts } from '../../platform/files/index.ts';
import type { FileWork, TaskOrder } from './task.operation.ts';
import { endTask, updateTaskProgress } from './task.service.ts';
import { deleteParts, insertPart, lockOrder, setReport } from './task.work.queries.ts';

const progressIntervalMs = 500;

type OrderedFile = TaskOrder & { parameters: unknown };

/**
 * Makes the file of a task from the beginning; parts of an earlier attempt are deleted. Nothing is stored for a
 * task that has ended in the meantime, or for a file that has grown beyond the maximum since it was ordered: a
 * file without some rows would be wrong.
 */
export const createFileMaker =
  ({ pool, clock }: { pool: pg.Pool; clock: Clock }) =>
  async (order: OrderedFile, work: FileWork): Promise<void> => {
    const { id: taskId } = order;
    const now = clock.now();
    const parameters = work.parameters.parse(order.parameters);
    await deleteParts(pool, taskId);
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
      await insertPart(pool, taskId, part, octets);
      part += 1;
      bytes += octets.length;
      if (!(await reportProgress())) return deleteParts(pool, taskId);
    }
    await inTransaction(pool, async (tx) => {
      if ((await lockOrder(tx, taskId))?.status !== 'processing') return deleteParts(tx, taskId);
      const at = clock.now();
      await updateTaskProgress(tx, { id: taskId, done: rows, quantity: rows, at });
      if (rows > limits.exportRows) {
        await deleteParts(tx, taskId);
        const result = { accepted: 0, duplicate: 0, refused: rows };
        return endTask(tx, { id: taskId, status: 'issues', result, at });
      }
      await setReport(tx, taskId, work.fileName(parameters, now), bytes);
      const result = { accepted: rows, duplicate: 0, refused: 0 };
      await endTask(tx, { id: taskId, status: 'done', result, at });
    });
  };
