import type { ErrorCode } from '@simcube/contract';
import { int8Column, type Sql, textColumn } from '../../platform/db/index.ts';
import type { ItemFault, TaskOrder, WaitingItem } from './task.operation.ts';
import { itemStates, referenceOf } from './task.rules.ts';

export interface NewItems {
  taskId: number;
  simIds: readonly (number | null)[];
  iccids: readonly string[];
  /** What is refused from the start, by index. */
  refused: ReadonlyMap<number, ErrorCode>;
  inputs: readonly unknown[] | undefined;
  /** By index. */
  faults: ReadonlyMap<number, readonly ItemFault[]>;
}

/**
 * Adds the items of a task; positions are their order, from 0. A SIM that waits in another task is refused as busy: the
 * unique index over waiting SIMs decides, so two tasks that come together can't both get it.
 * @returns how many wait to be worked on
 */
export const insertItems = async (
  tx: Sql,
  { taskId, simIds, iccids, refused, inputs, faults }: NewItems,
  busy: ErrorCode,
): Promise<number> => {
  const rows = iccids.map((iccid, index) => ({
    simId: simIds[index] ?? null,
    iccid,
    code: refused.get(index) ?? null,
    input: inputs ? JSON.stringify(inputs[index]) : null,
    faults: JSON.stringify(faults.get(index)) ?? null,
  }));
  const values = [
    taskId,
    int8Column(rows, ({ simId }) => simId),
    textColumn(rows, ({ iccid }) => iccid),
    textColumn(rows, ({ code }) => code),
    textColumn(rows, ({ input }) => input),
    textColumn(rows, ({ faults: found }) => found),
  ];
  const given = `unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality
    as given (sim_id, iccid, code, input, faults, position)`;
  const { rowCount } = await tx.query(
    `insert into task_items (task_id, position, sim_id, iccid, input)
     select $1, position - 1, sim_id, iccid, input::jsonb from ${given} where code is null
     -- In one order everywhere, so that two tasks that come together don't wait for each other in a circle.
     order by sim_id
     on conflict (sim_id) where state = 0 and sim_id is not null do nothing`,
    values,
  );
  if (rowCount === rows.length) return rowCount;
  await tx.query(
    `insert into task_items (task_id, position, sim_id, iccid, input, faults, state, code)
     select $1, position - 1, sim_id, iccid, input::jsonb, faults::jsonb, ${itemStates.refused}, coalesce(code, $7)
     from ${given}
     on conflict (task_id, position) do nothing`,
    [...values, busy],
  );
  return rowCount ?? 0;
};

/** Those of the SIMs that wait in a task. */
export const listBusy = async (sql: Sql, simIds: readonly number[]): Promise<Set<number>> => {
  const { rows } = await sql.query<[number]>({
    text: `select sim_id from task_items where state = ${itemStates.waiting} and sim_id = any($1::bigint[])`,
    values: [int8Column(simIds, (simId) => simId)],
    rowMode: 'array',
  });
  return new Set(rows.map(([simId]) => simId));
};

interface OrderRow extends TaskOrder {
  type: string;
  parameters: unknown;
  status: string;
  done: number;
  quantity: number;
}

/** The task behind a job, locked, so that of two workers one goes on. */
export const lockOrder = async (tx: Sql, taskId: number): Promise<OrderRow | undefined> => {
  const { rows } = await tx.query(
    `select id, org_id, user_id, type, parameters, actor, trace_id, status, done, quantity from tasks where id = $1 for update`,
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
    }
  );
};

export const listWaiting = async (tx: Sql, taskId: number, limit: number): Promise<WaitingItem[]> =>
  (
    await tx.query<WaitingItem>(
      `select position, sim_id as "simId", iccid, input from task_items
       where task_id = $1 and state = ${itemStates.waiting} order by position limit $2`,
      [taskId, limit],
    )
  ).rows;

export const finishItems = async (
  tx: Sql,
  taskId: number,
  { positions, codes }: { positions: readonly number[]; codes: readonly (ErrorCode | null)[] },
): Promise<void> => {
  await tx.query(
    `update task_items i set code = given.code,
       state = case when given.code is null then ${itemStates.done} else ${itemStates.refused} end
     from unnest($2::int[], $3::text[]) as given (position, code)
     where i.task_id = $1 and i.position = given.position`,
    [taskId, positions, codes],
  );
};

/** What is still waiting is given up, so that its SIMs are free again. */
export const refuseWaiting = async (tx: Sql, taskIds: readonly number[], code: ErrorCode): Promise<void> => {
  await tx.query(
    `update task_items set state = ${itemStates.refused}, code = $2
     where task_id = any($1) and state = ${itemStates.waiting}`,
    [taskIds, code],
  );
};

export const countItems = async (tx: Sql, taskId: number): Promise<{ done: number; refused: number }> =>
  (
    await tx.query(
      `select count(*) filter (where state = ${itemStates.done})::int as done,
         count(*) filter (where state = ${itemStates.refused})::int as refused
       from task_items where task_id = $1`,
      [taskId],
    )
  ).rows[0];

/** @returns how often the work has broken off so far */
export const noteFailure = async (sql: Sql, taskId: number, at: Date): Promise<number> =>
  (
    await sql.query<{ failures: number }>(
      'update tasks set failures = failures + 1, moved_at = $2 where id = $1 returning failures',
      [taskId, at],
    )
  ).rows[0]?.failures ?? 0;

export const forgetFailures = async (tx: Sql, taskId: number): Promise<void> => {
  await tx.query('update tasks set failures = 0 where id = $1 and failures > 0', [taskId]);
};

export const deleteParts = async (sql: Sql, taskId: number): Promise<void> => {
  await sql.query('delete from task_files where task_id = $1', [taskId]);
};

export const insertPart = async (sql: Sql, taskId: number, part: number, content: Buffer): Promise<void> => {
  await sql.query('insert into task_files (task_id, part, content) values ($1, $2, $3)', [
    taskId,
    part,
    content,
  ]);
};

export const nameReport = async (
  tx: Sql,
  taskId: number,
  name: string,
  bytes: number | null,
): Promise<void> => {
  await tx.query('update tasks set report_name = $2, report_bytes = $3 where id = $1', [taskId, name, bytes]);
};
