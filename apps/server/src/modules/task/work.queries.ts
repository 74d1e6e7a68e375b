import { randomInt } from 'node:crypto';
import type { ErrorCode } from '@simcube/contract';
import type { TaskType } from '@simcube/contract/task';
import { int8Column, type Sql, textColumn } from '../../platform/db/index.ts';
import type { ItemKind, NewItem, WaitingItem } from './task.items.ts';
import type { TaskAccess, TaskOrder } from './task.operation.ts';
import { itemStates, referenceOf } from './task.rules.ts';

export interface NewItems {
  taskId: number;
  kind: ItemKind;
  items: readonly NewItem[];
}

/**
 * Adds the items of a task; positions are their order, from 0. A thing pending in another task is refused as
 * busy: the unique index over pending things decides, so two concurrent tasks can't both get it.
 * @returns the number of pending items
 */
export const insertItems = async (tx: Sql, { taskId, kind, items }: NewItems): Promise<number> => {
  const values = [
    taskId,
    kind.name,
    int8Column(items, ({ ref }) => ref),
    textColumn(items, ({ label }) => label),
    textColumn(items, ({ refused }) => refused ?? null),
    textColumn(items, ({ input }) => jsonOf(input)),
    textColumn(items, ({ faults }) => jsonOf(faults)),
  ];
  const given = `unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[]) with ordinality
    as given (ref, label, code, input, faults, position)`;
  const { rowCount } = await tx.query(
    `insert into task_items (task_id, position, kind, ref, label, input)
     select $1, position - 1, $2, ref, label, input::jsonb from ${given} where code is null
     -- In one order everywhere, so that two tasks that come together don't wait for each other in a circle.
     order by ref
     on conflict (ref, kind) where state = 0 and ref is not null do nothing`,
    values,
  );
  if (rowCount === items.length) return rowCount;
  await tx.query(
    `insert into task_items (task_id, position, kind, ref, label, input, faults, state, code)
     select $1, position - 1, $2, ref, label, input::jsonb, faults::jsonb, ${itemStates.refused}, coalesce(code, $8)
     from ${given}
     on conflict (task_id, position) do nothing`,
    [...values, kind.busy],
  );
  return rowCount ?? 0;
};

/** Those of the things that are pending in a task, or in one of a type. */
export const listBusy = async (
  sql: Sql,
  { kind, refs, type }: { kind: ItemKind; refs: readonly number[]; type?: TaskType },
): Promise<Set<number>> => {
  const { rows } = await sql.query<[number]>({
    text: `select i.ref from task_items i
           where i.state = ${itemStates.waiting} and i.kind = $1 and i.ref = any($2::bigint[])
             ${type ? 'and exists (select from tasks t where t.id = i.task_id and t.type = $3)' : ''}`,
    values: [kind.name, int8Column(refs, (ref) => ref), ...(type ? [type] : [])],
    rowMode: 'array',
  });
  return new Set(rows.map(([ref]) => ref));
};

interface OrderRow extends TaskOrder {
  type: TaskType;
  parameters: unknown;
  status: string;
  done: number;
  quantity: number;
  endedAt: Date | null;
  /** Number of items changed in a way that can be undone. */
  undoable: number;
  access: TaskAccess | null;
}

/** The task of a job, locked, so that only one of two workers continues. */
export const lockOrder = async (tx: Sql, taskId: number): Promise<OrderRow | undefined> => {
  const { rows } = await tx.query(
    `select id, org_id, user_id, type, parameters, actor, trace_id, status, done, quantity, started_at, ended_at,
       undoable, access
     from tasks where id = $1 for update`,
    [taskId],
  );
  const [row] = rows;
  return (
    row && {
      id: row.id,
      orgId: row.org_id,
      userId: row.user_id,
      reference: referenceOf(row.id),
      type: row.type,
      parameters: row.parameters,
      actor: row.actor,
      traceId: row.trace_id,
      status: row.status,
      done: row.done,
      quantity: row.quantity,
      startedAt: row.started_at,
      endedAt: row.ended_at,
      undoable: row.undoable,
      access: row.access,
    }
  );
};

export const listWaiting = async (tx: Sql, taskId: number, limit: number): Promise<WaitingItem[]> =>
  (
    await tx.query<WaitingItem>(
      `select position, ref, label, input from task_items
       where task_id = $1 and state = ${itemStates.waiting} order by position limit $2`,
      [taskId, limit],
    )
  ).rows;

export const finishItems = async (
  tx: Sql,
  taskId: number,
  {
    positions,
    codes,
    formerStates,
  }: {
    positions: readonly number[];
    codes: readonly (ErrorCode | null)[];
    /** The former states of the items; undefined for unchanged ones. */
    formerStates: readonly unknown[];
  },
): Promise<void> => {
  await tx.query(
    `update task_items i set code = given.code, before = nullif(given.before, 'null'),
       state = case when given.code is null then ${itemStates.done} else ${itemStates.refused} end
     from rows from (unnest($2::int[]), unnest($3::text[]), jsonb_array_elements($4::jsonb))
       as given (position, code, before)
     where i.task_id = $1 and i.position = given.position`,
    [taskId, positions, codes, JSON.stringify(formerStates.map((before) => before ?? null))],
  );
};

/** Whether a task undoes this one, which the caller has locked. */
export const isUndone = async (tx: Sql, taskId: number): Promise<boolean> =>
  (await tx.query('select from tasks where undoes = $1', [taskId])).rowCount !== 0;

/** The items that a task changed, in their order, each with its former state. */
export const listChangedItems = async (tx: Sql, taskId: number): Promise<NewItem[]> =>
  (
    await tx.query<NewItem>(
      `select ref, label, before as input from task_items
       where task_id = $1 and state = ${itemStates.done} and before is not null order by position`,
      [taskId],
    )
  ).rows;

const jsonOf = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/**
 * Refuses the pending items, so that other tasks can take them.
 * @returns how many items
 */
export const refuseWaiting = async (tx: Sql, taskIds: readonly number[], code: ErrorCode): Promise<number> =>
  (
    await tx.query(
      `update task_items set state = ${itemStates.refused}, code = $2
       where task_id = any($1) and state = ${itemStates.waiting}`,
      [taskIds, code],
    )
  ).rowCount ?? 0;

export const countItems = async (tx: Sql, taskId: number): Promise<{ done: number; refused: number }> =>
  (
    await tx.query(
      `select count(*) filter (where state = ${itemStates.done})::int as done,
         count(*) filter (where state = ${itemStates.refused})::int as refused
       from task_items where task_id = $1`,
      [taskId],
    )
  ).rows[0];

/** @returns how often the work has failed so far */
export const recordFailure = async (sql: Sql, taskId: number, at: Date): Promise<number> =>
  (
    await sql.query<{ failures: number }>(
      'update tasks set failures = failures + 1, moved_at = $2 where id = $1 returning failures',
      [taskId, at],
    )
  ).rows[0]?.failures ?? 0;

/** The task waits for something that no retry of its own can bring back. */
export const recordWait = async (sql: Sql, taskId: number, at: Date): Promise<void> => {
  await sql.query(`update tasks set moved_at = $2 where id = $1 and status = 'processing'`, [taskId, at]);
};

export const resetFailures = async (tx: Sql, taskId: number): Promise<void> => {
  await tx.query('update tasks set failures = 0 where id = $1 and failures > 0', [taskId]);
};

/** Each attempt to make a file has the part numbers of a range of its own; a finished file has those from 0. */
const rangeSize = 1_000_000;
const ranges = 2_000;

/** The first part number of a new attempt. */
export const newRange = (): number => randomInt(1, ranges) * rangeSize;

/** Deletes the parts of unfinished attempts: all of them, or those of one range. */
export const deleteUnfinished = async (sql: Sql, taskId: number, first?: number): Promise<void> => {
  await sql.query('delete from task_files where task_id = $1 and part >= $2 and part < $3', [
    taskId,
    first ?? rangeSize,
    first === undefined ? ranges * rangeSize : first + rangeSize,
  ]);
};

/** Deletes every part, also those of attempts by versions without ranges. The task's file must not be finished. */
export const deleteParts = async (tx: Sql, taskId: number): Promise<void> => {
  await tx.query('delete from task_files where task_id = $1', [taskId]);
};

/**
 * Makes the parts of an attempt the file.
 * @returns their number
 */
export const keepRange = async (tx: Sql, taskId: number, first: number): Promise<number | null> => {
  await tx.query('delete from task_files where task_id = $1 and (part < $2 or part >= $3)', [
    taskId,
    first,
    first + rangeSize,
  ]);
  const { rowCount } = await tx.query('update task_files set part = part - $2 where task_id = $1', [
    taskId,
    first,
  ]);
  return rowCount;
};

export const insertPart = async (sql: Sql, taskId: number, part: number, content: Buffer): Promise<void> => {
  await sql.query('insert into task_files (task_id, part, content) values ($1, $2, $3)', [
    taskId,
    part,
    content,
  ]);
};

export const setReport = async (
  tx: Sql,
  taskId: number,
  name: string,
  bytes: number | null,
): Promise<void> => {
  await tx.query('update tasks set report_name = $2, report_bytes = $3 where id = $1', [taskId, name, bytes]);
};
