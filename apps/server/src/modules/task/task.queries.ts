import type { FileFormat, TaskResult, TaskStatus, TaskType } from '@simcube/contract/task';
import type { Sql } from '../../platform/db/index.ts';
import type { TaskAccess } from './task.operation.ts';

export interface TaskProgress {
  id: number;
  orgId: number;
  userId: string;
  type: TaskType;
  status: TaskStatus;
  done: number;
  quantity: number;
}

const progressColumns = `id, org_id as "orgId", user_id as "userId", type, status, done, quantity`;

export interface NewTask {
  orgId: number;
  userId: string;
  type: TaskType;
  quantity: number;
  remark: string | null;
  /** Parameters of the work, by type. */
  parameters?: unknown;
  /** Who ordered it, for the events of its changes. */
  actor?: string | null;
  traceId?: string | null;
  /** The API key that ordered it. */
  keyId?: string | null;
  /** The permission that its person needs until it has ended. */
  access?: TaskAccess | null;
  /** The task that this one undoes. */
  undoes?: number | undefined;
  at: Date;
}

export const insertTask = async (tx: Sql, task: NewTask): Promise<TaskProgress[]> =>
  (
    await tx.query<TaskProgress>(
      `insert into tasks (org_id, user_id, type, quantity, remark, started_at, moved_at, parameters, actor, trace_id, undoes,
         key_id, access)
       values ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10, $11, $12) returning ${progressColumns}`,
      [
        task.orgId,
        task.userId,
        task.type,
        task.quantity,
        task.remark,
        task.at,
        JSON.stringify(task.parameters ?? {}),
        task.actor ?? null,
        task.traceId ?? null,
        task.undoes ?? null,
        task.keyId ?? null,
        task.access ? JSON.stringify(task.access) : null,
      ],
    )
  ).rows;

export interface ProgressUpdate {
  id: number;
  done: number;
  quantity: number;
  /** Number of items changed in a way that can be undone; unchanged if omitted. */
  undoable?: number;
  at: Date;
}

/** @returns undefined when the task has ended */
export const updateProgress = async (
  tx: Sql,
  { id, done, quantity, undoable, at }: ProgressUpdate,
): Promise<TaskProgress[]> =>
  (
    await tx.query<TaskProgress>(
      `update tasks set done = $2, quantity = greatest($3, $2::bigint), moved_at = $4,
         undoable = coalesce($5, undoable)
       where id = $1 and status = 'processing' returning ${progressColumns}`,
      [id, done, quantity, at, undoable ?? null],
    )
  ).rows;

export interface TaskEnd {
  id: number;
  status: Exclude<TaskStatus, 'processing'>;
  result: TaskResult | null;
  at: Date;
}

/**
 * Ends a task. One that was to undo another, but changed nothing, does not count as undoing it: that can be repeated.
 * @returns undefined when the task has already ended
 */
export const updateEnd = async (tx: Sql, { id, status, result, at }: TaskEnd): Promise<TaskProgress[]> =>
  (
    await tx.query<TaskProgress>(
      `update tasks set status = $2, result = $3, ended_at = $4, moved_at = $4,
         undoes = case when $3::jsonb -> 'accepted' = '0' then null else undoes end
       where id = $1 and status = 'processing' returning ${progressColumns}`,
      [id, status, result, at],
    )
  ).rows;

/** Tasks without progress since then. */
export const listStalledTasks = async (tx: Sql, since: Date): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(`select id from tasks where status = 'processing' and moved_at < $1`, [
      since,
    ])
  ).rows.map(({ id }) => id);

/** Ends those of the tasks without progress since then. */
export const endStalledTasks = async (
  tx: Sql,
  { ids, since, at }: { ids: readonly number[]; since: Date; at: Date },
): Promise<TaskProgress[]> =>
  (
    await tx.query<TaskProgress>(
      `update tasks set status = 'issues', ended_at = $3
       where id = any($1::bigint[]) and status = 'processing' and moved_at < $2 returning ${progressColumns}`,
      [ids, since, at],
    )
  ).rows;

export const insertDownloadToken = async (
  sql: Sql,
  token: { hash: Buffer; taskId: number; format: FileFormat; expiresAt: Date; keyId: string | null },
): Promise<void> => {
  await sql.query(
    'insert into download_tokens (token_hash, task_id, format, expires_at, key_id) values ($1, $2, $3, $4, $5)',
    [token.hash, token.taskId, token.format, token.expiresAt, token.keyId],
  );
};

export interface UsedToken {
  format: FileFormat;
  /** The API key that made it. */
  keyId: string | null;
  type: TaskType;
  userId: string;
  tenantId: string;
}

/** Uses up a token: of two concurrent requests, one gets it. */
export const consumeDownloadToken = async (
  sql: Sql,
  { hash, taskId, now }: { hash: Buffer; taskId: number; now: Date },
): Promise<UsedToken | undefined> =>
  (
    await sql.query<UsedToken>(
      `delete from download_tokens d
       using tasks t join users u on u.id = t.user_id join organisations o on o.id = t.org_id
       where d.token_hash = $1 and d.task_id = $2 and d.expires_at > $3 and t.id = d.task_id
         and u.disabled_at is null
       returning d.format, d.key_id as "keyId", t.type, t.user_id as "userId", o.tenant_id as "tenantId"`,
      [hash, taskId, now],
    )
  ).rows[0];

/** Items of old tasks deleted by one statement, so that none takes long. */
const purgeBatchSize = 10_000;

/** Tasks are stored for support after people no longer see them; files, tokens and data for undoing are not. */
export const purgeOldTasks = async (
  sql: Sql,
  before: { tasks: Date; files: Date; undo: Date; tokens: Date },
): Promise<void> => {
  await sql.query('delete from download_tokens where expires_at < $1', [before.tokens]);
  await sql.query(
    `delete from task_files where task_id in (select id from tasks where ended_at < $1 and report_bytes is not null)`,
    [before.files],
  );
  await sql.query(
    `update tasks set report_name = null, report_bytes = null where ended_at < $1 and report_bytes is not null`,
    [before.files],
  );
  await inBatches(sql, {
    text: `update task_items set before = null where (task_id, position) in (
         select i.task_id, i.position from tasks t join task_items i on i.task_id = t.id
         where t.ended_at < $1 and t.undoable > 0 and i.before is not null limit ${purgeBatchSize})`,
    values: [before.undo],
  });
  await sql.query('update tasks set undoable = 0 where ended_at < $1 and undoable > 0', [before.undo]);
  await inBatches(sql, {
    text: `delete from task_items where (task_id, position) in (
         select i.task_id, i.position from tasks t join task_items i on i.task_id = t.id
         where t.ended_at < $1 limit ${purgeBatchSize})`,
    values: [before.tasks],
  });
  await sql.query('delete from tasks where ended_at < $1', [before.tasks]);
};

/** Repeats a statement that affects at most `purgeBatchSize` rows until it finds fewer. */
const inBatches = async (sql: Sql, statement: { text: string; values: unknown[] }): Promise<void> => {
  for (let affected: number = purgeBatchSize; affected === purgeBatchSize; ) {
    affected = (await sql.query(statement.text, statement.values)).rowCount ?? 0;
  }
};
