import { type ErrorCode, limits } from '@simcube/contract';
import type { Task, TaskItem, TaskStatus, TaskType } from '@simcube/contract/task';
import { dayMs } from '@simcube/contract/time';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Sql } from '../../platform/db/index.ts';
import type { List } from '../../platform/lists/index.ts';
import type { ItemFault } from './task.items.ts';
import { idOfReference, itemStates, mayBeUndone, referenceOf } from './task.rules.ts';

const taskColumns = `id, type, quantity, done, remark, status, started_at, ended_at, result, report_name, report_bytes,
  parameters, undoable, undoes, (select u.id from tasks u where u.undoes = tasks.id) as undone_by`;

interface TaskRow {
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
  parameters: unknown;
  undoable: number;
  undoes: number | null;
  undone_by: number | null;
}

/** A task without the fields that follow from its type: the kind of its items, and who may undo it. */
export interface StoredTask extends Omit<Task, 'item_kind'> {
  parameters: unknown;
}

const toStoredTask = (row: TaskRow, now: Date): StoredTask => ({
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
  undoable: row.undone_by === null && mayBeUndone({ undoable: row.undoable, endedAt: row.ended_at }, now),
  undone_by: referenceOrNull(row.undone_by),
  undoes: referenceOrNull(row.undoes),
  parameters: row.parameters,
});

const referenceOrNull = (id: number | null): string | null => (id === null ? null : referenceOf(id));

/** The owner of the tasks. */
export interface TaskOwner {
  userId: string;
  orgId: number;
  /** Set if a key sees only those that it ordered itself. */
  keyId: string | undefined;
}

/** Recent tasks that a person, or a key, ordered in an organisation, the newest first. */
export const myTasks: List<TaskOwner, { status?: TaskStatus | undefined }, TaskRow, StoredTask> = {
  name: 'task.mine',
  tables: [
    {
      name: 'tasks',
      from: () => sql`tasks`,
      inScope: ({ scope: { userId, orgId, keyId }, now }) => sql`user_id = ${userId} and org_id = ${orgId}
        and ${keyId === undefined ? sql`true` : sql`key_id = ${keyId}`} and started_at >= ${new Date(now.getTime() - limits.taskListDays * dayMs)}`,
    },
  ],
  key: { column: 'id', type: 'integer' },
  order: [{ column: 'started_at', type: 'instant', descending: true }],
  filters: { status: (status) => sql`status = ${status}` },
  countLimit: 'all',
  select: sql.raw(taskColumns),
  show: (rows, { now }) => rows.map((row) => toStoredTask(row, now)),
};

/** One task of a person, or of a key, whatever its age. */
export const findOwnTask = async (
  db: Sql,
  { id, userId, orgId, keyId, now }: TaskOwner & { id: number; now: Date },
): Promise<StoredTask | undefined> => {
  const { rows } = await db.query<TaskRow>(
    `select ${taskColumns} from tasks
     where id = $1 and user_id = $2 and org_id = $3 and ($4::uuid is null or key_id = $4)`,
    [id, userId, orgId, keyId ?? null],
  );
  const [row] = rows;
  return row && toStoredTask(row, now);
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

/** Items of a task in their order. */
export const itemList: List<
  { taskId: number },
  { state?: TaskItem['state'] | undefined },
  Omit<ItemRow, 'state'> & { state: number },
  ItemRow
> = {
  name: 'task.items',
  tables: [
    { name: 'items', from: () => sql`task_items`, inScope: ({ scope }) => sql`task_id = ${scope.taskId}` },
  ],
  key: { column: 'position', type: 'integer' },
  order: [],
  filters: { state: (state) => sql`state = ${stateNumbers[state]}` },
  countLimit: 'all',
  select: sql`position, ref, label, input, state, code, faults`,
  show: (rows) =>
    rows.map(({ position, ref, label, input, state, code, faults }) => ({
      position,
      ref,
      label,
      input,
      state: stateNames[state] ?? 'waiting',
      code,
      faults,
    })),
};

/** The things of some kinds (by name) that a task of an organisation is about; undefined if it has no such task. */
export const findTaskItems = async (
  db: Db,
  { reference, orgId, kinds }: { reference: string; orgId: number; kinds: readonly string[] },
): Promise<{ refs: RawBuilder<unknown>; quantity: number; acceptedAt: Date } | undefined> => {
  const { rows } = await sql<{ id: number; quantity: number; acceptedAt: Date }>`
    select id, quantity, started_at as "acceptedAt" from tasks
    where id = ${idOfReference(reference) ?? null} and org_id = ${orgId}`.execute(db);
  const [task] = rows;
  return (
    task && {
      ...task,
      refs: sql`select ref from task_items where task_id = ${task.id} and kind = any(${kinds}) and ref is not null`,
    }
  );
};

/** The report of an ended task: a file that it made (`bytes` is set), or one row for each of its items. */
export const findReport = async (
  db: Sql,
  taskId: number,
): Promise<{ type: TaskType; name: string; bytes: number | null } | undefined> =>
  (
    await db.query<{ type: TaskType; name: string; bytes: number | null }>(
      `select type, report_name as name, report_bytes as bytes from tasks
       where id = $1 and ended_at is not null and report_name is not null`,
      [taskId],
    )
  ).rows[0];

export const findPart = async (db: Sql, taskId: number, part: number): Promise<Buffer | undefined> =>
  (
    await db.query<{ content: Buffer }>('select content from task_files where task_id = $1 and part = $2', [
      taskId,
      part,
    ])
  ).rows[0]?.content;

/** Never negative, even if the clocks of two processes differ. */
const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1000));

/** The person of a command's task, and the person's default organisation. */
export const findDefaultMembership = async (
  db: Sql,
  email: string,
): Promise<{ userId: string; orgId: number; orgCode: string } | undefined> =>
  (
    await db.query<{ userId: string; orgId: number; orgCode: string }>(
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

interface TaskListQuery {
  id?: number;
  status?: string | undefined;
  orgId?: number | undefined;
  limit: number;
}

/** Tasks of all people, for the operator's command line, the newest first. */
export const listTasks = async (db: Sql, { id, status, orgId, limit }: TaskListQuery): Promise<TaskLine[]> =>
  (
    await db.query(
      `select t.id, o.code as organisation, u.email, t.type, t.status, t.done, t.quantity,
         t.started_at as "startedAt", t.ended_at as "endedAt"
       from tasks t join organisations o on o.id = t.org_id join users u on u.id = t.user_id
       where ($1::text is null or t.status = $1) and ($2::bigint is null or t.org_id = $2)
         and ($3::bigint is null or t.id = $3)
       order by t.started_at desc, t.id desc limit $4`,
      [status ?? null, orgId ?? null, id ?? null, limit],
    )
  ).rows.map(({ id: taskId, ...line }) => ({ reference: referenceOf(taskId), ...line }));

/** Those of the tasks, by reference, that have not ended. */
export const listProcessing = async (db: Sql, references: readonly string[]): Promise<Set<string>> => {
  const ids = references.flatMap((reference) => idOfReference(reference) ?? []);
  const { rows } = await db.query<{ id: number }>(
    `select id from tasks where id = any($1::bigint[]) and status = 'processing'`,
    [ids],
  );
  return new Set(rows.map(({ id }) => referenceOf(id)));
};

/** The number of refused items of a task, by reason. */
export const countRefusals = async (db: Sql, reference: string): Promise<Map<ErrorCode, number>> => {
  const { rows } = await db.query<{ code: ErrorCode; items: number }>(
    `select code, count(*)::int as items from task_items
     where task_id = $1 and state = ${itemStates.refused} group by code`,
    [idOfReference(reference) ?? 0],
  );
  return new Map(rows.map(({ code, items }) => [code, items]));
};

/** The refused items of a task, by the thing's number, and why. */
export const listRefusals = async (db: Sql, reference: string): Promise<Map<number, ErrorCode>> => {
  const { rows } = await db.query<{ ref: number; code: ErrorCode }>(
    'select ref, code from task_items where task_id = $1 and code is not null and ref is not null',
    [idOfReference(reference) ?? null],
  );
  return new Map(rows.map(({ ref, code }) => [ref, code]));
};

/** Numbers of tasks by type and state; the oldest shows a task that is stuck. */
export const countTasks = async (
  db: Sql,
): Promise<
  { type: TaskType; status: TaskStatus; count: number; oldestStartedAt: Date; oldestMovedAt: Date }[]
> =>
  (
    await db.query(
      `select type, status, count(*), min(started_at) as "oldestStartedAt", min(moved_at) as "oldestMovedAt"
       from tasks group by type, status order by type, status`,
    )
  ).rows;
