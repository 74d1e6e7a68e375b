import { limits } from '@simcube/contract';
import type { TaskResult, TaskType } from '@simcube/contract/task';
import { dayMs, hourMs } from '@simcube/contract/time';
import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../platform/db/index.ts';
import { findDueKeys } from '../../platform/jobs/index.ts';
import { emitMany } from '../../platform/outbox/index.ts';
import { taskProgressed } from './task.events.ts';
import {
  endStalledTasks,
  insertTask,
  listStalledTasks,
  type NewTask,
  type ProgressUpdate,
  purgeOldTasks,
  type TaskEnd,
  type TaskProgress,
  updateEnd,
  updateProgress,
} from './task.queries.ts';
import { referenceOf } from './task.rules.ts';
import { findDefaultMembership } from './task.views.ts';
import { workKey } from './work.job.ts';
import { refuseWaiting } from './work.queries.ts';

const emitProgress = (tx: Sql, tasks: readonly TaskProgress[]): Promise<void> =>
  emitMany(
    tx,
    taskProgressed,
    tasks.map(({ id, orgId, ...rest }) => ({ orgId, payload: { reference: referenceOf(id), ...rest } })),
  );

/** @returns the id for progress and end */
export const startTask = async (tx: Sql, task: NewTask): Promise<number> => {
  const [inserted] = await insertTask(tx, task);
  if (!inserted) throw new Error('The task was not recorded');
  await emitProgress(tx, [inserted]);
  return inserted.id;
};

/** @returns false when the task has ended: nothing was changed */
export const updateTaskProgress = async (tx: Sql, progress: ProgressUpdate): Promise<boolean> => {
  const updated = await updateProgress(tx, progress);
  await emitProgress(tx, updated);
  return updated.length > 0;
};

/** Only the first end of a task takes effect. */
export const endTask = async (tx: Sql, end: TaskEnd): Promise<void> =>
  emitProgress(tx, await updateEnd(tx, end));

/** Longer than any step of work takes. */
const stalledAfterMs = hourMs;

/**
 * Tasks of processes that died would stay "processing", and their items busy, forever. Tasks that wait for a
 * worker are not ended, however long that takes.
 */
export const sweepTasks = ({ pool, clock }: { pool: pg.Pool; clock: Clock }): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const at = clock.now();
    const since = new Date(at.getTime() - stalledAfterMs);
    const stalled = await listStalledTasks(tx, since);
    const due = await findDueKeys(tx, stalled.map(workKey));
    const ids = stalled.filter((id) => !due.has(workKey(id)));
    const ended = await endStalledTasks(tx, { ids, since, at });
    await refuseWaiting(
      tx,
      ended.map(({ id }) => id),
      'CB-99-0500',
    );
    await emitProgress(tx, ended);
  });

/** For support, long after people no longer see them. */
const retentionDays = 90;

export const purgeTasks = ({ pool, clock }: { pool: pg.Pool; clock: Clock }): Promise<void> => {
  const now = clock.now();
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);
  return purgeOldTasks(pool, {
    tasks: daysAgo(retentionDays),
    files: daysAgo(limits.taskReportDays),
    undo: daysAgo(limits.taskUndoDays),
    tokens: now,
  });
};

/** A task as seen by the work that it shows. */
export interface TaskHandle {
  reportProgress(progress: { done: number; quantity: number }): Promise<void>;
  /** Without a result: the work failed. */
  finish(result: TaskResult | null): Promise<void>;
}

export interface PersonTask {
  email: string;
  type: TaskType;
  quantity: number;
  remark: string | null;
}

/**
 * Begins a task of the person with this address in the person's default organisation, for the work of a
 * command.
 * @throws Error if the person is unknown or has no organisation
 */
export const beginTaskForPerson = async (
  { pool, clock }: { pool: pg.Pool; clock: Clock },
  { email, ...task }: PersonTask,
): Promise<TaskHandle> => {
  const owner = await findDefaultMembership(pool, email);
  if (!owner) throw new Error(`No person with the email address ${email} belongs to an organisation`);
  const id = await inTransaction(pool, (tx) => startTask(tx, { ...owner, ...task, at: clock.now() }));
  return {
    reportProgress: async (progress) => {
      await inTransaction(pool, (tx) => updateTaskProgress(tx, { id, ...progress, at: clock.now() }));
    },
    finish: (result) =>
      inTransaction(pool, (tx) =>
        endTask(tx, { id, status: result?.refused === 0 ? 'done' : 'issues', result, at: clock.now() }),
      ),
  };
};
