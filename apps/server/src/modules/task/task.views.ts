import type { ErrorCode } from '@simcube/contract';
import type { Task, TaskItem, TaskStatus, TaskType } from '@simcube/contract/task';
import type { Sql } from '../../platform/db/index.ts';
import type { ItemFault } from './task.items.ts';
import { itemStates, referenceOf } from './task.rules.ts';

/** Where a page of the list ended: the start of its last task, and its id. */
export type TaskPosition = [startedAt: string, id: number];

interface Mine {
  userId: string;
  orgId: number;
  /** Older tasks are not listed. */
  since: Date;
  status: TaskStatus | undefined;
}

interface MineQuery extends Mine {
  now: Date;
  limit: number;
  offset: number;
  after: TaskPosition | undefined;
}

const mine = `from tasks where user_id = $1 and org_id = $2 and started_at >= $3 and ($4::text is null or status = $4)`;

export const listMine = async (
  sql: Sql,
  query: MineQuery,
): Promise<{ task: StoredTask; position: TaskPosition }[]> => {
  const { userId, orgId, since, status, now, limit, offset, after } = query;
  const { rows } = await sql.query(
    `select ${shown} ${mine}
       and ($5::timestamptz is null or (started_at, id) < ($5, $6))
     order by started_at desc, id desc limit $7 offset $8`,
    [userId, orgId, since, status ?? null, after?.[0] ?? null, after?.[1] ?? null, limit, offset],
  );
  return rows.map((row) => ({
    task: taskOf(row, now),
    position: [row.started_at.toISOString(), row.id],
  }));
};

const shown = `id, type, quantity, done, remark, status, started_at, ended_at, result, report_name, report_bytes`;

interface ShownRow {
  id: number;
  type: Task['type'];
  quantity: number;
  done: number;
  remark: string | null;
  status: TaskStatus;
  started_at: Date;
  ended_at: Date | null;
  result: Task['result'];
  report_name: string | null;
  report_bytes: number | null;
}

/** A task without what its type says of its items. */
export type StoredTask = Omit<Task, 'item_kind'>;

const taskOf = (row: ShownRow, now: Date): StoredTask => ({
  reference_id: referenceOf(row.id),
  type: row.type,
  quantity: row.quantity,
  done: row.done,
  remark: row.remark,
  status: row.status,
  started_at: row.started_at.toISOString(),
  ended_at: row.ended_at?.toISOString() ?? null,
  elapsed_seconds: secondsBetween(row.started_at, row.ended_at ?? now),
  result: row.result,
  report: row.report_name && row.ended_at ? { file_name: row.report_name, bytes: row.report_bytes } : null,
});

/** One task of a person, whatever its age. */
export const findMine = async (
  sql: Sql,
  { id, userId, orgId, now }: { id: number; userId: string; orgId: number; now: Date },
): Promise<StoredTask | undefined> => {
  const { rows } = await sql.query<ShownRow>(
    `select ${shown} from tasks where id = $1 and user_id = $2 and org_id = $3`,
    [id, userId, orgId],
  );
  const [row] = rows;
  return row && taskOf(row, now);
};

export interface ItemRow {
  position: number;
  ref: number | null;
  label: string;
  input: unknown;
  state: TaskItem['state'];
  code: ErrorCode | null;
  faults: readonly ItemFault[] | null;
}

const stateNumbers: Readonly<Record<TaskItem['state'], number>> = itemStates;
const stateNames = (Object.keys(itemStates) as TaskItem['state'][]).toSorted(
  (a, b) => stateNumbers[a] - stateNumbers[b],
);

/** Items of a task in their order, after a position. */
export const listItems = async (
  sql: Sql,
  query: {
    taskId: number;
    state: TaskItem['state'] | undefined;
    after: number;
    offset: number;
    limit: number;
  },
): Promise<ItemRow[]> => {
  const { taskId, state, after, offset, limit } = query;
  const { rows } = await sql.query<Omit<ItemRow, 'state'> & { state: number }>(
    `select position, ref, label, input, state, code, faults from task_items
     where task_id = $1 and ($2::smallint is null or state = $2) and position > $3
     order by position limit $4 offset $5`,
    [taskId, state === undefined ? null : stateNumbers[state], after, limit, offset],
  );
  return rows.map((row) => ({ ...row, state: stateNames[row.state] ?? 'waiting' }));
};

export const countItemsIn = async (
  sql: Sql,
  { taskId, state }: { taskId: number; state: TaskItem['state'] | undefined },
): Promise<number> =>
  (
    await sql.query<{ count: number }>(
      `select count(*)::int as count from task_items where task_id = $1 and ($2::smallint is null or state = $2)`,
      [taskId, state === undefined ? null : stateNumbers[state]],
    )
  ).rows[0]?.count ?? 0;

/** The report of a task that has ended: a file that it made (`bytes` is set), or one row for each of its items. */
export const findReport = async (
  sql: Sql,
  taskId: number,
): Promise<{ type: TaskType; name: string; bytes: number | null } | undefined> =>
  (
    await sql.query<{ type: TaskType; name: string; bytes: number | null }>(
      `select type, report_name as name, report_bytes as bytes from tasks
       where id = $1 and ended_at is not null and report_name is not null`,
      [taskId],
    )
  ).rows[0];

export const findPart = async (sql: Sql, taskId: number, part: number): Promise<Buffer | undefined> =>
  (
    await sql.query<{ content: Buffer }>('select content from task_files where task_id = $1 and part = $2', [
      taskId,
      part,
    ])
  ).rows[0]?.content;

/** Never negative, whatever the clocks of two processes say. */
const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1000));

export const countMine = async (sql: Sql, { userId, orgId, since, status }: Mine): Promise<number> =>
  (
    await sql.query<{ count: number }>(`select count(*)::int as count ${mine}`, [
      userId,
      orgId,
      since,
      status ?? null,
    ])
  ).rows[0]?.count ?? 0;

/** Whose task a command begins, and where: the person's default organisation. */
export const findDefaultMembership = async (
  sql: Sql,
  email: string,
): Promise<{ userId: string; orgId: number; orgCode: string } | undefined> =>
  (
    await sql.query<{ userId: string; orgId: number; orgCode: string }>(
      `select u.id as "userId", m.org_id as "orgId", o.code as "orgCode"
       from users u join memberships m on m.user_id = u.id join organisations o on o.id = m.org_id
       where lower(u.email) = lower($1) and m.is_default`,
      [email],
    )
  ).rows[0];

export interface TaskLine {
  reference: string;
  organisation: string;
  email: string;
  type: string;
  status: TaskStatus;
  done: number;
  quantity: number;
  startedAt: Date;
  endedAt: Date | null;
}

/** Tasks of everybody, for the operator's command line, the newest first. */
export const listTasks = async (
  sql: Sql,
  {
    status,
    organisation,
    limit,
  }: { status: string | undefined; organisation: string | undefined; limit: number },
): Promise<TaskLine[]> =>
  (
    await sql.query(
      `select t.id, o.code as organisation, u.email, t.type, t.status, t.done, t.quantity,
         t.started_at as "startedAt", t.ended_at as "endedAt"
       from tasks t join organisations o on o.id = t.org_id join users u on u.id = t.user_id
       where ($1::text is null or t.status = $1) and ($2::text is null or lower(o.code) = lower($2))
       order by t.started_at desc, t.id desc limit $3`,
      [status ?? null, organisation ?? null, limit],
    )
  ).rows.map(({ id, ...line }) => ({ reference: referenceOf(id), ...line }));
